// Two runs side by side.
"use strict";

function showCompare(two) {
  const { t, info } = two[0], [a, b] = two, names = two.map((run) => t.full(run.r));
  // An operator looks the same in both runs.
  const shared = looks(two.flatMap((run) => [...run.looks.keys()]).sort());
  for (const run of two) run.looks = shared;
  const one = a.r.task === b.r.task, winners = two.map((run) => run.programs.get(run.r.best_at));
  const both = (part) => el("div", { class: "split" },
    two.map((run, i) => el("div", {}, el("h3", {}, names[i]), part(run))));
  const title = names.join(" and ") + (one ? " on " + info.title : "");
  show(title, [link("#/", "runs"), " › ", "two runs"], el("h2", { class: "title" }, title),
    beside("Outcome", names,
      two.map((run) => [["Run", link("#/run/" + run.r.id, run.r.dir)], ...values(run),
        ...progress(run)])),
    one && two.every((run) => run.r.curve)
      ? bestSoFar(two.map((run) => run.r), t, (r) => t.full(r)) : "",
    beside("Settings", names, two.map(settings)),
    el("section", {}, el("h2", {}, "Operators"), both(operators)),
    el("section", {}, el("h2", {}, "Best programs"), winners.every((p) => p?.source) ? [
      el("p", {}, "− lines of ", link(`#/run/${a.r.id}/${a.r.best_at}`,
        `evaluation ${a.r.best_at} of ${names[0]}`),
        ", + lines of ", link(`#/run/${b.r.id}/${b.r.best_at}`,
          `evaluation ${b.r.best_at} of ${names[1]}`)),
      difference(winners[0].source, winners[1].source)]
        : el("p", {}, "One of the runs has no best program.")),
    two.some((run) => run.d.eaps?.length)
      ? el("section", {}, el("h2", {}, "EAPs"),
        both((run) => (run.d.eaps?.length ? eapTable(run, admissions(run.d))
          : el("p", {}, "none")))) : "");
}

// beside makes a table of two lists of names and values, and marks the rows that differ.
function beside(title, names, lists) {
  const rows = [...new Set(lists.flat().map(([name]) => name))].map((name) => {
    const cells = lists.map((list) => el("span", {}, list.find((x) => x[0] === name)?.[1] ?? ""));
    return { name, cells, differ: cells[0].textContent !== cells[1].textContent };
  }).filter((row) => row.cells.some((c) => c.textContent));
  return el("section", {}, el("h2", {}, title), table("Rows that differ are marked", [
    { title: "What", value: (row) => row.name },
    ...names.map((name, i) => ({ title: name, wide: true, value: (row) => row.cells[i].textContent,
      show: (row) => row.cells[i] })),
    { title: "Differs", value: (row) => (row.differ ? "yes" : "") },
  ], rows, { mark: (row) => row.differ && "winner" }));
}
