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

addEventListener("DOMContentLoaded", () => { if (byId("filters")) episodesPage(byId("filters")); });
