// The tree of a run: each program is below the program from which it was made.
"use strict";

// layout gives each program its depth and a lane. Programs without children get successive lanes in
// a depth-first walk; other programs are above the middle of their children. If the method notes a
// tree, layout uses the parents in that tree.
function layout(run) {
  const noted = new Map(run.d.remarks.filter((m) => m.kind === "node").map((m) => [m.value?.program,
    m.value?.parent]));
  const nodes = new Map(), roots = [];
  for (const p of run.d.programs) {
    // Only earlier programs become parents, so a damaged journal cannot make a cycle.
    const parent = nodes.get(noted.has(p.evaluation) ? noted.get(p.evaluation) : p.parents?.[0]);
    const node = { p, parent, children: [], depth: parent ? parent.depth + 1 : 0 };
    nodes.set(p.evaluation, node);
    (parent?.children ?? roots).push(node);
  }
  let lanes = 0;
  const open = roots.reverse();
  while (open.length) {
    const node = open.pop();
    if (!node.children.length) node.lane = lanes++;
    open.push(...node.children.toReversed());
  }
  for (const node of [...nodes.values()].reverse()) {
    if (node.children.length) node.lane = (node.children[0].lane + node.children.at(-1).lane) / 2;
  }
  return { nodes: [...nodes.values()], lanes };
}

function tree(run) {
  const { r, matches } = run, { nodes, lanes } = layout(run), found = new Set(matches),
    chain = new Set();
  for (let n = nodes.find((x) => x.p.evaluation === r.best_at); n; n = n.parent) chain.add(n);
  const few = nodes.length <= 60, edges = (winning) => ({ type: "lines", silent: true, clip: true,
    coordinateSystem: "cartesian2d", lineStyle: edge(winning), large: true, largeThreshold: 500,
    data: nodes.filter((n) => n.parent && chain.has(n) === winning).map((n) =>
      ({ coords: [n.parent, n].map((x) => [x.lane, x.depth]) })) });
  const wide = { type: "value", show: false, min: -1, max: lanes };
  return fold("tree", "Tree of all programs", () => [
    el("p", {}, "Each program is below its first parent. The green line leads to the best " +
      "program, and its ancestors have green rings. Programs that the filters leave out are pale."),
    chart("The tree of all programs, from the first ones above to their descendants below", {
      legend: { data: [...run.looks.keys()] }, grid: { left: gutter(["00"]), right: 16, top: 52,
        bottom: 36 },
      xAxis: wide, yAxis: { type: "value", inverse: true, name: "depth", nameLocation: "start",
        minInterval: 1, splitLine: { show: false } },
      dataZoom: [{ type: "slider", height: 16, bottom: 8, filterMode: "none", showDetail: false },
        { type: "inside", filterMode: "none", zoomOnMouseWheel: "ctrl" }],
      tooltip: { formatter: (q) => (shownBy(run, q) ? tip(run, shownBy(run, q)) : "") },
      series: [edges(false), edges(true), ...byOperator(run, nodes, ({ p, lane, depth }) =>
        ({ p, at: [lane, depth], size: p.evaluation === r.best_at ? 14 : 7,
          opacity: found.has(p) ? 1 : 0.1, label: few || p.evaluation === r.best_at }))],
    }, { click: (q) => { const p = shownBy(run, q);
      if (p) location.hash = `#/run/${r.id}/${p.evaluation}`; } })], true);
}
