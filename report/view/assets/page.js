// Functions for all pages: data, elements, charts. Text from runs becomes text nodes; no string is
// parsed as HTML.
"use strict";

const pacebench = (() => {
  const waiting = new Map(); // name -> {resolve, reject}

  // receive unpacks a value; the scripts in data/ call it.
  async function receive(name, packed) {
    const wanted = waiting.get(name);
    waiting.delete(name);
    const binary = atob(packed), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const value = await new Response(text).json();
    wanted?.resolve(value);
  }

  // load runs the script in data/ with this name, and resolves to its value.
  function load(name) {
    return new Promise((resolve, reject) => {
      waiting.set(name, { resolve, reject });
      const script = document.createElement("script");
      const served = location.protocol !== "file:";
      script.src = "data/" + encodeURIComponent(name) + ".js" + (served ? "?" + Date.now() : "");
      script.onload = () => script.remove();
      script.onerror = () => {
        script.remove();
        waiting.delete(name);
        reject(new Error("cannot load data/" + name + ".js: " +
          (served ? "the server has stopped or reports an error" : "the file is missing")));
      };
      document.head.append(script);
    });
  }

  return { receive, load };
})();

// el makes an element; children that are not elements become text.
function el(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes)) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else e.setAttribute(k, v === true ? "" : v);
  }
  for (const c of children.flat(Infinity)) {
    if (c !== undefined && c !== null && c !== false) e.append(c instanceof Node ? c
      : plain(String(c)));
  }
  return e;
}

// plain writes the codes of characters that would change the direction of text.
const plain = (s) => s.replace(/[\u202a-\u202e\u2066-\u2069]/g,
  (c) => "⟦U+" + c.charCodeAt(0).toString(16).toUpperCase() + "⟧");

// The folds that the reader opened or closed, by key: they stay so on all pages.
const folds = new Map();

// fold makes a part that can be opened. Its content is made when it is first open.
function fold(key, summary, content, open = false) {
  const box = el("details", { open: folds.get(key) ?? open, "data-fold": key },
    el("summary", {}, summary));
  const fill = () => { if (box.open &&
    box.children.length < 2) box.append(...[content()].flat(Infinity).filter(Boolean)); };
  fill();
  // A key on the summary also causes a click. A new element that is open causes a toggle event
  // without the reader, so only clicks count.
  box.firstChild.addEventListener("click", () => folds.set(key, !box.open));
  box.addEventListener("toggle", fill);
  return box;
}

// passage shows a text. It shows only the beginning of a very long text at first, because the
// layout of the whole text takes long.
function passage(text, render = (t) => el("pre", {}, t)) {
  const most = 100000;
  if (text.length <= most) return render(text);
  const box = el("div", {}, render(text.slice(0, most)), el("button", { type: "button",
    onclick: () => box.replaceChildren(render(text)) },
      `Show all ${text.length.toLocaleString("en")} characters`));
  return box;
}

// redraw changes a part of the page and keeps the focus on the element of the same kind and name.
function redraw(box, change) {
  const same = (e) => e.tagName + "|" + (e.id || e.getAttribute("aria-label") || e.textContent);
  const before = box.contains(document.activeElement) ? same(document.activeElement) : undefined;
  change();
  if (before) [...box.querySelectorAll("a, button, input, select, summary, [tabindex]")].find((e) =>
    same(e) === before)?.focus({ preventScroll: true });
}

const link = (href, text) => el("a", { href }, text);
const number = (v, digits) => (v === null || v === undefined ? "–" : v.toFixed(digits));
const share = (a, b) => (b ? Math.round((100 * a) / b) + " %" : "–");
// coarse writes a value at an axis, with one digit less than in tables.
const coarse = (v, info) => v.toFixed(Math.max(0, info.digits - 1));
const sum = (o) => Object.values(o || {}).reduce((a, b) => a + b, 0);
const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
// money writes an amount in USD; a small amount is never written as 0.
const money = (v) => (v === undefined ? "–" : v > 0 && v < 0.005 ? "< 0.01" : v.toFixed(2));
// isOpen reports whether a run has no result yet.
const isOpen = (r) => r.state === "unfinished" || r.state === "running";
const byNumber = (a, b) => String(a).localeCompare(String(b), undefined, { numeric: true });
const short = (n) => (n >= 1e6 ? (n / 1e6).toFixed(1) + "M" : n >= 1e4 ? Math.round(n / 1e3) + "k"
  : String(n));

// facts makes a list of names and values; empty values are left out.
function facts(pairs) {
  return el("dl", { class: "facts" },
    pairs.filter((p) => p[1] !== undefined && p[1] !== "" && p[1] !== null)
      .map(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
}

// table makes a sortable table. A column has a title, a function for the value of a row, and
// optionally one that shows it. options.order keeps the sort order for the next table.
function table(caption, columns, rows, options = {}) {
  const body = el("tbody");
  const heads = columns.map((c, i) => el("th", { scope: "col", class: c.num && "num" },
    el("button", { type: "button", onclick: () => sort(i) }, c.title)));
  const order = options.order ?? {};
  let at = order.at ?? options.sort ?? -1, down = order.down ?? options.down ?? false;
  function fill() {
    const sorted = [...rows];
    if (at >= 0) {
      const value = columns[at].value;
      sorted.sort((a, b) => {
        const x = value(a), y = value(b);
        const missing = (v) => v === undefined || v === null || v === "";
        if (missing(x) || missing(y)) return missing(x) - missing(y); // missing values last
        return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
      });
    }
    heads.forEach((h, i) => i === at
      ? h.setAttribute("aria-sort", down ? "descending" : "ascending")
        : h.removeAttribute("aria-sort"));
    body.replaceChildren(...sorted.map((r) => el("tr", { class: options.mark?.(r) },
      columns.map((c) => el("td", { class: c.num ? "num" : c.wide ? "wide" : undefined },
        c.show ? c.show(r) : c.value(r) ?? "–")))));
  }
  function sort(i) {
    down = i === at ? !down : false;
    at = i;
    Object.assign(order, { at, down });
    fill();
  }
  fill();
  return el("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
    el("table", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, heads)), body));
}

// Colours that are distinct for every kind of colour vision, most of them by Okabe and Ito. Their
// green is for winners.
const palette = ["#0072b2", "#d55e00", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"],
  winner = "#009e73";
const marks = ["circle", "triangle", "diamond", "rect", "pin", "arrow"];

// looks gives each name a colour and a mark. The pairs repeat after 42 names.
const looks = (names) => new Map([...new Set(names)].map((name, i) =>
  [name, { color: palette[i % palette.length], symbol: marks[i % 6] }]));

// swatch shows a mark in its colour, to put next to a name.
function swatch({ color, symbol }) {
  const mark = el("span", { class: "swatch " + symbol, "aria-hidden": "true" });
  mark.style.backgroundColor = color;
  return mark;
}

// gutter is the space for the labels of an axis, in pixels, so that no label is cut off.
const gutter = (labels) => 16 + 7 * Math.max(0, ...labels.map((x) => x.length));

// legendLines is the number of lines that the names of a legend take.
function legendLines(names, width) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = "12px system-ui, sans-serif";
  let lines = 1, at = 0;
  for (const name of names) {
    const wide = pen.measureText(name).width + 34; // with its mark and the gaps
    if (at && at + wide > width) { lines++; at = 0; }
    at += wide;
  }
  return lines;
}

// dashed draws known values of a task as dashed lines across a chart.
const dashed = (known, digits) =>
  ({ data: known.map(([name, yAxis]) => ({ name: `${name} ${number(yAxis, digits)}`, yAxis })) });

// download saves a text as a file. The page has no link to the text, which may be hostile.
function download(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  el("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000); // the browser reads it after the click
}

// The charts of the page, which are disposed of with it.
let charts = [];

// chart draws with ECharts. label describes the chart in words. The data of a chart are also in a
// table or list next to it.
function chart(label, option, events = {}, size = "") {
  const box = el("div", { class: "chart " + size, role: "img", "aria-label": label });
  const watch = new ResizeObserver(() => c?.resize());
  let c;
  function draw() {
    c?.dispose();
    c = echarts.init(box, null, { renderer: "canvas" });
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--ink"), soft = style.getPropertyValue("--soft"),
      line = style.getPropertyValue("--line");
    const themed = (axes) => axes &&
      [axes].flat().map((a) => ({ splitLine: { lineStyle: { color: line } },
        axisLine: { lineStyle: { color: line } },
      ...a, nameTextStyle: { color: soft, align: a.nameLocation ? "center" : "left" },
        axisLabel: { color: soft, ...a.axisLabel } }));
    const lines = option.legend ? legendLines(option.legend.data, box.clientWidth) : 1;
    const roomy = option.legend && lines <= 3; // shows all names; otherwise they scroll
    const grid = [option.grid].flat().map((g, i) => (g && roomy && i === 0
      ? { ...g, top: g.top + 22 * (lines - 1) } : g));
    c.setOption({
      animation: false, color: palette, textStyle: { fontFamily: "system-ui, sans-serif" },
        ...option, ...(option.grid && { grid }),
      tooltip: { renderMode: "richText", confine: true, ...option.tooltip },
      xAxis: themed(option.xAxis), yAxis: themed(option.yAxis),
      series: option.series.map((s) =>
        ({ ...s, ...(s.label && { label: { color: ink, ...s.label } }),
          ...(s.markLine && { markLine: {
        silent: true, symbol: "none", lineStyle: { color: soft },
          label: { color: soft, position: "insideEndTop", formatter: (p) => p.name },
            ...s.markLine } }) })),
      legend: option.legend && { type: roomy ? "plain" : "scroll", top: 0, itemWidth: 16,
        itemHeight: 10, textStyle: { color: ink }, pageTextStyle: { color: ink },
          ...option.legend },
    });
    for (const [name, f] of Object.entries(events)) c.on(name, f);
  }
  const entry = { box, draw, dispose: () => { watch.disconnect(); c?.dispose(); c = undefined; } };
  charts.push(entry);
  if (waiting.push(() => {
    if (!charts.includes(entry)) return;
    draw();
    watch.observe(box);
  }) === 1) queueMicrotask(drawWaiting);
  return box;
}

// drawWaiting draws the waiting charts. If this takes long, the browser shows the page in between.
const waiting = [];
function drawWaiting() {
  for (const end = performance.now() + 100; waiting.length; ) {
    if (performance.now() > end) return void setTimeout(drawWaiting);
    waiting[0]();
    waiting.shift();
  }
}

// Charts get their colours when they are drawn, so they are drawn again when the colour scheme
// changes, and in light colours for printing.
const repaint = () => charts.forEach((c) => c.draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
for (const [event, on] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(event, () => { document.documentElement.classList.toggle("paper", on); repaint();
    });
}

// sweep disposes of the charts that are no longer in the page.
function sweep() {
  const gone = charts.filter((c) => !c.box.isConnected);
  gone.forEach((c) => c.dispose());
  charts = charts.filter((c) => !gone.includes(c));
}

// show replaces the page.
function show(title, where, ...content) {
  document.title = plain(title) + " · pacebench";
  document.getElementById("where").replaceChildren(...where);
  document.getElementById("main").replaceChildren(...content.flat(Infinity).filter(Boolean));
  sweep();
}
