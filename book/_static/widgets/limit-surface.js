/* A limit surface in three dimensions: surfaces, facets, data points with arrows. The data's form: tools/widgets/README.md. */
"use strict";
Widget.load("limit-surface-three-points", "limit-surface", (data) => {
  const $ = (id) => document.getElementById(id);
  const HOME = { turn: -0.9, tilt: 0.42, zoom: 1 };
  const view = { ...HOME };
  const triples = (text) => { const [x, y, z] = text.map((t) => Widget.numbers(t, data.unit)); return x.map((v, k) => [v, y[k], z[k]]); };
  const layers = data.layers.map((layer) => {
    const points = triples(layer.points), shown = layer.shown !== false;
    const cut = (sizes) => { let at = 0; return sizes.map((n) => points.slice(at, (at += n))); };
    const faces = layer.type === "polygons" ? cut(layer.sizes) : layer.type === "surface" ? quads(points, layer.rows, layer.columns) : [];
    return { ...layer, points, shown, faces, arrows: (layer.arrows || []).map((a) => ({ ...a, ends: triples(a.points) })) };
  });
  const reach = Math.max(...layers.flatMap((l) => l.points.map((p) => Math.hypot(...p))));
  const data_layer = layers.find((l) => l.type === "points" && l.notes);
  let chosen = 0;

  function quads(points, rows, columns) {
    const out = [];
    for (let r = 0; r + 1 < rows; r++) for (let c = 0; c + 1 < columns; c++) {
      const k = r * columns + c;
      out.push([points[k], points[k + 1], points[k + columns + 1], points[k + columns]]);
    }
    return out;
  }

  // World to screen: turn about the third axis, tilt towards the reader; depth grows towards the reader.
  function camera(width, height) {
    const scale = (0.4 * Math.min(width, height * 1.15) * view.zoom) / reach;
    const ct = Math.cos(view.turn), st = Math.sin(view.turn), ce = Math.cos(view.tilt), se = Math.sin(view.tilt);
    const axes = { right: [ct, st, 0], up: [-st * se, ct * se, ce], near: [st * ce, -ct * ce, se] };
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return (p) => [width / 2 + scale * dot(p, axes.right), height / 2 - scale * dot(p, axes.up), dot(p, axes.near)];
  }
  const LIGHT = [0.35, -0.5, 0.79];
  function shade(face, colour, amount) {
    const [a, b, c] = [face[0], face[1], face[2 % face.length]], d = face[face.length - 1];
    const u = [0, 1, 2].map((k) => c[k] - a[k]), v = [0, 1, 2].map((k) => d[k] - b[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]], size = Math.hypot(...n) || 1;
    const lit = Math.abs(n[0] * LIGHT[0] + n[1] * LIGHT[1] + n[2] * LIGHT[2]) / size;
    return `color-mix(in srgb, ${colour} ${Math.round(100 * amount * (0.55 + 0.45 * lit))}%, transparent)`;
  }

  Widget.canvas($("view"), (ctx, width, height, colour) => {
    const project = camera(width, height), items = [];
    const style = (l) => colour(l.colour);
    for (const layer of layers) {
      if (!layer.shown) continue;
      for (const face of layer.faces) {
        const screen = face.map(project), depth = screen.reduce((s, p) => s + p[2], 0) / screen.length;
        items.push([depth, () => {
          ctx.beginPath();
          screen.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
          ctx.closePath();
          ctx.fillStyle = shade(face, style(layer), layer.opacity);
          ctx.fill();
          ctx.strokeStyle = `color-mix(in srgb, ${style(layer)} ${layer.type === "polygons" ? 90 : 22}%, transparent)`;
          ctx.lineWidth = layer.type === "polygons" ? 1.4 : 0.6;
          ctx.stroke();
        }]);
      }
      if (layer.type !== "points") continue;
      layer.points.forEach((p, k) => {
        const [x, y, depth] = project(p), own = layer === data_layer && k === chosen;
        items.push([depth + (own ? 1e9 : 0.02 * reach), () => {
          for (const arrow of layer.arrows) {
            const e = arrow.ends[k], [ax, ay] = project([0, 1, 2].map((c) => p[c] + 0.22 * reach * e[c]));
            ctx.strokeStyle = ctx.fillStyle = colour(arrow.colour);
            ctx.lineWidth = own ? 2.6 : 1.3;
            ctx.beginPath(); ctx.moveTo(x, y); ctx.lineTo(ax, ay); ctx.stroke();
            const long = Math.hypot(ax - x, ay - y), ux = (ax - x) / (long || 1), uy = (ay - y) / (long || 1), h = Math.min(own ? 9 : 5, long);
            ctx.beginPath(); ctx.moveTo(ax, ay); ctx.lineTo(ax - h * ux + 0.45 * h * uy, ay - h * uy - 0.45 * h * ux); ctx.lineTo(ax - h * ux - 0.45 * h * uy, ay - h * uy + 0.45 * h * ux); ctx.fill();
          }
          ctx.beginPath(); ctx.arc(x, y, own ? 6 : 3.2, 0, 7); ctx.fillStyle = style(layer); ctx.fill();
          if (own) { ctx.strokeStyle = colour("ink"); ctx.lineWidth = 2; ctx.stroke(); }
        }]);
      });
    }
    data.axes.forEach((axis, k) => {
      const end = [0, 0, 0];
      end[k] = 1.25 * reach;
      const [x, y, depth] = project(end), [ox, oy] = project([0, 0, 0]);
      items.push([depth > 0 ? depth + reach : depth - reach, () => {
        ctx.strokeStyle = colour("muted"); ctx.lineWidth = 1;
        ctx.beginPath(); ctx.moveTo(ox, oy); ctx.lineTo(x, y); ctx.stroke();
        for (const t of ticks(reach)) {
          const p = [0, 0, 0];
          p[k] = t;
          const [tx, ty] = project(p);
          ctx.beginPath(); ctx.arc(tx, ty, 1.8, 0, 7); ctx.fillStyle = colour("muted"); ctx.fill();
          ctx.textAlign = "left"; ctx.textBaseline = "middle"; ctx.fillText(String(t), tx + 5, ty + 7);
        }
        ctx.fillStyle = colour("ink"); ctx.textAlign = x < ox ? "right" : "left"; ctx.textBaseline = "middle";
        ctx.fillText(`${axis.name} [${axis.unit}]`, Math.min(Math.max(x, 70), width - 70) + (x < ox ? -5 : 5), Math.min(Math.max(y, 12), height - 12));
      }]);
    });
    items.sort((a, b) => a[0] - b[0]).forEach(([, paint]) => paint());
  });
  function ticks(size) {
    const raw = size / 2.2, ten = 10 ** Math.floor(Math.log10(raw)), step = [5, 2, 1].map((m) => m * ten).find((s) => s <= raw);
    return [1, 2].map((k) => +(k * step).toPrecision(3)).filter((t) => t <= 1.15 * size);
  }

  layers.forEach((layer, k) => {
    const row = document.createElement("label"), box = document.createElement("input"), mark = document.createElement("i");
    row.className = "layer";
    box.type = "checkbox"; box.checked = layer.shown; box.id = `layer-${k}`;
    box.addEventListener("change", () => { layer.shown = box.checked; Widget.redraw(); });
    mark.style.background = `var(--${layer.colour})`;
    row.append(box, mark, layer.name);
    $("layers").append(row);
  });
  for (const arrow of data_layer ? data_layer.arrows : []) {
    const row = document.createElement("p"), mark = document.createElement("i");
    row.className = "layer note"; mark.style.cssText = `background:var(--${arrow.colour});height:3px`;
    row.append(mark, `arrow: ${arrow.name}`);
    $("layers").append(row);
  }
  data.axes.forEach((axis, k) => {
    const b = document.createElement("button");
    b.textContent = `along ${axis.name}`;
    b.addEventListener("click", () => { Object.assign(view, [{ turn: Math.PI / 2, tilt: 0 }, { turn: 0, tilt: 0 }, { turn: 0, tilt: Math.PI / 2 }][k]); moved(); });
    $("along").append(b);
  });

  const degrees = (a) => Math.round((a * 180) / Math.PI);
  function moved() {
    view.tilt = Math.min(Math.max(view.tilt, -Math.PI / 2), Math.PI / 2);
    view.zoom = Math.min(Math.max(view.zoom, 0.5), 6);
    $("view").dataset.view = `${view.turn.toFixed(3)} ${view.tilt.toFixed(3)} ${view.zoom.toFixed(3)}`;
    Widget.redraw();
    Widget.say(`Turned ${degrees(view.turn)} degrees, tilted ${degrees(view.tilt)} degrees.`);
  }
  function choose(k) {
    if (!data_layer) return;
    chosen = Math.min(Math.max(k, 0), data_layer.points.length - 1);
    const text = `${data_layer.item} ${chosen + 1} of ${data_layer.points.length}\n${data_layer.notes[chosen]}`;
    $("point").value = chosen;
    $("point").setAttribute("aria-valuetext", text.replace(/\n/g, ", "));
    $("readout").textContent = text;
    Widget.redraw();
  }
  const acts = {
    left: () => { view.turn -= 0.12; moved(); }, right: () => { view.turn += 0.12; moved(); },
    up: () => { view.tilt += 0.1; moved(); }, down: () => { view.tilt -= 0.1; moved(); },
    in: () => { view.zoom *= 1.2; moved(); }, out: () => { view.zoom /= 1.2; moved(); }, reset: () => { Object.assign(view, HOME); moved(); },
  };
  for (const [id, act] of Object.entries(acts)) $(id).addEventListener("click", act);
  const keys = { ArrowLeft: acts.left, ArrowRight: acts.right, ArrowUp: acts.up, ArrowDown: acts.down, "+": acts.in, "=": acts.in, "-": acts.out, r: acts.reset, n: () => choose(chosen + 1), p: () => choose(chosen - 1) };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key] || (e.target.closest("input") && e.key.startsWith("Arrow"))) return;
    e.preventDefault();
    keys[e.key]();
  });
  let drag = null;
  $("view").addEventListener("pointerdown", (e) => { $("view").setPointerCapture(e.pointerId); drag = [e.clientX, e.clientY]; });
  $("view").addEventListener("pointermove", (e) => {
    if (!drag) return;
    view.turn -= (e.clientX - drag[0]) * 0.009; view.tilt += (e.clientY - drag[1]) * 0.009;
    drag = [e.clientX, e.clientY];
    moved();
  });
  for (const end of ["pointerup", "pointercancel"]) $("view").addEventListener(end, () => { drag = null; });
  $("point").addEventListener("input", () => choose(Number($("point").value)));
  if (data_layer) { $("chooser").hidden = false; $("point").max = data_layer.points.length - 1; choose(0); }
  moved();
});
