// Pictures of a program's behaviour on an instance. They are stored with the pages, or the server
// makes them when it runs the program again in its sandbox.
"use strict";

function behaviour(run, p) {
  const { index, r, d, info } = run;
  const stored = d.shown?.[p.evaluation] || [];
  if (!info.pictures || !p.source || !(stored.length || index.stage)) return "";
  const numbers = index.stage ? info.instances.map((_, i) => i) : stored;
  const out = el("div", { "aria-live": "polite" });
  let instance = numbers.includes(run.instance) ? run.instance : numbers[0];

  async function load() {
    const wanted = instance;
    out.replaceChildren(el("p", {}, stored.length ? "Loading." : "The program is running."));
    // A reader who steps through programs with the keys does not start each program.
    await new Promise((go) => setTimeout(go, 250));
    if (!out.isConnected || wanted !== instance) return;
    let content;
    try {
      content = pictures(p, info, wanted,
        await pacebench.load(`${r.id}~${p.evaluation}~${wanted}`));
    } catch {
      content = el("p", { class: "bad", role: "alert" }, "The server is busy or has stopped. ",
        el("button", { type: "button", onclick: load }, "Try again"));
    }
    if (wanted === instance) out.replaceChildren(...[content].flat());
  }

  const box = el("details", { id: "behaviour", open: stored.length > 0 || run.watched,
    ontoggle: (e) => {
      run.watched = e.target.open;
      if (run.watched && !out.firstChild) load();
    } },
  el("summary", {}, "What it does: " + info.pictures),
  numbers.length > 1 ? el("form", { class: "controls", onsubmit: (e) => e.preventDefault() },
    el("label", {}, "Instance",
    el("select", { id: "instance", onchange: (e) => {
      run.instance = instance = Number(e.target.value);
      load();
    } }, numbers.map((i) => el("option", { value: i, selected: i === instance },
      info.instances[i]))))) : "", out);
  return box;
}

// pictures shows a behaviour: its pictures, the value on the instance, and the fault.
function pictures(p, info, instance, b) {
  if (b.problem) return el("p", { class: "bad" }, "No pictures: " + b.problem);
  const then = p.values?.[instance], again = b.value;
  return [
    el("p", {}, `On ${info.instances[instance]}`,
      again === undefined ? "" : `: ${number(again, info.digits + 1)}`,
      b.fault ? el("span", { class: "bad" }, ` it fails: ${b.fault.kind}: ${b.fault.detail || ""}`)
        : "",
      again !== undefined && then !== undefined && Math.abs(again - then) > 1e-9
        ? `; ${number(then, info.digits + 1)} in the run, because the value also depends on ` +
          "earlier instances or on chance" : "", "."),
    el("div", { class: "pictures" }, b.pictures.map((x, i) => {
      const title = x.title || `${i + 1} of ${b.pictures.length}`;
      return el("figure", {}, el("img", { src: "data:image/png;base64," + x.png,
        alt: `${title}, ${info.instances[instance]}` }),
        el("figcaption", {}, title));
    }))];
}
