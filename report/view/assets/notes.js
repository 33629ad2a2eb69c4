// The notes of methods: a view for each known kind of note, and the text of all other notes.
"use strict";

function notes(run) {
  const kinds = new Map();
  for (const m of run.d.remarks) kinds.set(m.kind, [...(kinds.get(m.kind) || []), m]);
  const out = [];
  if (run.d.eaps?.length) out.push(eapLibrary(run, kinds));
  if (kinds.has("node")) out.push(searchTree(run, kinds.get("node")));
  const reflections = run.d.steps.flatMap((s) =>
    (s.exchanges || []).filter((x) => x.purpose.startsWith("reflection/")).map((x) => ({ s, x })));
  if (reflections.length) out.push(el("section", {}, el("h2", {}, "Reflections"),
    reflections.map(({ s, x }) => fold("reflection" + s.step + x.purpose,
      [`step ${s.step}, ${x.purpose}: `, x.reply.text.slice(0, 100)],
      () => [passage(x.reply.text), ...reflected(run, s)]))));
  if (kinds.has("harmony")) out.push(harmonies(run, kinds.get("harmony")));
  if (kinds.has("population")) out.push(populations(run, "Population", kinds.get("population")));
  if (kinds.has("elite")) out.push(populations(run, "Elite", kinds.get("elite")));
  const rest = [...kinds].filter(([k]) => !["node", "harmony", "population", "elite", "trial",
    "admission"].includes(k));
  if (rest.length) out.push(el("section", {}, el("h2", {}, "Other notes"),
    rest.map(([k, ms]) => fold("notes " + k, `${k} (${ms.length})`,
    () => passage(ms.map((m) => `after ${m.after}: ${JSON.stringify(m.value)}`).join("\n"))))));
  return out;
}

// reflected links to the programs of a step with a reflection.
function reflected(run, s) {
  const made = run.d.programs.filter((p) => p.step === s.step);
  return made.length ? [el("p", {}, "This reflection led to ",
    made.flatMap((p, i) => [i ? ", " : "", link(`#/run/${run.r.id}/${p.evaluation}`,
      "evaluation " + p.evaluation)]), ".")] : [];
}

// eapLibrary lists PACE's EAPs. A slider selects the evaluation after which it shows the
// posteriors.
function eapLibrary(run, kinds) {
  const { d, r } = run, trials = (kinds.get("trial") || []).map((m) => m.value);
  const sources = admissions(d);
  // An EAP outlives its source if the source has left the population and a member calls the EAP.
  const outlived = new Map();
  for (const m of kinds.get("population") || []) {
    const members = m.value.members || [];
    for (const e of d.eaps) {
      const from = e.From, callers = members.filter((x) =>
        (x.calls || []).includes(e.ID)).map((x) => x.algorithm);
      if (from && !members.some((x) => x.algorithm === from) && callers.length) outlived.set(e.ID,
        { first: outlived.get(e.ID)?.first ?? m.after, last: m.after, callers });
    }
  }
  const callers = (id) => d.programs.filter((p) => (p.calls || []).includes(id)).map((p) =>
    p.evaluation);
  const density = el("div");
  const when = el("span", { id: "when" }, r.evaluations);
  function draw(until) {
    when.textContent = until;
    const state = new Map();
    for (const x of trials) if (x.child <= until) state.set(x.eap, x);
    const top = [...state.values()].sort((a, b) => b.alpha / (b.alpha + b.beta) -
      a.alpha / (a.alpha + a.beta)).slice(0, 8);
    queueMicrotask(sweep);
    density.replaceChildren(chart("Posterior densities of the eight EAPs with the highest mean " +
      `after evaluation ${until}`, {
      legend: { data: top.map((x) => x.name) }, grid: { left: 8, right: 24, top: 52, bottom: 28,
        containLabel: true },
      xAxis: { type: "value", min: 0, max: 1, name: "success rate", nameLocation: "middle",
        nameGap: 22 }, yAxis: { type: "value", name: "density" },
      tooltip: { formatter: (p) => p.seriesName },
      series: top.map((x, i) => ({ name: x.name, type: "line", symbol: "none",
        color: palette[i % palette.length],
        lineStyle: { type: i < 4 ? "solid" : "dashed" }, data: beta(x.alpha, x.beta) })),
    }, {}, "low"));
  }
  draw(r.evaluations);
  return el("section", {}, el("h2", {}, `EAP library: ${d.eaps.length}`),
    el("form", { class: "controls", onsubmit: (e) => e.preventDefault() },
      el("label", {}, "After evaluation ", when,
      el("input", { type: "range", "aria-label": "After evaluation", min: 1, max: r.evaluations,
        value: r.evaluations, id: "until", oninput: (e) => draw(Number(e.target.value)) }))),
    density,
    eapTable(run, sources, [
      { title: "No.", num: true, value: (e) => e.ID },
      { title: "Origin", value: (e) => e.Origin },
      { title: "From", num: true, value: (e) => e.From || undefined,
        show: (e) => (e.From ? link(`#/run/${r.id}/${e.From}`, String(e.From)) : "–") },
      { title: "Birth", num: true, value: (e) => e.Birth },
      { title: "In focus", num: true, value: (e) => e.Exposures },
      { title: "Called by", value: (e) => callers(e.ID).length,
        show: (e) => (callers(e.ID).length ? fold("callers" + e.ID,
          counted(callers(e.ID).length, "program"),
        () => callers(e.ID).flatMap((x, i) => [i ? ", " : "",
          link(`#/run/${r.id}/${x}`, String(x))])) : "none") },
      { title: "Outlived its source", value: (e) => outlived.get(e.ID)?.first,
        show: (e) => (outlived.has(e.ID)
        ? `since ${outlived.get(e.ID).first}, last in ` +
          outlived.get(e.ID).callers.slice(0, 3).join(", ") : "") }]));
}

// admissions returns the notes on the admission of EAPs, which contain their sources, by EAP.
const admissions = (d) =>
  new Map(d.remarks.filter((m) => m.kind === "admission").map((m) => [m.value?.eap, m.value]));

// eapTable lists EAPs with their trials and posteriors, and with more columns.
function eapTable(run, sources, more = []) {
  const { r, d } = run, mean = (e) => e.Alpha / (e.Alpha + e.Beta);
  return table("Executable algorithmic primitives, with the mean of the last posterior", [
    { title: "Name", value: (e) => e.Name, show: (e) => fold(`eap ${r.id} ${e.ID}`, e.Name,
      () => python(sources.get(e.ID)?.source || "")) },
    { title: "Trials", num: true, value: (e) => e.Trials },
    { title: "Successes", num: true, value: (e) => e.Improvements },
    { title: "Mean", num: true, value: mean, show: (e) => number(mean(e), 2) },
    { title: "In best", value: (e) => (e.InBest ? 1 : 0), show: (e) => (e.InBest ? "yes" : "") },
    ...more,
  ], d.eaps, { sort: 3, down: true, order: run.eapOrder ??= {}, mark: (e) => e.InBest &&
    "winner" });
}

// beta returns 101 points of the density of a Beta distribution.
function beta(a, b) {
  const log = (z) => { // the logarithm of the gamma function (Lanczos)
    const g = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155,
      0.1208650973866179e-2, -0.5395239384953e-5];
    let s = 1.000000000190015;
    g.forEach((c, i) => (s += c / (z + i + 1)));
    return (z + 0.5) * Math.log(z + 5.5) - (z + 5.5) + Math.log((2.5066282746310005 * s) / z);
  };
  const norm = log(a + b) - log(a) - log(b);
  return Array.from({ length: 101 }, (_, i) => {
    const x = Math.min(0.998, Math.max(0.002, i / 100));
    return [x, Math.exp(norm + (a - 1) * Math.log(x) + (b - 1) * Math.log(1 - x))];
  });
}

// searchTree lists the nodes of MCTS-AHD's tree. As in the method, Visits counts the programs at a
// node and below it. Q is the best Q of the node's children, or the node's score if it has none.
function searchTree(run, remarks) {
  const { r, info } = run, nodes = new Map([[0, { children: [] }]]);
  for (const { value: n } of remarks) {
    const node = { program: run.programs.get(n.program), children: [], depth: n.depth,
      parent: n.parent || 0, operator: n.operator };
    nodes.set(n.program, node);
    (nodes.get(n.parent) || nodes.get(0)).children.push(node);
  }
  for (const node of [...nodes.values()].reverse()) { // children come after their parents
    node.visits = (node.program ? 1 : 0) + node.children.reduce((n, c) => n + c.visits, 0);
    node.q = node.children.length ? Math.max(...node.children.map((c) => c.q))
      : node.program?.score ?? -Infinity;
  }
  const to = (e) => (e ? link(`#/run/${r.id}/${e}`, String(e)) : "root");
  return el("section", {}, el("h2", {}, "Search tree"),
    el("p", {}, `${counted(nodes.size - 1, "node")}, which the tree of all programs above shows. `,
      "Scores are larger for better programs."),
    fold("nodes", "Nodes in a table", () => table("Nodes of the tree", [
      { title: "Program", num: true, value: (n) => n.program?.evaluation,
        show: (n) => to(n.program?.evaluation) },
      { title: "Parent", num: true, value: (n) => n.parent, show: (n) => to(n.parent) },
      { title: "Depth", num: true, value: (n) => n.depth },
      { title: "Operator", value: (n) => n.operator },
      { title: "Children", num: true, value: (n) => n.children.length },
      { title: "Visits", num: true, value: (n) => n.visits },
      { title: "Q", num: true, value: (n) => n.q, show: (n) => number(n.q, info.digits) },
      { title: "Own score", num: true, value: (n) => n.program?.score,
        show: (n) => number(n.program?.score, info.digits) },
    ], [...nodes.values()].slice(1),
      { order: run.nodeOrder ??= {}, mark: (n) => run.line.has(n.program?.evaluation) &&
        "winner" })));
}

// harmonies shows each attempt of HSEvo to tune a program: the parameters, the first values of the
// harmony memory, and the values that were improvised from it.
function harmonies(run, remarks) {
  const { r, info } = run, to = (e) => link(`#/run/${r.id}/${e}`, String(e));
  const plan = (p) => run.steps.get(p.step).remarks?.find((m) => m.kind === "offspring")?.value;
  let since = 0;
  return el("section", {}, el("h2", {}, "Harmony search"), remarks.map((m, i) => {
    const { target, result, lost, parameters = [] } = m.value, from = since;
    since = m.after;
    const tried = run.d.programs.filter((p) => p.evaluation > from && p.evaluation <= m.after &&
      plan(p)?.values);
    const name = `After evaluation ${m.after}: program ${target}, ` + (lost ? "no harmony: " + lost
      : `${counted(parameters.length, "parameter")}, ${tried.length} harmon${tried.length === 1 ? "y" : "ies"}`);
    return fold("harmony" + i, name, () => [
      el("p", {}, to(target), result ? [" became ", to(result), "."] : " was not improved."),
      tried.length ? table("Harmonies, with the range of each parameter", [
        { title: "Program", num: true, value: (p) => p.evaluation, show: (p) => to(p.evaluation) },
        { title: "Made by", value: (p) => p.operator },
        { title: "Value", num: true, value: (p) => p.value ?? undefined,
          show: (p) => (p.fault ? p.fault.kind : number(p.value, info.digits)) },
        ...parameters.map((x, j) => ({ title: `${x.name} ${x.low}–${x.high}`, num: true,
          value: (p) => plan(p).values[j], show: (p) => plan(p).values[j]?.toPrecision(3) ??
            "–" })),
      ], tried, { sort: 2, down: !info.minimize, mark: (p) => p.evaluation === result && "winner" })
        : ""], i === remarks.length - 1);
  }));
}

// populations draws the values of the members of at most about 60 populations over time, and lists
// the newest 60 populations.
function populations(run, title, remarks) {
  const { r, info } = run, [low, high] = bounds(run);
  const members = (m) => (m.value.members || []).map((x) => (typeof x === "number" ? x
    : x.program ?? x.algorithm));
  const shown = remarks.filter((_, i) => i % Math.ceil(remarks.length / 60) === 0 ||
    i === remarks.length - 1);
  const points = shown.flatMap((m) =>
    members(m).map((e) => ({ m, p: run.programs.get(e) })).filter(({ p }) => p &&
      p.value !== null));
  return el("section", {}, el("h2", {}, title),
    chart(`${title}: the values of its members over time; ${counted(remarks.length, "state")}`, {
      legend: { data: [...run.looks.keys()] },
      grid: { left: 8, right: 24, top: 52, bottom: 28, containLabel: true },
      xAxis: { type: "value", max: r.budget || undefined, name: "evaluation",
        nameLocation: "middle", nameGap: 24 },
      yAxis: { type: "value", name: info.unit, min: low, max: high,
        axisLabel: { showMinLabel: false, showMaxLabel: false,
          formatter: (v) => coarse(v, info) } },
      tooltip: { formatter: (q) => tip(run, shownBy(run, q)) },
      series: byOperator(run, points, ({ m, p }) =>
        ({ p, at: [m.after, Math.min(high, Math.max(low, p.value))], size: 6, opacity: 0.8 })),
    }, { click: (q) => { location.hash = `#/run/${r.id}/${shownBy(run, q).evaluation}`; } }, "low"),
    fold("members" + title,
      `${counted(remarks.length, "state")}; the newest ` +
        `${Math.min(60, remarks.length)} in a table`, () =>
      table("Members by evaluation, best first if the method sorts them", [
        { title: "After", num: true, value: (m) => m.after },
        { title: "Generation", num: true, value: (m) => m.value.generation },
        { title: "Best", num: true, value: (m) => bestOf(m),
          show: (m) => number(bestOf(m), info.digits) },
        { title: "Members", wide: true, value: (m) => members(m).length,
          show: (m) => members(m).flatMap((e, i) => [i ? ", " : "",
            link(`#/run/${r.id}/${e}`, String(e))]) },
      ], remarks.slice(-60).reverse())));
  function bestOf(m) {
    const values = members(m).map((e) => run.programs.get(e)?.value).filter((v) => v !== null &&
      v !== undefined);
    return values.length ? Math[info.minimize ? "min" : "max"](...values) : undefined;
  }
}
