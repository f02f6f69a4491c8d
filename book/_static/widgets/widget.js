/* Shared by the book's widgets: theme, data, numbers, drawing on a sharp canvas, speech, fitting the embedding frame.
 *
 * A widget is one HTML page beside this file. Its numbers lie in data/NAME.js, which says
 *   (window.planarcontactData ||= {})["NAME"] = {...};
 * and are chosen by ?data=NAME. Everything works from file:// as well as from a server; nothing is fetched.
 */
"use strict";
window.Widget = (() => {
  const root = document.documentElement;
  const parameters = new URLSearchParams(location.search);
  const redraws = [];

  function theme() {
    const wanted = parameters.get("theme");
    if (wanted === "dark" || wanted === "light") root.dataset.theme = wanted;
    else try {
      const outer = window.parent !== window && window.parent.document.documentElement;
      if (outer) {
        const copy = () => { const t = outer.dataset.theme; if (t === "dark" || t === "light") root.dataset.theme = t; };
        new MutationObserver(copy).observe(outer, { attributes: true, attributeFilter: ["data-theme"] });
        copy();
      }
    } catch { /* another origin, as every file:// page is: then the system's colours */ }
    new MutationObserver(redraw).observe(root, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  }

  /** Load data/NAME.js, NAME from ?data= or the default; calls back with the data, or says what is wrong. */
  function load(fallback, kind, use) {
    const name = parameters.get("data") || fallback;
    const fail = (why) => { document.querySelector("h1").textContent = why; };
    if (!/^[\w-]+$/.test(name)) return fail("The data's name may hold letters, digits, - and _ only.");
    const script = document.createElement("script");
    script.src = `data/${name}.js`;
    script.onload = () => {
      const data = (window.planarcontactData || {})[name];
      if (!data || data.kind !== kind) return fail(`data/${name}.js does not hold data for this widget.`);
      document.querySelector("h1").textContent = document.title = data.title;
      use(data);
      redraw();
    };
    script.onerror = () => fail(`The data file data/${name}.js is not there.`);
    document.body.append(script);
  }

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const value = new Map([...DIGITS].map((c, k) => [c, k]));
  /** Numbers from the text that planarcontact.contact_states.viewer_code.encode_stream writes, times a unit. */
  function numbers(text, unit) {
    const steps = [];
    for (let k = 0; k < text.length;) {
      const repeat = text[k] === "!";
      if (repeat) k++;
      let n = 0, scale = 1, digit;
      do { digit = value.get(text[k++]); n += (digit & 31) * scale; scale *= 32; } while (digit & 32);
      const number = n % 2 ? -(n - 1) / 2 : n / 2;
      if (repeat) for (let r = number, last = steps[steps.length - 1]; r > 0; r--) steps.push(last);
      else steps.push(number);
    }
    let slope = 0, at = 0;
    return steps.map((s) => { slope += s; at += slope; return at * unit; });
  }

  /** Draw on a canvas whenever its size, the theme or the state changes: draw(context, width, height, colour). */
  function canvas(element, draw) {
    const paint = () => {
      const width = element.clientWidth, height = element.clientHeight, ratio = window.devicePixelRatio || 1;
      if (!width || !height) return;
      if (element.width !== Math.round(width * ratio) || element.height !== Math.round(height * ratio)) {
        element.width = Math.round(width * ratio);
        element.height = Math.round(height * ratio);
      }
      const context = element.getContext("2d"), style = getComputedStyle(root);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      context.font = "12px ui-sans-serif, system-ui, sans-serif";
      draw(context, width, height, (name) => style.getPropertyValue(`--${name}`).trim());
    };
    redraws.push(paint);
    new ResizeObserver(redraw).observe(element);
  }

  let asked = false;
  function redraw() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; redraws.forEach((paint) => paint()); });
  }

  let later;
  function say(text) {
    clearTimeout(later);
    later = setTimeout(() => { document.getElementById("live").textContent = text; }, 300);
  }

  function fit() {
    const main = document.querySelector("main");
    new ResizeObserver(() => requestAnimationFrame(() => {
      try { if (window.frameElement) window.frameElement.style.height = `${Math.ceil(main.getBoundingClientRect().height) + 4}px`; } catch { /* another origin */ }
    })).observe(main);
  }

  theme();
  document.addEventListener("DOMContentLoaded", fit);
  return { load, numbers, canvas, redraw, say, number: (v, digits = 2) => (v.toFixed(digits).replace(/^-(0\.?0*)$/, "$1")).replace("-", "−") };
})();
