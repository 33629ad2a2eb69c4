// The index of all runs: a map of task, method and seed, curves, and a list to filter.
"use strict";

const rowName = (r) => r.method + (r.variant ? "@" + r.variant : "");

function titles(index) {
  const tasks = new Map(index.tasks.map((t) => [t.name, t]));
  const methods = new Map(index.methods.map((m, i) => [m.name, { ...m, rank: i }]));
  return {
    task: (name) => tasks.get(name) || tasks.get(name.split("@")[0]) || { name, title: name,
      unit: "value", digits: 3,
      minimize: index.runs.some((r) => r.task === name && r.minimize) },
    method: (name) => methods.get(name) || { name, title: name, rank: index.methods.length },
    row(r) {
      const title = this.method(r.method).title;
      return r.variant ? title + ", " + r.variant : title;
    },
    // name also distinguishes runs of different models, packages, time limits and versions.
    name(r) {
      return this.row(r) + (r.models ? " · " + r.models : "") + (r.world ? " · " + r.world : "");
    },
    full(r) { return `${this.name(r)}, seed ${r.seed}`; },
    // references are known training values of a task: of its template and of rows without a search.
    references(task) {
      const { template } = tasks.get(task) || {},
        rows = new Map(template === undefined ? [] : [["template", [template]]]);
      for (const r of index.runs) if (r.task === task && !r.journal && !r.curve &&
        r.best !== null) rows.set(this.row(r), [...(rows.get(this.row(r)) || []), r.best]);
      return [...rows].map(([name, values]) => [name, sum(values) / values.length]);
    },
  };
}

const chosen = { task: "", method: "", text: "", compare: new Set(), order: {} };

// showRuns shows the list of runs, and returns a function that redraws it from a newer index.
function showRuns(index) {
  let runs, t;
  const head = el("div"), controls = el("form", { class: "controls", "aria-label": "Filter",
    onsubmit: (e) => e.preventDefault() });
  const list = el("div"), map = el("div"), curves = el("div");
  function visible() {
    const words = chosen.text.toLowerCase().split(/\s+/).filter(Boolean);
    return runs.filter((r) => (!chosen.task || r.task === chosen.task) &&
      (!chosen.method || rowName(r) === chosen.method) &&
      words.every((w) => (r.dir + " " + r.models + " " + r.state + " " +
        t.row(r)).toLowerCase().includes(w)));
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
  // pair links to the comparison of the two chosen runs.
  function pair() {
    const [a, b, more] = runs.filter((r) => chosen.compare.has(r.id));
    return b && !more ? el("p", {},
      link(`#/compare/${a.id}/${b.id}`, `Compare ${t.full(a)} and ${t.full(b)} side by side`))
      : el("p", {}, "Choose two runs in the list to see them side by side.");
  }
  const choice = (label, key, values) => el("label", {}, label,
    el("select", { id: "by-" + key, onchange: (e) => { chosen[key] = e.target.value; refresh(); } },
      el("option", { value: "" }, "all"),
      values.map(([value, text]) => el("option", { value, selected: chosen[key] === value },
        text))));
  const distinct = (key, text) => [...new Map(runs.map((r) => [key(r), text(r)]))];
  function update(index) {
    ({ runs } = index);
    t = titles(index);
    head.replaceChildren(...[
      index.warnings?.length ? el("div", { class: "banner" },
        fold("warnings", counted(index.warnings.length, "warning"),
          () => index.warnings.map((w) => el("p", {}, w)))) : "",
      runs.some((r) => (r.models || "").startsWith("offline"))
        ? el("p", { class: "banner" },
          "Some of these runs used the embedded offline model, which is not an LLM.") : ""]);
    redraw(controls, () => controls.replaceChildren(
      choice("Task", "task", distinct((r) => r.task, (r) => t.task(r.task).title)),
      choice("Method", "method", distinct(rowName, (r) => t.row(r))), words));
    refresh();
  }
  const words = el("label", {}, "Search",
    el("input", { type: "search", id: "search", value: chosen.text,
    oninput: (e) => { chosen.text = e.target.value; refresh(); } }));
  show("Runs", index.report ? ["runs · ", link(index.report, "tables and figures")] : ["runs"],
    head, controls, el("div", { class: "split" }, map, curves), list);
  update(index);
  return update;
}

function runList(runs, t, compared) {
  const failed = (r) => r.failed || 0;
  const rate = (r) => (r.evaluations ? failed(r) / r.evaluations : undefined);
  return table(counted(runs.length, "run"), [
    { title: "Compare", value: (r) => chosen.compare.has(r.id), show: (r) => !r.curve ? ""
      : el("input", { type: "checkbox",
      "aria-label": "compare " + r.dir, checked: chosen.compare.has(r.id),
      onchange: (e) => { e.target.checked ? chosen.compare.add(r.id) : chosen.compare.delete(r.id);
        compared(); } }) },
    { title: "Task", value: (r) => t.task(r.task).title },
    { title: "Method", value: (r) => t.row(r), show: (r) => r.journal ? link("#/run/" + r.id,
      t.row(r)) : t.row(r) },
    { title: "Models", value: (r) => r.models || "" },
    { title: "Seed", num: true, value: (r) => r.seed },
    { title: "State", value: (r) => r.state },
    { title: "Evaluations", num: true, value: (r) => r.evaluations,
      show: (r) => (r.budget ? r.evaluations + " of " + r.budget : "–") },
    { title: "Best", num: true, value: (r) => r.best ?? undefined,
      show: (r) => number(r.best, t.task(r.task).digits) },
    { title: "Found at", num: true, value: (r) => r.best_at },
    { title: "Faults", num: true, value: rate, show: (r) => share(failed(r), r.evaluations) },
    { title: "Tokens", num: true, value: (r) => r.tokens, show: (r) => short(r.tokens) },
    { title: "USD", num: true, value: (r) => r.usd, show: (r) => money(r.usd) },
  ], runs, { order: chosen.order });
}

// heatMap has a row for each method and a column for each task and seed. Colours are comparable
// only within a task.
function heatMap(runs, t) {
  if (!runs.length) return el("p", {}, "No run.");
  const tasks = [...new Set(runs.map((r) => r.task))].sort(byNumber).map((task) => {
    const own = runs.filter((r) => r.task === task),
      values = own.map((r) => r.best).filter((v) => v !== null);
    return { task, info: t.task(task), seeds: [...new Set(own.map((r) => r.seed))].sort(byNumber),
      low: Math.min(...values), high: Math.max(...values) };
  });
  const rows = [...new Set(runs.map((r) => t.name(r)))];
  const at = new Map(runs.map((r) => [JSON.stringify([t.name(r), r.task, r.seed]), r]));
  const cell = (row, { task, info, low, high }, seed) => {
    const r = at.get(JSON.stringify([row, task, seed]));
    if (!r) return el("td");
    const text = (isOpen(r) ? "… " : "") + number(r.best, info.digits);
    const e = el("td", { class: "num heat", title: describe(r, t) },
      r.journal ? link("#/run/" + r.id, text) : text);
    if (r.best !== null) {
      const x = high > low ? (r.best - low) / (high - low) : 1;
      e.style.backgroundColor = heat(info.minimize && high > low ? 1 - x : x);
    }
    return e;
  };
  return el("section", {}, el("h2", {}, "Tasks, methods, seeds"),
    el("div", { class: "scroll", role: "region", tabindex: "0",
      "aria-label": "best values by method, task and seed" }, el("table", { class: "heat" },
      el("caption", {},
        "Best value of each run, coloured from the worst (pale) to the best (green) of its task"),
      el("thead", {},
        el("tr", {}, el("td"), tasks.map(({ info, seeds }) => el("th",
          { scope: "colgroup", colspan: seeds.length }, info.title))),
        el("tr", {}, el("td"), tasks.map(({ seeds }) =>
          seeds.map((seed) => el("th", { scope: "col", class: "num" }, "seed " + seed))))),
      el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row),
        tasks.map((task) => task.seeds.map((seed) => cell(row, task, seed)))))))));
}

// heat returns a colour for a number from 0, the worst, to 1, the best.
function heat(x) {
  const [from, to, part] = x < 0.5 ? [[253, 232, 215], [230, 159, 0], 2 * x]
    : [[230, 159, 0], [0, 158, 115], 2 * x - 1];
  return `rgb(${from.map((v, i) => Math.round(v + (to[i] - v) * part)).join(" ")})`;
}

function describe(r, t) {
  return [`${t.full(r)} on ${t.task(r.task).title}`, r.state,
    `best ${number(r.best, t.task(r.task).digits)} at ${r.best_at ?? "–"}`,
    `${r.evaluations} of ${r.budget} evaluations, ${share(r.failed || 0, r.evaluations)} faults`,
    `${short(r.tokens)} tokens` + (r.usd === undefined ? "" : `, ${money(r.usd)} USD`)].join("\n");
}

// curvesOf draws the best value so far for each chosen run of one task, or for each method and
// model of the first task.
function curvesOf(runs, t) {
  const task = runs.find((r) => chosen.compare.has(r.id))?.task ?? runs.find((r) => r.curve)?.task;
  if (!task) return el("section");
  const all = runs.filter((r) => r.curve && r.task === task &&
    (!chosen.compare.size || chosen.compare.has(r.id)));
  return all.length ? bestSoFar(all, t, (r) => (chosen.compare.size ? t.full(r) : t.name(r)))
    : el("section");
}

// rowLooks gives each row the colour of its method in the report; other rows of the same method get
// unused colours.
function rowLooks(all, t, name) {
  const free = looks(all.map(name)), used = new Set(all.map((r) => t.method(r.method).color));
  const taken = new Set(), left = palette.filter((color) => !used.has(color));
  return new Map([...new Map(all.map((r) => [name(r), r]))].map(([row, r]) => {
    let { color } = t.method(r.method);
    if (!color || taken.has(color)) color = left.shift() ?? free.get(row).color;
    taken.add(color);
    return [row, { ...free.get(row), color }];
  }));
}

// meanOf returns the mean, the lowest and the highest of the runs' best values so far, at every
// change. As in the report, it begins when all runs have a score, and ends where the first
// unfinished run ends.
function meanOf(runs) {
  const open = runs.filter(isOpen), begin = Math.max(...runs.map((r) => r.curve[0][0])),
    at = runs.map(() => 0);
  const end = open.length ? Math.min(...open.map((r) => r.evaluations))
    : Math.max(...runs.map((r) => r.evaluations));
  const places = [begin, end, ...runs.flatMap((r) => r.curve.map(([x]) => x))].filter((x) =>
    x >= begin && x <= end);
  return [...new Set(places)].sort((a, b) => a - b).map((x) => {
    const values = runs.map((r, i) => {
      while (r.curve[at[i] + 1]?.[0] <= x) at[i]++;
      return r.curve[at[i]][1];
    });
    return { x, mean: sum(values) / values.length, low: Math.min(...values),
      high: Math.max(...values) };
  });
}

// band returns the area from the lowest to the highest value at each point.
function band(points, series) {
  const edge = (key) => points.flatMap((p, i) => [...(i ? [[p.x, points[i - 1][key]]] : []),
    [p.x, p[key]]]);
  const outline = [...edge("low"), ...edge("high").reverse()];
  return { ...series, type: "custom", silent: true, clip: true, data: outline.slice(0, 1),
    renderItem: (_, api) => ({
    type: "polygon", shape: { points: outline.map((p) => api.coord(p)) },
      style: { fill: series.color, opacity: 0.18 } }) };
}

// bestSoFar draws runs of one task. Runs with the same name share one line, their mean, and a band.
function bestSoFar(all, t, name) {
  const rows = rowLooks(all, t, name), info = t.task(all[0].task),
    known = t.references(all[0].task);
  const worst = all.map((r) => r.curve[Math.min(r.curve.length - 1, 3)][1]);
  const best = all.map((r) => r.best);
  const ends = info.minimize ? [Math.min(...best), Math.max(...worst)] : [Math.min(...worst),
    Math.max(...best)];
  const pad = (ends[1] - ends[0]) * 0.05 || 1, [low, high] = [ends[0] - pad, ends[1] + pad];
  const cut = all.filter((r) => r.curve.some(([, v]) => v < low || v > high)).length;
  let means = false;
  const series = [...rows].flatMap(([row, look]) => {
    const own = all.filter((r) => name(r) === row), points = meanOf(own),
      line = { name: row, ...look }, many = own.length > 1;
    means ||= many;
    return [{ ...line, type: "line", step: "end", symbolSize: 7, showSymbol: points.length <= 40,
      clip: true, data: points.map((p) => ({ value: [p.x, p.mean],
      run: many ? `${row}, mean of ${own.length} runs (${number(p.low, info.digits)} to ` +
        `${number(p.high, info.digits)})` : t.full(own[0]) })) },
    ...(many && points.length ? [band(points, line)] : [])];
  });
  series[0].markLine = dashed(known, info.digits);
  const box = chart("Best so far by evaluation, a line for each name in the legend", {
    legend: { data: [...rows.keys()] }, grid: { left: 8, right: 24, top: 52, bottom: 28,
      containLabel: true },
    xAxis: { type: "value", name: "evaluations", nameLocation: "middle", nameGap: 24 },
    yAxis: { type: "value", name: info.unit, scale: true, min: low, max: high,
      axisLabel: { showMinLabel: false, showMaxLabel: false } },
    tooltip: { trigger: "item",
      formatter: (p) => `${p.data.run ?? p.seriesName}\n` +
        `${p.value[1].toFixed(info.digits)} at ${p.value[0]}` },
    series,
  });
  return el("section", {}, el("h2", {}, info.title + ", best so far"), box,
    el("p", {}, [means ? "A line is the mean of its runs, with a band from the lowest to the " +
        "highest. It begins when all runs have a score, and ends where the first unfinished run " +
        "ends." : "",
      known.length
        ? `Dashed: ${known.map(([what, v]) => `${what} ${number(v, info.digits)}`).join(", ")}.`
        : "",
      cut ? `The first values of ${counted(cut, "run")} are outside this range, so that the ` +
        "rest stays legible." : ""].join(" ")));
}
