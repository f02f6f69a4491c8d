/* The desk's equivalent contact point over a grid of frictions. The data's form: tools/widgets/README.md. */
"use strict";
Widget.load("desk-ecp", "desk-ecp", (data) => {
  const $ = (id) => document.getElementById(id);
  const units = { x: "place", y: "place", yaw: "angle", "ecp x": "ecp", "ecp y": "ecp", speed: "speed", spin: "speed" };
  const known = new Map();
  const state = { mu: data.default[0], er: data.default[1], at: 0 };
  function run(i, j) {
    const key = `${i} ${j}`;
    if (!known.has(key)) {
      const r = Object.fromEntries(Object.entries(data.runs[i][j]).map(([k, text]) => [k, Widget.numbers(text, data.units[units[k]])]));
      known.set(key, r);
    }
    return known.get(key);
  }
  const now = () => run(state.mu, state.er), usual = () => run(...data.default), count = usual().x.length;
  const side = Math.max(...data.feet.flat(2).map(Math.abs));

  const path = (ctx, xs, ys, stop) => { ctx.beginPath(); for (let k = 0; k < stop; k++) (k ? ctx.lineTo(xs[k], ys[k]) : ctx.moveTo(xs[k], ys[k])); ctx.stroke(); };
  const dot = (ctx, x, y, r) => { ctx.beginPath(); ctx.arc(x, y, r, 0, 7); ctx.fill(); };
  function polygon(ctx, points) { ctx.beginPath(); points.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y))); ctx.closePath(); }

  Widget.canvas($("own"), (ctx, width, height, colour) => {
    const scale = (0.44 * Math.min(width, height)) / side, X = (x) => width / 2 + scale * x, Y = (y) => height / 2 - scale * y, r = now(), k = state.at;
    polygon(ctx, [[-side, -side], [side, -side], [side, side], [-side, side]].map(([x, y]) => [X(x), Y(y)]));
    ctx.fillStyle = `color-mix(in srgb, ${colour("body")} 55%, transparent)`; ctx.fill();
    ctx.strokeStyle = colour("body-line"); ctx.lineWidth = 1.2; ctx.setLineDash([5, 4]); ctx.stroke(); ctx.setLineDash([]);
    for (const foot of data.feet) { polygon(ctx, foot.map(([x, y]) => [X(x), Y(y)])); ctx.fillStyle = colour("body"); ctx.fill(); ctx.stroke(); }
    ctx.strokeStyle = colour("ink"); ctx.lineWidth = 1.5;
    ctx.beginPath(); ctx.moveTo(X(0) - 6, Y(0)); ctx.lineTo(X(0) + 6, Y(0)); ctx.moveTo(X(0), Y(0) - 6); ctx.lineTo(X(0), Y(0) + 6); ctx.stroke();
    ctx.strokeStyle = colour("grey"); ctx.lineWidth = 1.2; path(ctx, usual()["ecp x"].map(X), usual()["ecp y"].map(Y), count);
    const xs = r["ecp x"].map(X), ys = r["ecp y"].map(Y);
    ctx.strokeStyle = `color-mix(in srgb, ${colour("a")} 35%, transparent)`; ctx.lineWidth = 1.6; path(ctx, xs, ys, count);
    ctx.strokeStyle = colour("a"); ctx.lineWidth = 2.2; path(ctx, xs, ys, k + 1);
    ctx.fillStyle = colour("b"); dot(ctx, xs[k], ys[k], 6);
    const bar = 0.1 * scale;
    ctx.strokeStyle = ctx.fillStyle = colour("muted"); ctx.lineWidth = 1.5;
    ctx.beginPath(); ctx.moveTo(10, height - 12); ctx.lineTo(10 + bar, height - 12); ctx.stroke(); ctx.fillText("0.1 m", 14 + bar, height - 8);
  });

  Widget.canvas($("floor"), (ctx, width, height, colour) => {
    const r = now(), k = state.at, reach = 1.45 * side;
    const low = [Math.min(...r.x) - reach, Math.min(...r.y) - reach], high = [Math.max(...r.x) + reach, Math.max(...r.y) + reach];
    const scale = 0.96 * Math.min(width / (high[0] - low[0]), height / (high[1] - low[1]));
    const X = (x) => width / 2 + scale * (x - (low[0] + high[0]) / 2), Y = (y) => height / 2 - scale * (y - (low[1] + high[1]) / 2);
    const step = [0.1, 0.2, 0.5, 1, 2, 5].find((s) => s * scale > 42) || 5;
    ctx.strokeStyle = colour("grid"); ctx.lineWidth = 1;
    for (let x = Math.ceil(low[0] / step) * step; x < high[0]; x += step) { ctx.beginPath(); ctx.moveTo(X(x), 0); ctx.lineTo(X(x), height); ctx.stroke(); }
    for (let y = Math.ceil(low[1] / step) * step; y < high[1]; y += step) { ctx.beginPath(); ctx.moveTo(0, Y(y)); ctx.lineTo(width, Y(y)); ctx.stroke(); }
    const c = Math.cos(r.yaw[k]), s = Math.sin(r.yaw[k]), place = ([x, y]) => [X(r.x[k] + c * x - s * y), Y(r.y[k] + s * x + c * y)];
    polygon(ctx, [[-side, -side], [side, -side], [side, side], [-side, side]].map(place));
    ctx.fillStyle = `color-mix(in srgb, ${colour("body")} 55%, transparent)`; ctx.fill();
    ctx.strokeStyle = colour("body-line"); ctx.lineWidth = 1.2; ctx.stroke();
    for (const foot of data.feet) { polygon(ctx, foot.map(place)); ctx.fillStyle = colour("body"); ctx.fill(); ctx.stroke(); }
    ctx.strokeStyle = `color-mix(in srgb, ${colour("c")} 40%, transparent)`; ctx.lineWidth = 1.6; path(ctx, r.x.map(X), r.y.map(Y), count);
    ctx.strokeStyle = colour("c"); ctx.lineWidth = 2.2; path(ctx, r.x.map(X), r.y.map(Y), k + 1);
    ctx.fillStyle = colour("b"); dot(ctx, ...place([r["ecp x"][k], r["ecp y"][k]]), 5);
    ctx.fillStyle = colour("muted"); ctx.fillText(`grid ${step} m`, 10, height - 8);
  });

  Widget.canvas($("graph"), (ctx, width, height, colour) => {
    const r = now(), left = 8, right = width - 8, X = (k) => left + ((right - left) * k) / (count - 1);
    const top = Math.max(...r.speed, 1e-3), turn = Math.max(...r.spin.map(Math.abs), 1e-3), base = height - 22;
    ctx.strokeStyle = colour("grid"); ctx.lineWidth = 1; ctx.fillStyle = colour("muted"); ctx.textAlign = "center";
    for (let t = 0; t <= count * data.period + 1e-9; t += 0.5) {
      const x = X(t / data.period - 1);
      if (x < left) continue;
      ctx.beginPath(); ctx.moveTo(x, 18); ctx.lineTo(x, base); ctx.stroke(); ctx.fillText(`${t} s`, Math.min(x, right - 12), height - 7);
    }
    ctx.textAlign = "left";
    const curve = (values, scale, name) => { ctx.strokeStyle = colour(name); ctx.lineWidth = 2; path(ctx, values.map((_, k) => X(k)), values.map((v) => base - (base - 22) * (v / scale)), count); };
    curve(r.speed, top, "c");
    curve(r.spin.map(Math.abs), turn, "d");
    ctx.fillStyle = colour("c"); ctx.fillText(`speed, up to ${Widget.number(top)} m/s`, left + 4, 13);
    ctx.fillStyle = colour("d"); ctx.fillText(`rate of turn, up to ${Widget.number(turn)} rad/s`, left + 160, 13);
    ctx.strokeStyle = colour("ink"); ctx.lineWidth = 1.5; ctx.beginPath(); ctx.moveTo(X(state.at), 16); ctx.lineTo(X(state.at), base); ctx.stroke();
  });

  let playing = false, start = 0, from = 0;
  function show(speak = true) {
    const r = now(), k = state.at, t = (k + 1) * data.period, still = r.speed.filter((v, i) => v < 2e-3 && Math.abs(r.spin[i]) < 2e-3).length * data.period;
    const mm = (v) => Widget.number(1000 * v, 0);
    $("mu").value = state.mu; $("er").value = state.er; $("time").value = k;
    $("mu-value").textContent = data.mu[state.mu].toFixed(2);
    $("er-value").textContent = `${data.e_r[state.er].toFixed(2)} m`;
    $("mu").setAttribute("aria-valuetext", data.mu[state.mu].toFixed(2));
    $("er").setAttribute("aria-valuetext", `${data.e_r[state.er].toFixed(2)} metres`);
    $("time").setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
    $("readout").textContent = `t = ${t.toFixed(2)} s: ECP at (${mm(r["ecp x"][k])}, ${mm(r["ecp y"][k])}) mm from the centre of mass\n`
      + `speed ${Widget.number(r.speed[k])} m/s, turning ${Widget.number(r.spin[k])} rad/s\n`
      + `in 4 s: moves ${Widget.number(Math.hypot(r.x[count - 1], r.y[count - 1]))} m, at rest for ${Widget.number(still, 1)} s`;
    if (speak) Widget.say(`μ ${data.mu[state.mu].toFixed(2)}, e r ${data.e_r[state.er].toFixed(2)} metres. ${$("readout").textContent.replace(/\n/g, ". ")}`);
    Widget.redraw();
  }
  function tick(time) {
    if (!playing) return;
    state.at = Math.min(Math.round(from + (time - start) / 1000 / data.period), count - 1);
    show(false);
    if (state.at >= count - 1) stop(); else requestAnimationFrame(tick);
  }
  function stop() { playing = false; $("play").textContent = "▶ Play"; }
  function toggle() {
    if (playing) return stop();
    if (state.at >= count - 1) state.at = 0;
    playing = true; start = performance.now(); from = state.at; $("play").textContent = "⏸ Pause";
    requestAnimationFrame(tick);
  }
  $("mu").max = data.mu.length - 1; $("er").max = data.e_r.length - 1; $("time").max = count - 1;
  $("mu").addEventListener("input", () => { state.mu = Number($("mu").value); show(); });
  $("er").addEventListener("input", () => { state.er = Number($("er").value); show(); });
  $("time").addEventListener("input", () => { stop(); state.at = Number($("time").value); show(); });
  $("play").addEventListener("click", toggle);
  $("reset").addEventListener("click", () => { [state.mu, state.er] = data.default; show(); });
  const scrub = (e) => { const b = $("graph").getBoundingClientRect(); stop(); state.at = Math.min(Math.max(Math.round(((e.clientX - b.left - 8) / (b.width - 16)) * (count - 1)), 0), count - 1); show(); };
  $("graph").addEventListener("pointerdown", (e) => { $("graph").setPointerCapture(e.pointerId); scrub(e); });
  $("graph").addEventListener("pointermove", (e) => { if ($("graph").hasPointerCapture(e.pointerId)) scrub(e); });
  document.addEventListener("keydown", (e) => {
    if (e.key !== " " || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("button")) return;
    e.preventDefault();
    toggle();
  });
  state.at = Math.round(0.6 * count);
  show(false);
});
