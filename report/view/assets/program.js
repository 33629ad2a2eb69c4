// One program: facts, lineage, source, differences, prompts and replies.
"use strict";

const keywords = new Set(("and as assert async await break class continue def del elif else " +
  "except False finally for from global if import in is lambda None nonlocal not or pass raise " +
  "return True try while with yield match case").split(" "));
const token = /("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)|(#[^\n]*)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;

// python shows a program with coloured syntax. It puts elements around text, and parses no markup.
function python(source) {
  return passage(plain(source), coloured);
}

function coloured(source) {
  const out = el("code");
  let at = 0, last = "";
  for (const m of source.matchAll(token)) {
    out.append(source.slice(at, m.index));
    at = m.index + m[0].length;
    const kind = m[1] !== undefined ? "s" : m[2] !== undefined ? "c" : m[3] !== undefined ? "n"
      : keywords.has(m[4]) ? "k" : last === "def" || last === "class" ? "d" : "";
    out.append(kind ? el("span", { class: kind }, m[0]) : m[0]);
    last = m[4] ?? "";
  }
  out.append(source.slice(at));
  return el("pre", { class: "code", role: "region", "aria-label": "Program", tabindex: "0" }, out);
}

// explained shows a program. If its parts were explained, it adds a margin and a table of the
// parts.
function explained(run, p) {
  const m = run.d.margin, code = python(p.source);
  if (m?.evaluation !== p.evaluation) return code;
  if (m.wrong) return [el("p", { class: "bad" }, m.wrong), code];
  const tone = (x) => (!x.seen ? "c" : x.effect > 0 ? "good" : "bad"),
    value = (v) => number(v, run.info.digits + 1);
  const line = (x) => [x && el("span", { class: tone(x), title: `${x.kind}: ${x.text}` },
    x.verdict), "\n"];
  return [el("div", { class: "margined" }, el("pre", { class: "code", "aria-hidden": "true" },
    m.lines.map((i) => line(m.parts[i]))), code),
    table("Parts of the program, with the score that each part adds", [
      { title: "Line", num: true, value: (x) => x.line }, { title: "Part", value: (x) => x.kind },
      { title: "Text", wide: true, value: (x) => x.text, show: (x) => el("code", {}, x.text) },
      { title: "Effect", num: true, value: (x) => x.effect,
        show: (x) => el("span", { class: tone(x) }, x.seen ? value(x.effect) : x.verdict) },
      { title: "95 % interval", num: true, value: (x) => x.low,
        show: (x) => (x.low === undefined ? "–" : `${value(x.low)} to ${value(x.high)}`) },
      { title: "p (Holm)", num: true, value: (x) => x.p, show: (x) => number(x.p, 4) },
      { title: "Split", value: (x) => x.split }], m.parts || [])];
}

// difference shows what changed, line by line, with three lines around each change.
function difference(before, after) {
  const patch = Diff.structuredPatch("", "", before, after, "", "", { context: 3, timeout: 2000 });
  if (!patch) return el("p", {}, "The programs differ too much to be compared.");
  if (!patch.hunks.length) return el("p", {}, "No difference.");
  return el("pre", { class: "code", role: "region", "aria-label": "Changes", tabindex: "0" },
    patch.hunks.map((h) => [
    el("span", { class: "kept c" }, `@@ line ${h.oldStart} → line ${h.newStart}`),
    h.lines.map((l) => el("span", { class: l[0] === "+" ? "added" : l[0] === "-" ? "removed"
      : "kept" }, l))]));
}

function openProgram(run, evaluation) {
  run.shown = evaluation;
  const { r, info, panel } = run, p = run.programs.get(evaluation);
  if (!p) {
    panel.replaceChildren(evaluation === undefined ? "" : el("p", { class: "bad", role: "alert" },
      `There is no evaluation ${evaluation}.`));
    return;
  }
  const step = run.steps.get(p.step);
  const to = (e) => link(`#/run/${r.id}/${e}`, String(e));
  const list = (es, none = "none") => (es?.length ? es.flatMap((e, i) => [i ? ", " : "", to(e)])
    : none);
  const all = run.d.programs, at = all.indexOf(p);
  const eap = (id) => run.d.eaps?.[id]?.Name ?? "EAP " + id;
  panel.replaceChildren(el("section", {},
    el("h2", { tabindex: "-1", id: "heading" }, `Evaluation ${evaluation}`,
      p.best ? " · best so far" : "",
      evaluation === r.best_at ? " · the best program" : ""),
    el("p", {}, at > 0 ? link(`#/run/${r.id}/${all[at - 1].evaluation}`, "← previous") : "", " ",
      at < all.length - 1 ? link(`#/run/${r.id}/${all[at + 1].evaluation}`, "next →") : ""),
    facts([
      ["Value", p.fault ? el("span", { class: "bad" }, `${p.fault.kind}: ${p.fault.detail || ""}`)
        : number(p.value, info.digits + 3)],
      ["Instances", p.values?.length > 1 ? p.values.map((v) => number(v, info.digits)).join(", ")
        : ""],
      ["Operator", p.operator], ["Parents", list(p.parents)], ["Children", list(p.children)],
      ["EAP in focus", p.focus === undefined ? "" : eap(p.focus)],
        ["Calls EAPs", p.calls?.map(eap).join(", ")],
      ["Same source as", p.twin ? to(p.twin) : ""], ["Idea", p.idea],
      ["Repairs", step.exchanges?.map((x, i) => x.refused &&
        `reply ${i + 1}: ${x.refused}`).filter(Boolean).join("; ")],
      ["Cost", `${p.tokens} tokens` + (p.usd === undefined ? "" : `, ${p.usd.toFixed(4)} USD`) +
        (p.seconds ? `, ${p.seconds.toFixed(3)} s of evaluation` : "")],
    ]),
    lineage(run, p),
    behaviour(run, p),
    p.evidence?.filter((b) => b.media_type.startsWith("image/"))
      .map((b) => picture(run, b.digest, "Evidence of the program's behaviour")),
    fold("program", "Program", () => (p.source ? explained(run, p) : el("p", {}, p.policy)), true),
    (p.parents || []).map((e) => run.programs.get(e)).filter(Boolean).map((q, i) =>
      fold("changes" + i, "Changes from " + q.evaluation,
        () => difference(q.source || "", p.source || ""), i === 0)),
    (step.exchanges || []).map((x, i) => fold("request" + i,
      [`Request ${i + 1}: ${x.purpose}`, x.refused ? el("span", { class: "bad" },
        " refused: " + x.refused) : ""], () => [
        x.system ? [el("h3", {}, "System"), passage(x.system)] : "",
        el("h3", {}, "Prompt"), (x.user || []).map((part) => part.image
          ? picture(run, part.image.digest, "Picture in the prompt") : passage(part.text || "")),
        el("h3", {}, `Reply of ${x.reply.model || "the model"}, ${x.reply.finish || ""}`),
          passage(x.reply.text)])),
    step.remarks?.length ? fold("noted", "What the method noted",
      () => passage(step.remarks.map((m) => m.kind + " " + JSON.stringify(m.value)).join("\n")))
        : ""));
  sweep();
  const heading = document.getElementById("heading");
  heading.focus({ preventScroll: true });
  heading.scrollIntoView();
}

// picture shows a picture that the run stored.
function picture(run, digest, alt) {
  return /^[0-9a-f]{64}$/.test(digest) ? el("img", { src: `blobs/${run.r.id}/${digest}`, alt })
    : "";
}

// lineage draws the ancestors and descendants of a program by evaluation and value; the winner's
// line is marked.
function lineage(run, p) {
  const up = ancestors(run.programs, p.evaluation);
  const down = [], open = [...(p.children || [])];
  while (open.length && down.length < 400) {
    const e = open.shift();
    if (down.includes(e)) continue;
    down.push(e);
    open.push(...(run.programs.get(e)?.children || []));
  }
  const names = [...new Set([...up, ...down])];
  if (names.length < 2) return "";
  const [low, high] = bounds(run);
  const nodes = names.map((e) => {
    const q = run.programs.get(e);
    return { name: String(e), program: q,
      value: [e, q.value === null ? (run.info.minimize ? high : low)
        : Math.min(high, Math.max(low, q.value))],
      symbolSize: e === p.evaluation ? 18 : 10, ...dot(run, q),
      label: { show: e === p.evaluation || names.length <= 40, formatter: String(e),
        position: "top", fontSize: 10 } };
  });
  const links = names.flatMap((e) => (run.programs.get(e).parents || []).filter((x) =>
    names.includes(x)).map((x) => ({
    source: String(x), target: String(e), lineStyle: { ...edge(run.line.has(e) && run.line.has(x)),
      curveness: 0.1 } })));
  const walk = (es) => (es.length
    ? es.slice(0, 100).flatMap((e, i) => [i ? ", " : "",
      link(`#/run/${run.r.id}/${e}`, String(e))]).concat(es.length > 100 ? " and more" : "")
        : "none");
  const few = (es) => (es.length > 40 ? es.slice(0, 40).join(", ") + " and more"
    : es.join(", ") || "none");
  return fold("lineage", `Lineage: ${counted(up.length - 1, "ancestor")}, ` +
    `${counted(down.length, "descendant")} ` +
    "(green rings: the best program and its ancestors)", () => [
    chart(`Lineage of evaluation ${p.evaluation}: ancestors ${few(up.slice(1))}; ` +
      `descendants ${few(down)}`, {
      grid: { left: 8, right: 24, top: 24, bottom: 24, containLabel: true },
      xAxis: { type: "value", scale: true, name: "evaluation", nameLocation: "middle",
        nameGap: 22 },
      yAxis: { type: "value", min: low, max: high,
        axisLabel: { showMinLabel: false, showMaxLabel: false,
          formatter: (v) => coarse(v, run.info) } },
      tooltip: { formatter: (q) => (q.data.program ? tip(run, q.data.program)
        : `${q.data.source} → ${q.data.target}`) },
      series: [{ type: "graph", coordinateSystem: "cartesian2d", data: nodes, links, label: {},
        edgeSymbol: ["none", "arrow"], edgeSymbolSize: 6 }],
    }, { click: (q) => { if (q.data.program) location.hash =
      `#/run/${run.r.id}/${q.data.program.evaluation}`; } }, "low"),
    el("p", {}, "Ancestors: ", walk(up.slice(1)), ". Descendants: ", walk(down), ".")], true);
}
