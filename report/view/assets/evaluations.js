// The evaluations of a run: filters, a chart with every evaluation as a point, the tree of all
// programs, and a table.
"use strict";

function evaluations(run) {
  const { r, d, filter } = run, found = el("p", { "aria-live": "polite" }), shown = el("div");
  function draw() {
    run.matches = matching(run);
    found.textContent = run.matches.length < d.programs.length || filter.text
      ? `${run.matches.length} of ${d.programs.length} evaluations` : "";
    redraw(shown, () => shown.replaceChildren(points(run), tree(run),
      fold("evaluations", "All evaluations in a table", () => evaluationTable(run),
        !!filter.text)));
    if (shown.isConnected) sweep();
  }
  const set = (key) => (e) => { filter[key] = e.target.value; draw(); };
  const choice = (label, key, values) => el("label", {}, label,
    el("select", { id: "by-" + key, onchange: set(key) },
    el("option", { value: "" }, "all"),
      values.map(([value, text]) => el("option", { value, selected: filter[key] === String(value) },
        text))));
  const kinds = faultKinds(d), generations = [...new Set(run.generations.values())];
  draw();
  return el("section", {}, el("h2", {}, "Evaluations"),
    el("form", { class: "controls", "aria-label": "Filter", onsubmit: (e) => e.preventDefault() },
      choice("Operator", "operator", [...run.looks.keys()].sort().map((x) => [x, x])),
      choice("Fault", "fault", [["-", "none"], ["+", "any"], ...kinds.map((x) => [x, x])]),
      generations.length ? choice("Generation", "generation", generations.map((x) => [x, x])) : "",
      el("label", {}, "Search",
        el("input", { type: "search", id: "search", value: filter.text ?? "",
          oninput: set("text") })),
      choice("In", "where", ["code", "idea", "prompts", "replies"].map((x) => [x, x]))),
    found, shown,
    el("form", { class: "controls", onsubmit: (e) => {
      e.preventDefault();
      location.hash = `#/run/${r.id}/${e.target.elements.at.value}`;
    } }, el("label", {}, "Evaluation",
      el("input", { name: "at", type: "number", min: 1, max: r.evaluations, required: true,
        id: "at" })),
    el("button", {}, "Open"), el("span", {}, "or click a point; ← and → show its neighbours")));
}

const faultKinds = (d) =>
  [...new Set(d.programs.filter((p) => p.fault).map((p) => p.fault.kind))].sort();

// matching returns the programs that the filters select.
function matching(run) {
  const { operator, fault, generation, text } = run.filter;
  const failed = (p) => (fault === "-" ? !p.fault : fault === "+" ? p.fault
    : p.fault?.kind === fault);
  return run.d.programs.filter((p) => (!operator || operatorOf(p) === operator) &&
    (!fault || failed(p)) &&
    (!generation || run.generations.get(p.evaluation) === Number(generation)) &&
      (!text || place(run, p)));
}

// place returns the first match of the search text, with the text around it, in a program, its
// idea, or the prompts and replies of its step.
function place(run, p) {
  const wanted = run.filter.text.toLowerCase(), { where } = run.filter;
  const exchanges = run.steps.get(p.step)?.exchanges || [];
  const texts = { code: [p.source], idea: [p.idea],
    prompts: exchanges.flatMap((x) => [x.system, ...(x.user || []).map((part) => part.text)]),
    replies: exchanges.map((x) => x.reply.text) };
  for (const [name, parts] of Object.entries(texts)) for (const text of parts) {
    const at = text && (!where || where === name) ? text.toLowerCase().indexOf(wanted) : -1;
    if (at >= 0) return `${name}: …${text.slice(Math.max(0, at - 40), at + wanted.length + 40)}…`;
  }
}

// evaluationTable shows the data of the charts as a table.
function evaluationTable(run) {
  const to = (e) => link(`#/run/${run.r.id}/${e}`, String(e));
  return table(counted(run.matches.length, "evaluation"), [
    { title: "No.", num: true, value: (p) => p.evaluation, show: (p) => to(p.evaluation) },
    { title: "Operator", value: operatorOf, show: (p) => [swatch(run.looks.get(operatorOf(p))),
      operatorOf(p)] },
    ...(run.generations.size
      ? [{ title: "Generation", num: true, value: (p) => run.generations.get(p.evaluation) }] : []),
    { title: "Parents", value: (p) => p.parents?.[0],
      show: (p) => (p.parents || []).flatMap((e, i) => [i ? ", " : "", to(e)]) },
    { title: "Value", num: true, value: (p) => p.value ?? undefined,
      show: (p) => number(p.value, run.info.digits + 2) },
    { title: "Fault", value: (p) => p.fault?.kind || "" },
    { title: "Best so far", value: (p) => (p.best ? 1 : 0), show: (p) => (p.best ? "yes" : "") },
    { title: "Seconds", num: true, value: (p) => p.seconds, show: (p) => number(p.seconds, 3) },
    { title: "Tokens", num: true, value: (p) => p.tokens },
    ...(run.filter.text ? [{ title: "Found", wide: true, value: (p) => place(run, p) }] : []),
    { title: "Idea", wide: true, value: (p) => p.idea || "", show: (p) => (p.idea || "").slice(0,
      200) },
  ], run.matches, { order: run.order ??= {}, mark: (p) => p.evaluation === run.r.best_at &&
    "winner" });
}

function points(run) {
  const { d, r, info, matches } = run, [low, high] = bounds(run), kinds = faultKinds(d);
  const clamp = (v) => Math.min(high, Math.max(low, v)),
    format = (v) => coarse(v, info);
  let best = null;
  const line = [];
  for (const p of d.programs) {
    if (p.best) best = p.value;
    if (best !== null && (p.best || p === d.programs.at(-1))) line.push([p.evaluation, best]);
  }
  // Faults are in a separate strip below, with a line for each kind.
  const strip = 15 * Math.max(1, kinds.length),
    left = gutter([...kinds, ...[low, high].map(format)]);
  const evaluation = { type: "value", min: 0, max: r.budget || undefined };
  return chart(
    "Every evaluation: its value, in the colour and mark of its operator; the best so far as a " +
    "line; faults below", {
      legend: { data: [...run.looks.keys(), "best so far"] },
      grid: [{ left, right: 24, top: 52, bottom: strip + 90 },
        { left, right: 24, height: strip, bottom: 62 }],
      xAxis: [{ ...evaluation, gridIndex: 0 }, { ...evaluation, gridIndex: 1, name: "evaluation",
        nameLocation: "middle", nameGap: 22 }],
      yAxis: [{ type: "value", name: info.unit, min: low, max: high, gridIndex: 0,
        axisLabel: { showMinLabel: false, showMaxLabel: false, formatter: format } },
      { type: "category", data: kinds.length ? kinds : ["no fault"], gridIndex: 1,
        axisLabel: { fontSize: 10, interval: 0 } }],
      dataZoom: [{ type: "slider", xAxisIndex: [0, 1], height: 16, bottom: 8, ...run.zoom },
        { type: "inside", xAxisIndex: [0, 1], zoomOnMouseWheel: "ctrl" }],
      tooltip: { formatter: (q) => (shownBy(run, q) ? tip(run, shownBy(run, q)) : "best so far") },
      series: [
        ...byOperator(run, matches.filter((p) => !p.fault), (p) =>
          ({ p, at: [p.evaluation, clamp(p.value)], size: p.best ? 12 : 7,
            opacity: p.best ? 1 : 0.8 })),
        { name: "best so far", type: "line", step: "end", symbol: "none", color: "#777", data: line,
          clip: true,
          markLine: dashed(run.t.references(r.task), info.digits) },
        ...byOperator(run, matches.filter((p) => p.fault), (p) =>
          ({ p, at: [p.evaluation, kinds.indexOf(p.fault.kind)], size: 8 }))
          .map((x) => ({ ...x, xAxisIndex: 1, yAxisIndex: 1 })),
      ],
    }, {
      click: (q) => { const p = shownBy(run, q);
        if (p) location.hash = `#/run/${r.id}/${p.evaluation}`; },
      datazoom: (e) => { const { start, end } = e.batch?.[0] ?? e; run.zoom = { start, end }; },
    }, "tall");
}
