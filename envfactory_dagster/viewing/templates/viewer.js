// What the pages do beside being read: dark and light, search, filters.
// Whatever comes out of the data goes into pages as text, never as markup.
"use strict";

const root = document.documentElement.dataset.root;
const byId = (id) => document.getElementById(id);
const viewer = { episodes: null, found: null }; // filled by the files in data/

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// -- dark and light ---------------------------------------------------------------------------------------------------

const remembered = {
  get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
  set: (value) => { try { localStorage.setItem("theme", value); } catch { /* it is only for this page, then */ } },
};
if (remembered.get()) document.documentElement.dataset.theme = remembered.get();
byId("theme").addEventListener("click", () => {
  const isDark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  remembered.set(document.documentElement.dataset.theme);
});

// -- search -----------------------------------------------------------------------------------------------------------

const MOST_FOUND = 30;

function load(file) {
  return new Promise((resolve, reject) => {
    const script = element("script", { src: root + file });
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
}

const hasAll = (text, words) => words.every((word) => text.includes(word));
const wordsIn = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

function showFound(query) {
  const words = wordsIn(query), list = byId("found");
  list.replaceChildren();
  list.hidden = !words.length || !viewer.found;
  if (list.hidden) return;
  const found = viewer.found.filter(([, text]) => hasAll(text.toLowerCase(), words));
  for (const [what, text, page] of found.slice(0, MOST_FOUND)) {
    const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
    const excerpt = (at ? "…" : "") + text.slice(at, at + 120) + (at + 120 < text.length ? "…" : "");
    list.append(element("li", {}, element("a", { href: root + page }, element("span", { className: "quiet" }, what), excerpt)));
  }
  const more = found.length - MOST_FOUND;
  if (!found.length) list.append(element("li", { className: "none" }, "Nothing here has these words."));
  if (more > 0) list.append(element("li", { className: "none" }, `and ${more} more`));
}

const search = byId("search");
search.addEventListener("focus", async () => { if (!viewer.found) { await load("data/search.js"); showFound(search.value); } });
search.addEventListener("input", () => showFound(search.value));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") byId("found").hidden = true;
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { event.preventDefault(); search.focus(); }
});
document.addEventListener("click", (event) => { if (!event.target.closest(".search")) byId("found").hidden = true; });

// -- the index --------------------------------------------------------------------------------------------------------

byId("narrow")?.addEventListener("input", (event) => {
  const words = wordsIn(event.target.value), cards = [...byId("cards").children];
  for (const card of cards) card.hidden = !hasAll(card.textContent.toLowerCase(), words);
  byId("narrowed").textContent = words.length ? `${cards.filter((card) => !card.hidden).length} of ${cards.length}` : "";
});

// A link to a part of a page opens it.
function openTarget() {
  const target = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();

// -- the tables of an environment: what a table refers to, and what refers to it ------------------------------------

for (const box of document.querySelectorAll(".diagram .box")) {
  const drawing = box.closest("svg");
  const point = (at) => {
    drawing.classList.toggle("pointing", at);
    for (const path of drawing.querySelectorAll("path")) {
      path.classList.toggle("near", at && [path.dataset.from, path.dataset.to].includes(box.dataset.table));
    }
  };
  box.addEventListener("pointerenter", () => point(true));
  box.addEventListener("pointerleave", () => point(false));
}

// -- all episodes -----------------------------------------------------------------------------------------------------

const COLUMNS = ["environment", "task", "name", "model", "outcome", "score", "steps", "cause", "kind", "level", "failed_calls", "why"];
const CHOSEN = ["environment", "model", "outcome", "cause", "kind", "level"];
const AT_A_TIME = 100;

function episodesPage(form) {
  const { words, rows } = viewer.episodes;
  const episodes = rows.map((row) => Object.fromEntries(COLUMNS.map((name, place) => [name, row[place]])));
  const inWords = { environment: words.environments, outcome: words.outcomes, cause: words.causes };
  const said = (name, value) => inWords[name]?.[value] ?? String(value ?? "").replaceAll("_", " ");
  for (const name of CHOSEN) {
    const values = [...new Set(episodes.map((one) => one[name]))].filter((value) => value !== null);
    values.sort((a, b) => said(name, a).localeCompare(said(name, b), "en", { numeric: true }));
    form[name].append(new Option("all", ""), ...values.map((value) => new Option(said(name, value), value)));
    form[name].closest("label").hidden = values.length < 2;
  }
  let shown = AT_A_TIME;

  function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of [...CHOSEN, "words"]) form[name].value = given.get(name) ?? "";
    form.failed_calls.checked = given.has("failed_calls");
  }

  function writeAddress() {
    const chosen = new URLSearchParams();
    for (const name of [...CHOSEN, "words"]) if (form[name].value) chosen.set(name, form[name].value);
    if (form.failed_calls.checked) chosen.set("failed_calls", "yes");
    history.replaceState(null, "", "#" + chosen);
  }

  function row(one) {
    const page = `environments/${one.environment}/episodes/${one.name}.html`;
    const cell = (className, label, ...held) => {
      const made = element("td", { className }, ...held);
      if (label) made.dataset.label = label;
      return made;
    };
    return element("tr", {},
      cell("text", "", element("a", { href: page }, said("task", one.task))),
      cell("", "", element("span", { className: `outcome ${one.outcome}` }, said("outcome", one.outcome))),
      cell("number", "score", one.score === null ? "" : String(+one.score.toFixed(2))),
      cell("number", "steps", String(one.steps)),
      cell("", "", one.model),
      cell("", "", said("environment", one.environment)),
      cell("text", "", one.why || (one.cause === "answered" ? "" : said("cause", one.cause))));
  }

  function show() {
    const wanted = wordsIn(form.words.value);
    const found = episodes.filter((one) =>
      CHOSEN.every((name) => !form[name].value || String(one[name]) === form[name].value)
      && (!form.failed_calls.checked || one.failed_calls > 0)
      && hasAll(`${one.task.replaceAll("_", " ")} ${one.why}`.toLowerCase(), wanted));
    document.querySelector("#episodes tbody").replaceChildren(...found.slice(0, shown).map(row));
    const passed = found.filter((one) => one.outcome === "completed").length;
    byId("how-many").textContent = `${found.length} of ${episodes.length} episodes`
      + (found.length ? `, ${passed} of them passed` : "");
    byId("more").hidden = found.length <= shown;
  }

  form.addEventListener("input", () => { shown = AT_A_TIME; writeAddress(); show(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => { shown += AT_A_TIME; show(); });
  addEventListener("hashchange", () => { readAddress(); show(); });
  readAddress();
  show();
}

// -- two episodes of one task -----------------------------------------------------------------------------------------

// How well a call fits one of another episode; 0: they are never put side by side.
function likeness([tool, given, outcome], other) {
  if (tool !== other[0]) return 0;
  return 1 + (outcome === other[2]) + 2 * (given === other[1]);
}

// The calls of two episodes side by side, in their order, so that as much as can be fits.
function aligned(left, right) {
  const best = Array.from({ length: left.length + 1 }, () => new Array(right.length + 1).fill(0));
  const together = (i, j) => { const fit = likeness(left[i], right[j]); return fit && fit + best[i + 1][j + 1]; };
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) best[i][j] = Math.max(together(i, j), best[i + 1][j], best[i][j + 1]);
  }
  const pairs = [];
  let i = 0, j = 0;
  while (i < left.length || j < right.length) {
    const bothLeft = i < left.length && j < right.length;
    if (bothLeft && together(i, j) === best[i][j] && best[i][j]) pairs.push([left[i++], right[j++]]);
    else if (j === right.length || (bothLeft && best[i + 1][j] === best[i][j])) pairs.push([left[i++], null]);
    else pairs.push([null, right[j++]]);
  }
  return pairs;
}

function callSide(call, other) {
  if (!call) return element("div", { className: "side none" }, "–");
  const [tool, given, outcome, answer, rows] = call;
  const differs = other && (given !== other[1] || outcome !== other[2]);
  const made = element("div", { className: `side ${!other ? "alone" : differs ? "differs" : "same"}` },
    element("code", {}, tool), " ", element("span", { className: "arguments" }, given));
  if (outcome !== "ok") made.append(element("p", { className: "bad" }, answer));
  else if (!other || differs || answer !== other[3]) made.append(element("p", { className: "quiet" }, answer));
  for (const row of rows) made.append(element("div", { className: "row" }, row));
  return made;
}

function reportSide(report, other) {
  if (!report) return element("div", { className: "side none" }, "no report");
  const elsewhere = new Map(other ?? []);
  const lines = report.flatMap(([name, value]) => {
    const differs = name !== "message" && other && elsewhere.get(name) !== value;
    return [element("dt", {}, name), element("dd", { className: differs ? "differs" : "" }, value)];
  });
  return element("div", { className: "side" }, element("dl", { className: "report" }, ...lines));
}

function comparison(form) {
  const known = JSON.parse(byId("to-compare").textContent);
  const failed = known.find((one) => one.outcome !== "completed") ?? known[1];
  for (const one of known) for (const select of [form.left, form.right]) select.append(new Option(`${one.label} (${words(one)})`, one.name));

  function words(one) { return one.score === null ? one.outcome.replaceAll("_", " ") : `score ${+one.score.toFixed(2)}`; }

  function head(one) {
    const name = one.name === "reference" ? one.label : element("a", { href: `../episodes/${one.name}.html` }, one.label);
    return element("div", { className: "side head" }, name, ` ${words(one)}`, ...one.reasons.map((reason) => element("p", { className: "reason" }, reason)));
  }

  function show() {
    const [left, right] = [form.left, form.right].map((select) => known.find((one) => one.name === select.value));
    const pairs = aligned(left.calls, right.calls);
    byId("compared").replaceChildren(head(left), head(right),
      ...pairs.flatMap(([one, other]) => [callSide(one, other), callSide(other, one)]),
      reportSide(left.report, right.report), reportSide(right.report, left.report));
  }

  function readAddress() {
    const [, given] = location.hash.match(/^#compare=(.*)$/) ?? [];
    const [left, right] = (given ?? "").split(",");
    form.left.value = known.some((one) => one.name === left) ? left : known.find((one) => one !== failed).name;
    form.right.value = known.some((one) => one.name === right) ? right : failed.name;
    show();
    if (given) byId("compare").scrollIntoView();
  }

  form.addEventListener("input", () => { history.replaceState(null, "", `#compare=${form.left.value},${form.right.value}`); show(); });
  addEventListener("hashchange", readAddress);
  readAddress();
}

// ---------------------------------------------------------------------------------------------------------------------

addEventListener("DOMContentLoaded", () => {
  if (byId("filters")) episodesPage(byId("filters"));
  if (byId("pair")) comparison(byId("pair"));
});
