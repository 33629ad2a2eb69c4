// The page of one run: every evaluation as a point, what its operators did, and what its method noted.
"use strict";

function showRun(index, r, d, evaluation) {
  const run = { panel: el("div", { id: "program" }) };
  const head = el("div"), rest = el("div");
  // update draws a newer state of the run; an open program stays as it is.
  run.update = (index, r, d) => {
    const t = titles(index), programs = new Map(d.programs.map((p) => [p.evaluation, p]));
    // Steps stand in the order of the journal, which need not be that of their numbers.
    const steps = new Map(d.steps.map((s) => [s.step, s]));
    Object.assign(run, { index, r, d, t, info: t.task(r.task), programs, steps, line: new Set(ancestors(programs, r.best_at)) });
    redraw(head, () => head.replaceChildren(...above(run).filter(Boolean)));
    redraw(rest, () => rest.replaceChildren(...below(run).flat(Infinity).filter(Boolean)));
    sweep();
  };
  const name = titles(index).row(r) + " on " + titles(index).task(r.task).title + ", seed " + r.seed;
  show(name, [link("#/", "runs"), " › ", link("#/run/" + r.id, name)], el("h2", { class: "title" }, name), head, run.panel, rest);
  run.update(index, r, d);
  document.onkeydown = (e) => {
    if (e.target.closest?.("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target.matches?.("[role=region]") && e.key.startsWith("Arrow")) return; // it scrolls
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[e.key];
    const at = run.d.programs.findIndex((p) => p.evaluation === run.shown);
    if (step && run.d.programs[at + step]) {
      run.shown = run.d.programs[at + step].evaluation; // at once: the next key may come before the page
      location.hash = `#/run/${r.id}/${run.shown}`;
      e.preventDefault();
    }
  };
  openProgram(run, evaluation);
  return run;
}

function above(run) {
  const { r, info } = run;
  return [
    r.warnings?.length ? el("div", { class: "banner" }, r.warnings.map((w) => el("p", {}, w))) : null,
    facts([["Directory", r.dir], ["Models", r.models], ["State", r.state === "unfinished" ? "unfinished" : "finished: " + r.state],
      ["Evaluations", `${r.evaluations} of ${r.budget}`], ["Requests", r.requests], ["Tokens", r.tokens.toLocaleString("en")],
      ["USD", r.usd === undefined ? "" : r.usd.toFixed(2)],
      ["Best", r.best_at ? [number(r.best, info.digits + 2), " at ", link(`#/run/${r.id}/${r.best_at}`, "evaluation " + r.best_at)] : "none"],
      ["Tests", Object.entries(r.tests || {}).map(([k, v]) => `${k} ${number(v, info.digits)}`).join(", ")],
      ["Faults", Object.entries(r.faults || {}).map(([k, v]) => `${k} ${v}`).join(", ")]]),
    points(run)];
}

function below(run) {
  return [
    el("div", { class: "split" }, overTime(run), operators(run)),
    notes(run),
    el("section", {}, el("h2", {}, "Why did it stop improving?"), why(run))];
}

// evaluationTable is what the points show, in words.
function evaluationTable(run) {
  const to = (e) => link(`#/run/${run.r.id}/${e}`, String(e));
  return table(`${run.d.programs.length} evaluations`, [
    { title: "No.", num: true, value: (p) => p.evaluation, show: (p) => to(p.evaluation) },
    { title: "Operator", value: (p) => p.operator || "" },
    { title: "Parents", value: (p) => p.parents?.[0], show: (p) => (p.parents || []).flatMap((e, i) => [i ? ", " : "", to(e)]) },
    { title: "Value", num: true, value: (p) => p.value ?? undefined, show: (p) => number(p.value, run.info.digits + 2) },
    { title: "Fault", value: (p) => p.fault?.kind || "" },
    { title: "Best so far", value: (p) => (p.best ? 1 : 0), show: (p) => (p.best ? "yes" : "") },
    { title: "Seconds", num: true, value: (p) => p.seconds, show: (p) => number(p.seconds, 3) },
    { title: "Tokens", num: true, value: (p) => p.tokens },
    { title: "Idea", wide: true, value: (p) => p.idea || "", show: (p) => (p.idea || "").slice(0, 200) },
  ], run.d.programs, { order: run.order ??= {} });
}

// ancestors are all programs that one descends from, itself first.
function ancestors(programs, evaluation) {
  const seen = [], open = [evaluation];
  while (open.length) {
    const e = open.shift();
    if (!programs.has(e) || seen.includes(e)) continue;
    seen.push(e);
    open.push(...(programs.get(e).parents || []));
  }
  return seen;
}

// bounds of an axis of values: from the best to what nine tenths reach, so that a few bad programs do
// not flatten the rest. What lies outside is drawn at the edge.
function bounds(run) {
  const values = run.d.programs.filter((p) => p.value !== null).map((p) => p.value).sort((a, b) => a - b);
  if (!values.length) return [0, 1];
  const at = (q) => values[Math.min(values.length - 1, Math.floor(q * values.length))];
  const [low, high] = run.info.minimize ? [values[0], at(0.9)] : [at(0.1), values[values.length - 1]];
  const pad = (high - low) * 0.06 || Math.abs(high) * 0.01 || 1;
  return [low - pad, high + pad];
}

function points(run) {
  const { d, r, info } = run, [low, high] = bounds(run);
  const clamp = (v) => Math.min(high, Math.max(low, v));
  const ops = [...new Set(d.programs.map((p) => p.operator || "?"))].sort();
  const kinds = [...new Set(d.programs.filter((p) => p.fault).map((p) => p.fault.kind))].sort();
  let best = null;
  const line = [];
  for (const p of d.programs) {
    if (p.best) best = p.value;
    if (best !== null && (p.best || p === d.programs.at(-1))) line.push([p.evaluation, best]);
  }
  const point = (p) => ({ value: [p.evaluation, clamp(p.value)], program: p,
    symbolSize: p.best ? 11 : 6, itemStyle: { opacity: p.best ? 1 : 0.8 } });
  return el("section", {}, el("h2", {}, "Evaluations"), chart(
    "Every evaluation: its value, coloured by operator; the best so far as a line; faults below", {
      legend: { data: [...ops, "best so far"] },
      grid: [{ left: 70, right: 20, top: 52, bottom: 130 }, { left: 70, right: 20, height: 40, bottom: 62 }],
      xAxis: [{ type: "value", min: 0, max: r.budget || undefined, gridIndex: 0 },
        { type: "value", min: 0, max: r.budget || undefined, gridIndex: 1, name: "evaluation", nameLocation: "middle", nameGap: 22 }],
      yAxis: [{ type: "value", name: info.unit, min: low, max: high, gridIndex: 0,
        axisLabel: { showMinLabel: false, showMaxLabel: false, formatter: (v) => v.toFixed(info.digits - 1) } },
      { type: "category", data: kinds.length ? kinds : ["no fault"], gridIndex: 1, axisLabel: { fontSize: 10, interval: 0 } }],
      dataZoom: [{ type: "slider", xAxisIndex: [0, 1], height: 16, bottom: 8, ...run.zoom }, { type: "inside", xAxisIndex: [0, 1], zoomOnMouseWheel: "ctrl" }],
      tooltip: { formatter: (p) => p.data.program ? tip(run, p.data.program) : "best so far" },
      series: [
        ...ops.map((op, i) => ({ name: op, type: "scatter", symbol: symbols[i % symbols.length], color: palette[i % palette.length],
          data: d.programs.filter((p) => !p.fault && (p.operator || "?") === op).map(point) })),
        { name: "best so far", type: "line", step: "end", symbol: "none", color: "#777", data: line, clip: true },
        { name: "faults", type: "scatter", xAxisIndex: 1, yAxisIndex: 1, symbol: "rect", symbolSize: [3, 10], color: "#b3261e",
          data: d.programs.filter((p) => p.fault).map((p) => ({ value: [p.evaluation, p.fault.kind], program: p })) },
      ],
    }, {
      click: (p) => { if (p.data.program) location.hash = `#/run/${r.id}/${p.data.program.evaluation}`; },
      datazoom: (e) => { const { start, end } = e.batch?.[0] ?? e; run.zoom = { start, end }; },
    }),
  el("form", { class: "controls", onsubmit: (e) => {
    e.preventDefault();
    location.hash = `#/run/${r.id}/${e.target.elements.at.value}`;
  } }, el("label", {}, "Evaluation", el("input", { name: "at", type: "number", min: 1, max: r.evaluations, required: true, id: "at" })),
  el("button", {}, "Open"), el("span", {}, "or click a point; ← and → go on from there")),
  fold("evaluations", "All evaluations in a table", () => evaluationTable(run)));
}

function tip(run, p) {
  return [`evaluation ${p.evaluation}: ${p.operator || "?"}` + (p.parents ? " of " + p.parents.join(", ") : ""),
    p.fault ? `${p.fault.kind}: ${p.fault.detail || ""}`.slice(0, 90) : number(p.value, run.info.digits + 2),
    (p.idea || "").slice(0, 90)].filter(Boolean).join("\n");
}

// better tells whether a program scored above its first parent; undefined where that is unknown.
function better(run, p) {
  const parent = p.parents?.length && run.programs.get(p.parents[0]);
  if (!parent || parent.score === null) return undefined;
  return p.score !== null && p.score > parent.score;
}

// overTime shows each operator's success in windows of a tenth of the run.
function overTime(run) {
  const width = Math.max(10, Math.ceil(run.r.evaluations / 10));
  const ops = [...new Set(run.d.programs.filter((p) => better(run, p) !== undefined).map((p) => p.operator))].sort();
  if (!ops.length) return el("section");
  const series = ops.map((op, i) => {
    const counts = new Map();
    for (const p of run.d.programs) {
      const won = better(run, p);
      if (p.operator !== op || won === undefined) continue;
      const w = Math.floor((p.evaluation - 1) / width), c = counts.get(w) || [0, 0];
      counts.set(w, [c[0] + won, c[1] + 1]);
    }
    return { name: op, type: "line", symbol: symbols[i % symbols.length], color: palette[i % palette.length],
      data: [...counts].sort((a, b) => a[0] - b[0]).map(([w, [won, n]]) => ({ value: [(w + 0.5) * width, (100 * won) / n], n })) };
  });
  return el("section", {}, el("h2", {}, "Success of operators over time"), chart(
    `Share of children better than their first parent, in windows of ${width} evaluations`, {
      legend: { data: ops }, grid: { left: 8, right: 16, top: 52, bottom: 28, containLabel: true },
      xAxis: { type: "value", max: run.r.budget, name: `evaluation, windows of ${width}`, nameLocation: "middle", nameGap: 24 },
      yAxis: { type: "value", name: "better than the first parent, %", min: 0 },
      tooltip: { formatter: (p) => `${p.seriesName}: ${p.value[1].toFixed(0)} % of ${p.data.n}` }, series,
    }, {}, true));
}

function operators(run) {
  const rows = new Map();
  for (const p of run.d.programs) {
    const o = rows.get(p.operator) || { name: p.operator || "?", n: 0, faults: 0, known: 0, better: 0, best: 0, twins: 0 };
    o.n++;
    o.faults += p.fault ? 1 : 0;
    o.twins += p.twin ? 1 : 0;
    o.best += p.best ? 1 : 0;
    const won = better(run, p);
    if (won !== undefined) { o.known++; o.better += won; }
    rows.set(p.operator, o);
  }
  return el("section", {}, el("h2", {}, "Operators"), table("What became of their programs", [
    { title: "Operator", value: (o) => o.name },
    { title: "Evaluated", num: true, value: (o) => o.n },
    { title: "Faults", num: true, value: (o) => o.faults / o.n, show: (o) => share(o.faults, o.n) },
    { title: "Repeats", num: true, value: (o) => o.twins },
    { title: "Better than parent", num: true, value: (o) => (o.known ? o.better / o.known : undefined), show: (o) => share(o.better, o.known) },
    { title: "New best", num: true, value: (o) => o.best },
  ], [...rows.values()], { sort: 0 }));
}

function why(run) {
  const w = run.d.why;
  if (!w.best) return el("p", {}, "No program has a score.");
  const rows = [["that failed", "faults", "programs"], ["with the source of an earlier one", "twins", "programs"],
    ["with another source and an earlier one's score", "alike", "programs"], ["better than their first parent", "better", "programs"],
    ["proposals without a program", "lost", "steps"], ["trials of EAPs that improved", "gains", "trials"]];
  return [el("p", {}, `The best program is evaluation ${w.best} of ${w.evaluations}; the best so far changed ${w.improved} times.`),
    table("Programs up to the best one and after it", [
      { title: "Of them", value: (x) => x[0] },
      { title: "up to the best", num: true, value: (x) => w.before[x[1]], show: (x) => `${w.before[x[1]]} (${share(w.before[x[1]], w.before[x[2]])})` },
      { title: "after it", num: true, value: (x) => w.after[x[1]], show: (x) => `${w.after[x[1]]} (${share(w.after[x[1]], w.after[x[2]])})` },
    ], rows)];
}
