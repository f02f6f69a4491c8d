"""A trajectory as one HTML file: the page, whose places {{title}} and {{data}} `animation` fills."""

__all__ = ["PAGE"]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light; --bg: #ffffff; --card: #f5f7fa; --ink: #1b2530; --muted: #566272; --line: #d5dce4; --grid: #dfe5ec; --body: #80642f; --touch: #0b5fa5; --point: #b3001b; --push: #237a48; }
@media (prefers-color-scheme: dark) { :root:not([data-theme="light"]) { color-scheme: dark; --bg: #12161c; --card: #1a2029; --ink: #e7ecf3; --muted: #a3afbf; --line: #323c4a; --grid: #2a323d; --body: #dcbd8d; --touch: #7db3ee; --point: #ff8f8f; --push: #6fd49a; } }
:root[data-theme="dark"] { color-scheme: dark; --bg: #12161c; --card: #1a2029; --ink: #e7ecf3; --muted: #a3afbf; --line: #323c4a; --grid: #2a323d; --body: #dcbd8d; --touch: #7db3ee; --point: #ff8f8f; --push: #6fd49a; }
* { box-sizing: border-box; }
html, body { margin: 0; background: var(--bg); color: var(--ink); font: 14px/1.45 ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 12px; display: grid; gap: 10px; grid-template-columns: minmax(0, 1fr); }
h1 { font-size: 1rem; margin: 0; font-weight: 650; }
canvas { display: block; width: 100%; height: min(58vh, 460px); min-height: 260px; background: var(--card); border: 1px solid var(--line); border-radius: 8px; touch-action: none; cursor: grab; }
.controls { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
button, select { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 4px 10px; min-height: 32px; cursor: pointer; }
input[type="range"] { flex: 1; min-width: 160px; accent-color: var(--touch); }
:focus-visible { outline: 2px solid var(--touch); outline-offset: 2px; }
.key span { display: inline-block; margin-right: 14px; }
p { margin: 0; color: var(--muted); }
#readout { font-variant-numeric: tabular-nums; white-space: pre-line; min-height: 2.9em; }
kbd { font: inherit; font-size: 0.9em; border: 1px solid var(--line); border-radius: 4px; padding: 0 5px; background: var(--card); color: var(--ink); }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
</style>
</head>
<body>
<main>
  <h1>{{title}}</h1>
  <canvas id="view" role="img" tabindex="0" aria-label="{{title}}: the body on the plane, drag or press a, d, w, s to look from elsewhere" aria-describedby="readout"></canvas>
  <div class="controls">
    <button id="play" aria-keyshortcuts="Space">Play</button>
    <label for="speed" class="sr">Speed</label>
    <select id="speed"><option value="1">1x</option><option value="0.5">0.5x</option><option value="0.2">0.2x</option><option value="0.05">0.05x</option></select>
    <button id="above" aria-pressed="false" aria-keyshortcuts="t">From above</button>
    <label for="time" class="sr">Time</label><input id="time" type="range" min="0" step="1" value="0">
  </div>
  <p class="key"><span style="color:var(--body)">&#9473; body</span><span style="color:var(--touch)">&#9679; what touches, and its hull</span><span style="color:var(--ink)">&#9675; centre of mass, projected</span><span style="color:var(--point)">&#10005; ECP</span><span style="color:var(--push)">&#8593; contact impulse</span></p>
  <p id="readout"></p>
  <p><kbd>Space</kbd> plays and pauses, <kbd>&larr;</kbd> <kbd>&rarr;</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> jump, <kbd>a</kbd> <kbd>d</kbd> <kbd>w</kbd> <kbd>s</kbd> turn the view, <kbd>t</kbd> looks from above.</p>
  <p id="live" class="sr" role="status" aria-live="polite"></p>
</main>
<script type="application/json" id="data">{{data}}</script>
<script>
"use strict";
const $ = (id) => document.getElementById(id), data = JSON.parse($("data").textContent), states = data.states, count = states.length;
const [N, T, O] = data.frame, dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const add = (a, b, s = 1) => a.map((v, i) => v + s * b[i]);
const view = { azimuth: -0.9, elevation: 0.42, at: 0, playing: false };
function rotate(q, p) {
  const [w, x, y, z] = q;
  return [
    (1 - 2 * (y * y + z * z)) * p[0] + 2 * (x * y - w * z) * p[1] + 2 * (x * z + w * y) * p[2],
    2 * (x * y + w * z) * p[0] + (1 - 2 * (x * x + z * z)) * p[1] + 2 * (y * z - w * x) * p[2],
    2 * (x * z - w * y) * p[0] + 2 * (y * z + w * x) * p[1] + (1 - 2 * (x * x + y * y)) * p[2],
  ];
}
const drop = (p) => add(p, N, data.offset - dot(p, N));
const local = (p) => [dot(p, T), dot(p, O), dot(p, N) - data.offset];
const all = states.map((s) => local(s[1]));
const low = [0, 1].map((i) => Math.min(...all.map((p) => p[i])) - 1.1 * data.size), high = [0, 1].map((i) => Math.max(...all.map((p) => p[i])) + 1.1 * data.size);
const middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, Math.min(0.5 * data.size, Math.max(...all.map((p) => p[2])) / 2)];
const reach = Math.hypot(high[0] - low[0], high[1] - low[1]);
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name);
function draw() {
  const canvas = $("view"), ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0); ctx.clearRect(0, 0, width, height); ctx.lineJoin = ctx.lineCap = "round"; ctx.font = "12px system-ui, sans-serif";
  const ca = Math.cos(view.azimuth), sa = Math.sin(view.azimuth), ce = Math.cos(view.elevation), se = Math.sin(view.elevation);
  const scale = 0.94 * Math.min(width / reach, height / (reach * se + 2 * data.size * ce));
  const flat = (l) => { const x = l[0] - middle[0], y = l[1] - middle[1], z = l[2] - middle[2]; return [width / 2 + scale * (ca * x - sa * y), height / 2 - scale * (se * (sa * x + ca * y) + ce * z)]; };
  const to = (p) => flat(local(p));
  const trace = (points, close) => { ctx.beginPath(); points.forEach(([x, y], k) => (k ? ctx.lineTo(x, y) : ctx.moveTo(x, y))); if (close) ctx.closePath(); };
  const stroke = (points, name, size, close) => { trace(points, close); ctx.strokeStyle = colour(name); ctx.lineWidth = size; ctx.stroke(); };
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].find((s) => s * scale > 34) || 20;
  for (const axis of [0, 1]) for (let v = Math.ceil(low[axis] / step) * step; v <= high[axis]; v += step) {
    const a = [low[0], low[1], 0], b = [high[0], high[1], 0]; a[axis] = b[axis] = v; stroke([flat(a), flat(b)], "grid", 1);
  }
  const [t, at, q, ecp, impulse, touching, hull] = states[view.at];
  stroke(states.slice(0, view.at + 1).map((s) => to(drop(s[1]))), "muted", 1.2);
  if (hull.length > 1) {
    trace(hull.map(to), true); ctx.fillStyle = "color-mix(in srgb, " + colour("touch") + " 22%, transparent)"; ctx.fill();
    ctx.setLineDash([5, 4]); stroke(hull.map(to), "touch", 1.4, true); ctx.setLineDash([]);
  }
  const place = (p) => to(add(at, rotate(q, p)));
  for (const [a, b] of data.edges) stroke([place(a), place(b)], "body", 1.8);
  for (const ring of data.rings) stroke(ring.map(place), "body", 1.8, true);
  for (const [centre, radius] of data.balls) { const [x, y] = place(centre); ctx.beginPath(); ctx.arc(x, y, radius * scale, 0, 7); ctx.strokeStyle = colour("body"); ctx.lineWidth = 1.8; ctx.stroke(); }
  for (const p of touching) { const [x, y] = to(p); ctx.beginPath(); ctx.arc(x, y, 4, 0, 7); ctx.fillStyle = colour("touch"); ctx.fill(); }
  const [mx, my] = to(drop(at)); stroke([[mx, my], to(at)], "muted", 1);
  ctx.beginPath(); ctx.arc(mx, my, 6, 0, 7); ctx.strokeStyle = colour("ink"); ctx.lineWidth = 1.8; ctx.stroke();
  if (ecp) {
    const [x, y] = to(ecp), push = [0, 1, 2].map((i) => impulse[0] * N[i] + impulse[1] * T[i] + impulse[2] * O[i]);
    const strength = Math.hypot(...push) / data.weight, tip = add(ecp, push, strength ? (0.9 * data.size * Math.min(strength, 2.2)) / (strength * data.weight) : 0), [u, v] = to(tip), turn = Math.atan2(v - y, u - x);
    stroke([[x, y], [u, v]], "push", 2.4);
    if (Math.hypot(u - x, v - y) > 8) stroke([-0.5, 0, 0.5].map((d) => (d ? [u - 9 * Math.cos(turn + d), v - 9 * Math.sin(turn + d)] : [u, v])), "push", 2.4);
    for (const d of [1, -1]) stroke([[x - 6, y - 6 * d], [x + 6, y + 6 * d]], "point", 2.6);
  }
  ctx.fillStyle = colour("muted"); ctx.fillText("grid " + step + " m", 10, height - 10);
}
const names = ["nothing touches", "one point touches"], mm = (v) => (1000 * v).toFixed(0);
function show(speak = true) {
  const [t, at, q, ecp, impulse, touching, hull] = states[view.at], foot = drop(at);
  const text = "t = " + t.toFixed(3) + " s: " + (names[touching.length] || touching.length + " points touch") + ", centre of mass " + mm(dot(at, N) - data.offset) + " mm high\\n"
    + (ecp ? "ECP " + mm(Math.hypot(...add(ecp, foot, -1))) + " mm from the centre's projection, impulse " + (impulse[0] / data.weight).toFixed(2) + " of the weight's" : "no contact");
  $("readout").textContent = text; $("time").value = view.at;
  $("time").setAttribute("aria-valuetext", t.toFixed(3) + " seconds");
  if (speak) $("live").textContent = text;
  draw();
}
let start = 0, from = 0;
function frame(now) {
  if (!view.playing) return;
  const goal = from + ((now - start) / 1000) * Number($("speed").value);
  while (view.at < count - 1 && states[view.at + 1][0] <= goal) view.at++;
  show(false);
  if (view.at >= count - 1) stop(); else requestAnimationFrame(frame);
}
function stop() { view.playing = false; $("play").textContent = "Play"; }
function toggle() {
  if (view.playing) { stop(); return show(); }
  if (view.at >= count - 1) view.at = 0;
  view.playing = true; start = performance.now(); from = states[view.at][0]; $("play").textContent = "Pause"; requestAnimationFrame(frame);
}
function go(k) { stop(); view.at = Math.min(Math.max(k, 0), count - 1); show(); }
function look(azimuth, elevation) { view.azimuth = azimuth; view.elevation = Math.min(Math.max(elevation, 0.03), Math.PI / 2); $("above").setAttribute("aria-pressed", String(view.elevation > 1.57)); draw(); }
function above() { if (view.elevation > 1.57) look(-0.9, 0.42); else look(0, Math.PI / 2); }
$("time").max = count - 1;
$("time").addEventListener("input", () => go(Number($("time").value)));
$("play").addEventListener("click", toggle);
$("above").addEventListener("click", above);
$("speed").addEventListener("change", () => { start = performance.now(); from = states[view.at][0]; });
let held = null;
$("view").addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY, view.azimuth, view.elevation]; $("view").setPointerCapture(e.pointerId); });
$("view").addEventListener("pointermove", (e) => { if (held) look(held[2] + (e.clientX - held[0]) / 150, held[3] + (e.clientY - held[1]) / 150); });
for (const name of ["pointerup", "pointercancel"]) $("view").addEventListener(name, () => { held = null; });
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("select")) return;
  if (e.key === " " && e.target.closest("button")) return;
  const ranged = e.target === $("time"), acts = {
    " ": toggle, ArrowLeft: () => go(view.at - 1), ArrowRight: () => go(view.at + 1), Home: () => go(0), End: () => go(count - 1), t: above,
    a: () => look(view.azimuth - 0.1, view.elevation), d: () => look(view.azimuth + 0.1, view.elevation), w: () => look(view.azimuth, view.elevation + 0.1), s: () => look(view.azimuth, view.elevation - 0.1),
  };
  if (!(e.key in acts) || (ranged && e.key !== " " && !/^[tadws]$/.test(e.key))) return;
  e.preventDefault(); acts[e.key]();
});
window.addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
try { new MutationObserver(() => { const theme = parent.document.documentElement.dataset.theme; if (theme) { document.documentElement.dataset.theme = theme; draw(); } }).observe(parent.document.documentElement, { attributes: true, attributeFilter: ["data-theme"] }); const theme = parent !== window && parent.document.documentElement.dataset.theme; if (theme) document.documentElement.dataset.theme = theme; } catch (refused) { /* a page from file:// may not look at its parent: the system's colours hold */ }
view.at = Math.round(0.3 * (count - 1));
show(false);
</script>
</body>
</html>
"""
