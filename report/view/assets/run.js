// The page of one run: its evaluations, the success of its operators, and the notes of its method.
"use strict";

// readRun adds to a run's data the maps that the pages need.
function readRun(index, r, d) {
  const t = titles(index), programs = new Map(d.programs.map((p) => [p.evaluation, p]));
  // Steps are in the order of the journal, which can differ from the order of their numbers.
  const steps = new Map(d.steps.map((s) => [s.step, s]));
  return { index, r, d, t, info: t.task(r.task), programs, steps,
    line: new Set(ancestors(programs, r.best_at)),
    looks: looks(d.programs.map(operatorOf)), generations: generations(d) };
}

const operatorOf = (p) => p.operator || "?";

// generations returns the generation of each program, if the method notes the end of each
// generation.
function generations(d) {
  const ends = d.remarks.map((m) =>
    ({ after: m.after, number: { generation: m.value?.number,
      population: m.value?.generation }[m.kind] }))
    .filter((x) => Number.isInteger(x.number));
  let i = 0;
  return new Map(d.programs.flatMap((p) => {
    while (i < ends.length && ends[i].after < p.evaluation) i++;
    return ends.length ? [[p.evaluation, ends[i]?.number ?? ends.at(-1).number + 1]] : [];
  }));
}

// dot returns the style of a program in all charts: the colour and mark of its operator, hollow if
// it failed, or with a green ring if it is the best program or an ancestor of it.
function dot(run, p, opacity = 1) {
  const { color, symbol } = run.looks.get(operatorOf(p));
  const ring = p.fault ? { color: "transparent", borderColor: color, borderWidth: 1.5 }
    : run.line.has(p.evaluation) ? { color, borderColor: winner, borderWidth: 2 } : { color };
  return { symbol, itemStyle: { ...ring, opacity } };
}

// shownBy returns the program of a point, if there is one.
const shownBy = (run, point) => run.programs.get(point.data?.[2]);

// edge returns the style of a line from a parent to a child.
const edge = (winning) => (winning ? { color: winner, width: 2.5, opacity: 1 }
  : { color: "#999", width: 1 });

// byOperator makes series of programs, which a legend names by operator. place returns a program
// and its point, and size, opacity and label if they differ from the defaults. ECharts draws many
// points fast if they are plain numbers and all points of a series look the same.
function byOperator(run, items, place) {
  const series = new Map([...run.looks].map(([name, look]) =>
    [name, { name, type: "scatter", ...look, data: [] }]));
  for (const item of items) {
    const { p, at, size = 7, opacity = 1, label = false } = place(item), name = operatorOf(p);
    const winning = run.line.has(p.evaluation);
    const key = [!!p.fault, winning, size, opacity, label, name].join();
    if (!series.has(key)) {
      series.set(key, { ...series.get(name), ...dot(run, p, opacity), symbolSize: size,
        z: winning ? 3 : 2, large: true, largeThreshold: 500, data: [],
        label: { show: label, formatter: (q) => String(q.data[2]), position: "bottom",
          fontSize: 10 } });
    }
    series.get(key).data.push([...at, p.evaluation]);
  }
  return [...series.values()];
}

function showRun(index, r, d, evaluation) {
  const run = { panel: el("div", { id: "program" }), filter: {} };
  const head = el("div"), rest = el("div");
  // update draws a newer state of the run, except the open program.
  run.update = (index, r, d) => {
    Object.assign(run, readRun(index, r, d));
    redraw(head, () => head.replaceChildren(...above(run).filter(Boolean)));
    redraw(rest, () => rest.replaceChildren(...below(run).flat(Infinity).filter(Boolean)));
    sweep();
  };
  const name = titles(index).row(r) + " on " + titles(index).task(r.task).title + ", seed " +
    r.seed;
  show(name, [link("#/", "runs"), " › ", link("#/run/" + r.id, name)],
    el("h2", { class: "title" }, name), head, run.panel, rest);
  run.update(index, r, d);
  document.onkeydown = (e) => {
    if (e.target.closest?.("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target.matches?.("[role=region]") && e.key.startsWith("Arrow")) return; // scrolls
    const step = { j: 1, ArrowRight: 1, k: -1, ArrowLeft: -1 }[e.key];
    const at = run.d.programs.findIndex((p) => p.evaluation === run.shown);
    if (step && run.d.programs[at + step]) {
      // The next key may come before the page has changed.
      run.shown = run.d.programs[at + step].evaluation;
      location.hash = `#/run/${r.id}/${run.shown}`;
      e.preventDefault();
    }
  };
  openProgram(run, evaluation);
  return run;
}

function above(run) {
  const { r } = run;
  return [
    r.warnings?.length ? el("div", { class: "banner" }, r.warnings.map((w) => el("p", {}, w)))
      : null,
    best(run),
    facts([["Directory", r.dir], ["Models", r.models], ...progress(run)]),
    fold("settings", "Settings", () => facts(settings(run))),
    evaluations(run)];
}

// settings lists the settings of a run.
function settings(run) {
  const { header: h } = run.d, text = (v) => (typeof v === "string" ? v : JSON.stringify(v));
  return [["Task", run.info.title], ["Version of the task", h.version],
    ["Method", run.t.row(run.r)], ["Models", run.r.models],
    ["Seed", run.r.seed], ["Budget", h.budget], ["Limit on requests", h.requests],
      ["Factor on time limits", h.time_scale],
    ["Packages", h.lock], ["Python", h.python], ["NumPy", h.numpy], ["SciPy", h.scipy],
      ["Paired with", h.paired_variant],
    ...Object.entries(h.config || {}).map(([name, value]) => [name, text(value)])];
}

// best shows the best program of a run with its values and a button that downloads it.
function best(run) {
  const { info } = run, p = run.programs.get(run.r.best_at);
  if (!p) return el("p", {}, "No program has a score.");
  return el("section", {}, el("h2", {}, "Best program"),
    facts([["Unit", info.unit], ["Better", { true: "lower", false: "higher" }[info.minimize]],
      ...values(run)]),
    p.source ? [el("p", {}, el("button",
      { type: "button", onclick: () => download("best.py", p.source) }, "Download best.py")),
      fold("best", "Program", () => explained(run, p))] : el("p", {}, p.policy));
}

// values lists the training value and the test values of a run's best program.
function values({ r, info }) {
  return [["Training", r.best_at ? [number(r.best, info.digits + 2), ", ",
    link(`#/run/${r.id}/${r.best_at}`, "evaluation " + r.best_at)] : "none"],
    ...Object.entries(r.tests || {}).sort(([a], [b]) => byNumber(a, b)).map(([split, v]) => [split,
      number(v, info.digits)])];
}

// progress lists the state of a run, and the resources that it has used.
function progress({ r }) {
  return [["State", r.state],
    ["Evaluations", `${r.evaluations} of ${r.budget}`], ["Requests", r.requests],
      ["Tokens", r.tokens.toLocaleString("en")],
    ["USD", r.usd === undefined ? "" : money(r.usd)],
    ["Faults", Object.entries(r.faults || {}).map(([k, v]) => `${k} ${v}`).join(", ")]];
}

function below(run) {
  return [
    el("div", { class: "split" }, overTime(run), el("section", {}, el("h2", {}, "Operators"),
      operators(run))),
    notes(run),
    el("section", {}, el("h2", {}, "Before and after the best program"), why(run))];
}

// ancestors lists a program and then all programs from which it descends.
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

// bounds returns the range of an axis of values: from the best value to the worst value of the best
// nine tenths of the programs, so that a few bad programs do not flatten the rest. Values outside
// the range are drawn at its edge.
function bounds(run) {
  const values = run.d.programs.filter((p) => p.value !== null).map((p) => p.value).sort((a, b) =>
    a - b);
  if (!values.length) return [0, 1];
  const at = (q) => values[Math.min(values.length - 1, Math.floor(q * values.length))];
  const [low, high] = run.info.minimize ? [values[0], at(0.9)]
    : [at(0.1), values[values.length - 1]];
  const pad = (high - low) * 0.06 || Math.abs(high) * 0.01 || 1;
  return [low - pad, high + pad];
}

function tip(run, p) {
  return [`evaluation ${p.evaluation}: ${operatorOf(p)}` +
    (p.parents ? " of " + p.parents.join(", ") : ""),
    p.fault ? `${p.fault.kind}: ${p.fault.detail || ""}`.slice(0, 90)
      : number(p.value, run.info.digits + 2),
    (p.idea || "").slice(0, 90)].filter(Boolean).join("\n");
}

// better reports whether a program scored above its first parent; undefined if this is unknown.
function better(run, p) {
  const parent = p.parents?.length && run.programs.get(p.parents[0]);
  if (!parent || parent.score === null) return undefined;
  return p.score !== null && p.score > parent.score;
}

// overTime shows each operator's success in windows of a tenth of the run, but of at least ten
// evaluations.
function overTime(run) {
  const width = Math.max(10, Math.ceil(run.r.evaluations / 10));
  const ops = [...new Set(run.d.programs.filter((p) => better(run,
    p) !== undefined).map(operatorOf))].sort();
  if (!ops.length) return el("section");
  const series = ops.map((op) => {
    const counts = new Map();
    for (const p of run.d.programs) {
      const won = better(run, p);
      if (operatorOf(p) !== op || won === undefined) continue;
      const w = Math.floor((p.evaluation - 1) / width), c = counts.get(w) || [0, 0];
      counts.set(w, [c[0] + won, c[1] + 1]);
    }
    return { name: op, type: "line", symbolSize: 8, ...run.looks.get(op),
      data: [...counts].sort((a, b) => a[0] - b[0]).map(([w, [won, n]]) =>
        ({ value: [(w + 0.5) * width, (100 * won) / n], n })) };
  });
  return el("section", {}, el("h2", {}, "Success of operators over time"), chart(
    `Share of children better than their first parent, in windows of ${width} evaluations`, {
      legend: { data: ops }, grid: { left: 8, right: 24, top: 52, bottom: 28, containLabel: true },
      xAxis: { type: "value", max: run.r.budget, name: `evaluation, windows of ${width}`,
        nameLocation: "middle", nameGap: 24 },
      yAxis: { type: "value", name: "better than the first parent, %", min: 0 },
      tooltip: { formatter: (p) => `${p.seriesName}: ${p.value[1].toFixed(0)} % of ${p.data.n}` },
        series,
    }, {}, "low"));
}

function operators(run) {
  const rows = new Map();
  for (const p of run.d.programs) {
    const o = rows.get(operatorOf(p)) || { name: operatorOf(p), n: 0, faults: 0, known: 0,
      better: 0, best: 0, twins: 0 };
    o.n++;
    o.faults += p.fault ? 1 : 0;
    o.twins += p.twin ? 1 : 0;
    o.best += p.best ? 1 : 0;
    const won = better(run, p);
    if (won !== undefined) { o.known++; o.better += won; }
    rows.set(o.name, o);
  }
  return table("Programs by operator", [
    { title: "Operator", value: (o) => o.name, show: (o) => [swatch(run.looks.get(o.name)),
      o.name] },
    { title: "Evaluated", num: true, value: (o) => o.n },
    { title: "Faults", num: true, value: (o) => o.faults / o.n, show: (o) => share(o.faults, o.n) },
    { title: "Repeats", num: true, value: (o) => o.twins },
    { title: "Better than parent", num: true,
      value: (o) => (o.known ? o.better / o.known : undefined),
        show: (o) => share(o.better, o.known) },
    { title: "New best", num: true, value: (o) => o.best },
  ], [...rows.values()], { sort: 0 });
}

function why(run) {
  const w = run.d.why;
  if (!w.best) return el("p", {}, "No program has a score.");
  const rows = [["programs that failed", "faults", "programs"],
    ["programs with the source of an earlier program", "twins", "programs"],
    ["programs with a new source and the score of an earlier program", "alike", "programs"],
      ["programs better than their first parent", "better", "programs"],
    ["proposals without a program", "lost", "steps"], ["trials of EAPs that improved the parent",
      "gains", "trials"]];
  return [el("p", {}, `The best program is evaluation ${w.best} of ${w.evaluations}; `,
    `the best so far changed ${w.improved} times.`),
    table("Up to the best program and after it", [
      { title: "What", value: (x) => x[0] },
      { title: "up to the best", num: true, value: (x) => w.before[x[1]],
        show: (x) => `${w.before[x[1]]} (${share(w.before[x[1]], w.before[x[2]])})` },
      { title: "after it", num: true, value: (x) => w.after[x[1]],
        show: (x) => `${w.after[x[1]]} (${share(w.after[x[1]], w.after[x[2]])})` },
    ], rows)];
}
