/* Which centres of rotation a two-point push reaches stably, computed here from the loads of a grid. Data: tools/widgets/README.md. */
"use strict";
Widget.load("cor-map-wood", "cor-map", (data) => {
  const $ = (id) => document.getElementById(id);
  const { count, step, from } = data.grid, total = count * count, MM = 1000;
  const at = (k) => [from + step * (k % count), from + step * Math.floor(k / count)];
  const surfaces = data.surfaces.map((s) => {
    const [x, y, t] = s.loads.map((text) => Widget.numbers(text, data.unit));
    return { ...s, shown: true, loads: x.map((v, k) => [v, y[k], t[k]]), stable: new Uint8Array(total) };
  });
  const corners = data.outline, edges = corners.map((a, k) => {
    const b = corners[(k + 1) % corners.length], long = Math.hypot(b[0] - a[0], b[1] - a[1]), t = [(b[0] - a[0]) / long, (b[1] - a[1]) / long];
    return { a, b, long, t, inward: [-t[1], t[0]], middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  });
  const state = { edge: 0, place: 0, width: 60, mu: 0.3, cell: Math.floor(total / 2) };
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

  function contacts() {
    const e = edges[state.edge], half = Math.min(state.width / MM, e.long) / 2, room = e.long / 2 - half;
    const s = Math.min(Math.max(state.place / MM, -room), room);
    return [s - half, s + half].map((d) => [e.middle[0] + d * e.t[0], e.middle[1] + d * e.t[1]]);
  }
  // Loads in the composite friction cone, moments over the length: non-negative combinations of three of its four edges.
  function cone() {
    const n = edges[state.edge].inward, left = [-n[1], n[0]], rays = [];
    for (const p of contacts()) for (const m of [-state.mu, state.mu]) {
      const f = [n[0] + m * left[0], n[1] + m * left[1]];
      rays.push([f[0], f[1], (p[0] * f[1] - p[1] * f[0]) / data.length]);
    }
    const triples = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]].map((t) => t.map((k) => rays[k]));
    return triples.map(([a, b, c]) => ({ det: dot(a, cross(b, c)), rows: [cross(b, c), cross(c, a), cross(a, b)] })).filter((t) => Math.abs(t.det) > 1e-12);
  }
  const inside = (triples, f) => triples.some(({ det, rows }) => rows.every((r) => dot(r, f) / det >= -1e-9));
  // The sense of turn that moves the fingers, on the whole, into the block.
  function sense(k) {
    const [p, q] = contacts(), n = edges[state.edge].inward, [x, y] = at(k), arm = [(p[0] + q[0]) / 2 - x, (p[1] + q[1]) / 2 - y];
    return -arm[1] * n[0] + arm[0] * n[1] >= 0 ? 1 : -1;
  }
  function compute() {
    const triples = cone();
    for (let k = 0; k < total; k++) {
      const s = sense(k);
      for (const surface of surfaces) surface.stable[k] = inside(triples, surface.loads[k].map((v) => s * v)) ? 1 : 0;
    }
    window.corMap = { stable: Object.fromEntries(surfaces.map((s) => [s.name, [...s.stable].join("")])), contacts: contacts(), normal: edges[state.edge].inward, mu: state.mu };
  }

  let scale = 1, half = 0;
  Widget.canvas($("map"), (ctx, width, height, colour) => {
    half = width / 2; scale = width / (step * (count + 1));
    const X = (x) => half + scale * x, Y = (y) => height / 2 - scale * y, size = scale * step;
    const poly = (points) => { ctx.beginPath(); points.forEach(([x, y], k) => (k ? ctx.lineTo(X(x), Y(y)) : ctx.moveTo(X(x), Y(y)))); ctx.closePath(); };
    poly(corners); ctx.fillStyle = colour("body"); ctx.fill();
    surfaces.forEach((s, layer) => {
      if (!s.shown) return;
      ctx.fillStyle = `color-mix(in srgb, ${colour(s.colour)} ${[45, 45, 70][layer]}%, transparent)`;
      for (let k = 0; k < total; k++) if (s.stable[k]) {
        const [x, y] = at(k), w = layer === 2 ? 0.36 * size : size;
        ctx.fillRect(X(x) - w / 2, Y(y) - w / 2, w, w);
      }
    });
    poly(corners); ctx.strokeStyle = colour("body-line"); ctx.lineWidth = 1.6; ctx.stroke();
    ctx.fillStyle = colour("body-line"); for (const [x, y] of data.supports) { ctx.beginPath(); ctx.arc(X(x), Y(y), 5, 0, 7); ctx.fill(); }
    ctx.strokeStyle = colour("ink"); ctx.lineWidth = 1.5;
    ctx.beginPath(); ctx.moveTo(X(0) - 6, Y(0)); ctx.lineTo(X(0) + 6, Y(0)); ctx.moveTo(X(0), Y(0) - 6); ctx.lineTo(X(0), Y(0) + 6); ctx.stroke();
    const n = edges[state.edge].inward;
    ctx.fillStyle = ctx.strokeStyle = colour("c"); ctx.lineWidth = 2.5;
    for (const [x, y] of contacts()) {
      const back = [x - 0.03 * n[0], y - 0.03 * n[1]];
      ctx.beginPath(); ctx.moveTo(X(back[0]), Y(back[1])); ctx.lineTo(X(x), Y(y)); ctx.stroke();
      ctx.beginPath(); ctx.arc(X(x), Y(y), 5, 0, 7); ctx.fill();
    }
    const [cx, cy] = at(state.cell), a = 0.22 * sense(state.cell), c = Math.cos(a), s = Math.sin(a);
    poly(corners.map(([x, y]) => [cx + c * (x - cx) - s * (y - cy), cy + s * (x - cx) + c * (y - cy)]));
    ctx.setLineDash([5, 4]); ctx.strokeStyle = colour("muted"); ctx.lineWidth = 1.4; ctx.stroke(); ctx.setLineDash([]);
    ctx.strokeStyle = colour("ink"); ctx.lineWidth = 2; ctx.strokeRect(X(cx) - size / 2 - 1, Y(cy) - size / 2 - 1, size + 2, size + 2);
    ctx.fillStyle = colour("muted"); ctx.strokeStyle = colour("muted"); ctx.beginPath(); ctx.moveTo(12, height - 12); ctx.lineTo(12 + 0.05 * scale, height - 12); ctx.stroke();
    ctx.fillText("50 mm", 18 + 0.05 * scale, height - 8);
  });

  function show() {
    const [x, y] = at(state.cell);
    for (const [id, text] of [["place", `${state.place} mm`], ["width", `${state.width} mm`], ["mu", state.mu.toFixed(2)]]) { $(id).value = state[id]; $(`${id}-value`).textContent = text; $(id).setAttribute("aria-valuetext", text); }
    const verdicts = surfaces.map((s) => `${s.name}: ${s.stable[state.cell] ? "stable" : "not stable"}`);
    $("readout").textContent = `(${Widget.number(x * MM, 0)}, ${Widget.number(y * MM, 0)}) mm from the centre of mass, turning ${sense(state.cell) > 0 ? "counter-clockwise" : "clockwise"}\n${verdicts.join("\n")}`;
    Widget.say($("readout").textContent.replace(/\n/g, ". "));
    Widget.redraw();
  }
  const update = () => { compute(); show(); };
  edges.forEach((e, k) => {
    const o = document.createElement("option");
    o.value = k; o.textContent = e.long > 0.2 ? "long" : Math.abs(e.t[0]) > 0.5 ? "lower" : "left";
    $("edge").append(o);
  });
  $("edge").addEventListener("change", () => { state.edge = Number($("edge").value); update(); });
  for (const id of ["place", "width", "mu"]) $(id).addEventListener("input", () => { state[id] = Number($(id).value); update(); });
  surfaces.forEach((s, k) => {
    const row = document.createElement("label"), box = document.createElement("input"), mark = document.createElement("i");
    row.className = "layer"; box.type = "checkbox"; box.checked = true; box.id = `layer-${k}`;
    box.addEventListener("change", () => { s.shown = box.checked; Widget.redraw(); });
    mark.style.background = `var(--${s.colour})`; if (k === 2) mark.style.cssText += ";width:7px;height:7px;margin:0 4px";
    row.append(box, mark, s.name); $("layers").append(row);
  });
  const pick = (e) => {
    const r = $("map").getBoundingClientRect(), clip = (v) => Math.min(Math.max(Math.round(v), 0), count - 1);
    const i = clip(((e.clientX - r.left - half) / scale - from) / step), j = clip(((r.height / 2 - (e.clientY - r.top)) / scale - from) / step);
    state.cell = j * count + i; show();
  };
  $("map").addEventListener("pointerdown", (e) => { $("map").setPointerCapture(e.pointerId); pick(e); });
  $("map").addEventListener("pointermove", (e) => { if ($("map").hasPointerCapture(e.pointerId)) pick(e); });
  $("map").addEventListener("keydown", (e) => {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (!moves[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const clip = (v) => Math.min(Math.max(v, 0), count - 1), by = e.shiftKey ? 5 : 1, [di, dj] = moves[e.key];
    state.cell = clip(Math.floor(state.cell / count) + by * dj) * count + clip((state.cell % count) + by * di);
    show();
  });
  state.cell = Math.round(0.36 * count) * count + Math.round(0.3 * count);
  update();
});
