// The address selects the page: #/ lists the runs, #/run/ID shows a run, #/run/ID/57 also opens its
// evaluation 57, and #/compare/ID/ID shows two runs side by side.
"use strict";

const served = location.protocol !== "file:";
// current is the run that is shown. list redraws the list of runs or the comparison from a newer
// index.
let index, current, list;

async function route(fresh) {
  try {
    const [, kind, id, evaluation] = decodeURIComponent(location.hash.slice(1) || "/").split("/");
    if (!index || fresh) index = await pacebench.load("index");
    const find = (id) => {
      const r = index.runs.find((x) => x.id === id);
      if (!r?.journal) throw new Error("These pages do not have the run " + id + ".");
      return r;
    };
    if (kind !== "run") {
      current = list = undefined;
      document.onkeydown = null;
      if (kind !== "compare") list = showRuns(index);
      else {
        const two = [find(id), find(evaluation)], data = [];
        for (const r of two) data.push(await pacebench.load(r.id));
        showCompare(two.map((r, i) => readRun(index, r, data[i])));
        list = (now) => { // only if one of the runs has grown
          if (two.some((r) => JSON.stringify(r) !== JSON.stringify(now.runs.find((x) =>
            x.id === r.id)))) route();
        };
      }
      return;
    }
    list = undefined;
    const r = find(id);
    const at = evaluation ? Number(evaluation) : undefined;
    if (current?.r.id === id && !fresh) openProgram(current, at);
    else current = showRun(index, r, await pacebench.load(id), at);
  } catch (e) {
    show("Error", [link("#/", "runs")], el("p", { class: "banner", role: "alert" },
      String(e.message || e)));
  }
}

// A served page loads the index again and again. Parts that the reader opened stay open.
let drawn = 0; // time of the last drawing, in ms
async function refresh() {
  const live = document.getElementById("live"), clock = document.getElementById("clock");
  let pause = 3000; // ms
  let now;
  try {
    now = await pacebench.load("index");
  } catch {
    live.textContent = "the server does not answer";
    clock.textContent = "";
    setTimeout(refresh, pause);
    return;
  }
  try {
    const open = now.runs.filter(isOpen).length;
    // Screen readers announce a new state, but not each new time.
    const state = now.waiting ? "reading the runs" : open ? counted(open, "unfinished run") : "";
    if (live.textContent !== state) live.textContent = state;
    clock.textContent = now.waiting ? `${now.waiting} left` : open
      ? "as of " + new Date().toLocaleTimeString() : "";
    if (now.waiting) pause = 50;
    if (JSON.stringify(now) !== JSON.stringify(index) &&
      (!now.waiting || Date.now() - drawn > 2000)) await draw(now);
  } catch (e) {
    live.textContent = `cannot show the new state: ${e.message || e}`;
  }
  setTimeout(refresh, pause);
}

async function draw(now) {
  // While the reader uses a field, wait for the next refresh.
  if (document.activeElement?.closest?.("input:not([type=checkbox]), select")) return;
  drawn = Date.now();
  const before = current && index.runs.find((x) => x.id === current.r.id);
  index = now;
  list?.(now);
  const r = current && now.runs.find((x) => x.id === current.r.id);
  if (r && JSON.stringify(r) !== JSON.stringify(before)) {
    const d = await pacebench.load(r.id);
    if (current?.r.id === r.id) current.update(now, r, d);
  }
}

// A new page is shown from its top, and screen readers read it from there.
let page = "";
window.addEventListener("hashchange", async () => {
  await route();
  const now = location.hash.split("/").slice(0, 3).join("/");
  if (now !== page && !current?.shown) { scrollTo(0, 0);
    document.getElementById("main").focus({ preventScroll: true }); }
  page = now;
});
document.getElementById("skip").addEventListener("click",
  (e) => { e.preventDefault(); document.getElementById("main").focus(); });
route(true).then(() => { page = location.hash.split("/").slice(0, 3).join("/");
  if (served) setTimeout(refresh, index?.waiting ? 50 : 3000); });
