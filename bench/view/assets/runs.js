// The index of all runs: a map of task, method and seed, curves of chosen runs, and a list to filter.
"use strict";

const rowName = (r) => r.method + (r.variant ? "@" + r.variant : "");

function titles(index) {
  const tasks = new Map(index.tasks.map((t) => [t.name, t]));
  const methods = new Map(index.methods.map((m, i) => [m.name, { ...m, rank: i }]));
  return {
    task: (name) => tasks.get(name) || tasks.get(name.split("@")[0]) || { name, title: name, unit: "value", digits: 3, minimize: false },
    method: (name) => methods.get(name) || { name, title: name, rank: index.methods.length },
    row(r) {
      const title = this.method(r.method).title;
      return r.variant ? title + ", " + r.variant : title;
    },
    // name tells runs of different models apart, too.
    name(r) { return this.row(r) + (r.models ? " · " + r.models : ""); },
    full(r) { return `${this.name(r)}, seed ${r.seed}`; },
  };
}

const chosen = { task: "", method: "", text: "", compare: new Set(), order: {} };

// showRuns shows the list; what it returns draws a newer index into it.
function showRuns(index) {
  let runs, t;
  const head = el("div"), controls = el("form", { class: "controls", "aria-label": "Filter", onsubmit: (e) => e.preventDefault() });
  const list = el("div"), map = el("div"), curves = el("div");
  function visible() {
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    return runs.filter((r) => (!chosen.task || r.task === chosen.task) && (!chosen.method || rowName(r) === chosen.method) &&
      words.every((w) => (r.dir + " " + r.models + " " + r.state + " " + t.row(r)).toLowerCase().includes(w)));
  }
  function refresh() {
    const some = visible();
    redraw(list, () => list.replaceChildren(runList(some, t, drawCurves)));
    map.replaceChildren(heatMap(some, t));
    drawCurves();
  }
  function drawCurves() {
    curves.replaceChildren(curvesOf(visible(), t), pair());
    sweep();
  }
  // pair leads to two chosen runs side by side.
  function pair() {
    const [a, b, more] = runs.filter((r) => chosen.compare.has(r.id));
    return b && !more ? el("p", {}, link(`#/compare/${a.id}/${b.id}`, `Compare ${t.full(a)} and ${t.full(b)} side by side`))
      : el("p", {}, "Choose two runs in the list to see them side by side.");
  }
  const choice = (label, key, values) => el("label", {}, label,
    el("select", { id: "by-" + key, onchange: (e) => { chosen[key] = e.target.value; refresh(); } },
      el("option", { value: "" }, "all"),
      values.map(([value, text]) => el("option", { value, selected: chosen[key] === value }, text))));
  const distinct = (key, text) => [...new Map(runs.map((r) => [key(r), text(r)]))];
  function update(index) {
    ({ runs } = index);
    t = titles(index);
    head.replaceChildren(...[
      index.warnings?.length ? el("div", { class: "banner" }, fold("warnings", index.warnings.length + " warnings", () => index.warnings.map((w) => el("p", {}, w)))) : "",
      runs.some((r) => (r.models || "").startsWith("offline"))
        ? el("p", { class: "banner" }, "Some of these runs asked the embedded offline model, which is not an LLM.") : ""]);
    redraw(controls, () => controls.replaceChildren(
      choice("Task", "task", distinct((r) => r.task, (r) => t.task(r.task).title)),
      choice("Method", "method", distinct(rowName, (r) => t.row(r))), words));
    refresh();
  }
  const words = el("label", {}, "Search", el("input", { type: "search", id: "search", value: chosen.text,
    oninput: (e) => { chosen.text = e.target.value; refresh(); } }));
  show("Runs", index.report ? ["runs · ", link(index.report, "tables and figures")] : ["runs"], head, controls, el("div", { class: "split" }, map, curves), list);
  update(index);
  return update;
}

function runList(runs, t, compared) {
  const rate = (r) => (r.evaluations ? sum(r.faults) / r.evaluations : undefined);
  return table(`${runs.length} runs`, [
    { title: "Compare", value: (r) => chosen.compare.has(r.id), show: (r) => !r.curve ? "" : el("input", { type: "checkbox",
      "aria-label": "compare " + r.dir, checked: chosen.compare.has(r.id),
      onchange: (e) => { e.target.checked ? chosen.compare.add(r.id) : chosen.compare.delete(r.id); compared(); } }) },
    { title: "Task", value: (r) => t.task(r.task).title },
    { title: "Method", value: (r) => t.row(r), show: (r) => r.journal ? link("#/run/" + r.id, t.row(r)) : t.row(r) },
    { title: "Models", value: (r) => r.models || "" },
    { title: "Seed", num: true, value: (r) => r.seed },
    { title: "State", value: (r) => r.state },
    { title: "Evaluations", num: true, value: (r) => r.evaluations, show: (r) => (r.budget ? r.evaluations + " of " + r.budget : "–") },
    { title: "Best", num: true, value: (r) => r.best ?? undefined, show: (r) => number(r.best, t.task(r.task).digits) },
    { title: "Found at", num: true, value: (r) => r.best_at },
    { title: "Faults", num: true, value: rate, show: (r) => share(sum(r.faults), r.evaluations) },
    { title: "Tokens", num: true, value: (r) => r.tokens, show: (r) => short(r.tokens) },
    { title: "USD", num: true, value: (r) => r.usd, show: (r) => number(r.usd, 2) },
  ], runs, { order: chosen.order });
}

// heatMap has a row for each method and a column for each task and seed. Colour compares within a task.
function heatMap(runs, t) {
  if (!runs.length) return el("p", {}, "No run.");
  const columns = [...new Set(runs.map((r) => r.task + " " + r.seed))].sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const rows = [...new Set(runs.map((r) => t.name(r)))].reverse();
  const range = {};
  for (const r of runs) if (r.best !== null) {
    const g = (range[r.task] ??= [Infinity, -Infinity]);
    g[0] = Math.min(g[0], r.best);
    g[1] = Math.max(g[1], r.best);
  }
  const goodness = (r) => {
    if (r.best === null) return 0;
    const [low, high] = range[r.task], x = high > low ? (r.best - low) / (high - low) : 1;
    return t.task(r.task).minimize && high > low ? 1 - x : x;
  };
  const data = runs.map((r) => ({ value: [columns.indexOf(r.task + " " + r.seed),
    rows.indexOf(t.name(r)), goodness(r)], run: r }));
  const box = chart("Map of runs: methods in rows, tasks and seeds in columns, coloured from the worst to the best of a task", {
    grid: { left: 8, right: 8, top: 8, bottom: 8, containLabel: true },
    xAxis: { type: "category", data: columns.map((c) => t.task(c.split(" ")[0]).title + "\nseed " + c.split(" ")[1]), axisLabel: { interval: 0, fontSize: 11, lineHeight: 15, hideOverlap: true } },
    yAxis: { type: "category", data: rows, axisLabel: { interval: 0, fontSize: 11 } },
    visualMap: { show: false, min: 0, max: 1, inRange: { color: ["#fde8d7", "#e69f00", "#009e73"] } },
    tooltip: { formatter: (p) => describe(p.data.run, t) },
    series: [{ type: "heatmap", data, label: { show: data.length <= 120, color: "#000",
      formatter: (p) => (p.data.run.state === "unfinished" ? "… " : "") + number(p.data.run.best, t.task(p.data.run.task).digits) } }],
  }, { click: (p) => { if (p.data.run.journal) location.hash = "#/run/" + p.data.run.id; } });
  return el("section", {}, el("h2", {}, "Tasks, methods, seeds"), box);
}

function describe(r, t) {
  return [`${t.full(r)} on ${t.task(r.task).title}`, r.state,
    `best ${number(r.best, t.task(r.task).digits)} at ${r.best_at ?? "–"}`,
    `${r.evaluations} of ${r.budget} evaluations, ${share(sum(r.faults), r.evaluations)} faults`,
    `${short(r.tokens)} tokens` + (r.usd === undefined ? "" : `, ${r.usd.toFixed(2)} USD`)].join("\n");
}

// curvesOf draws the best so far of the chosen runs, each as a line of its own, or of all runs of the
// first task, a line with gaps for each method and model: hundreds of lines would take long.
function curvesOf(runs, t) {
  const task = runs.find((r) => chosen.compare.has(r.id))?.task ?? runs.find((r) => r.curve)?.task;
  if (!task) return el("section");
  const all = runs.filter((r) => r.curve && r.task === task && (!chosen.compare.size || chosen.compare.has(r.id)));
  return all.length ? bestSoFar(all, t, (r) => (chosen.compare.size ? t.full(r) : t.name(r))) : el("section");
}

// bestSoFar draws runs of one task; those of one name are one line.
function bestSoFar(all, t, name) {
  const rows = looks(all.map(name)), info = t.task(all[0].task);
  const worst = all.map((r) => r.curve[Math.min(r.curve.length - 1, 3)][1]);
  const best = all.map((r) => r.best);
  const ends = info.minimize ? [Math.min(...best), Math.max(...worst)] : [Math.min(...worst), Math.max(...best)];
  const pad = (ends[1] - ends[0]) * 0.05 || 1;
  const box = chart("Best so far by evaluation, a line for each run", {
    legend: { data: [...rows.keys()] }, grid: { left: 8, right: 24, top: 52, bottom: 28, containLabel: true },
    xAxis: { type: "value", name: "evaluations", nameLocation: "middle", nameGap: 24 },
    yAxis: { type: "value", name: info.unit, scale: true, min: ends[0] - pad, max: ends[1] + pad,
      axisLabel: { showMinLabel: false, showMaxLabel: false, formatter: (v) => v.toFixed(info.digits - 1) } },
    tooltip: { trigger: "item", formatter: (p) => `${p.data.run ?? p.seriesName}\n${p.value[1].toFixed(info.digits)} at ${p.value[0]}` },
    series: [...rows].map(([row, look]) => ({
      name: row, type: "line", step: "end", symbolSize: 7, ...look, showSymbol: all.length <= 40, clip: true,
      data: all.filter((r) => name(r) === row).flatMap((r) => [
        ...[...r.curve, [r.evaluations, r.best]].map((value) => ({ value, run: t.full(r) })), { value: [NaN, NaN] }]),
    })),
  });
  return el("section", {}, el("h2", {}, info.title + ", best so far"), box);
}
