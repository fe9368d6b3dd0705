// A person in the agent's place: tools of a served environment, called from forms.
// Works only where this page comes from the server that runs the environment (`envfactory serve KEY --site FOLDER`).
"use strict";

const KEY = location.pathname.split("/").at(-2);
const texts = JSON.parse(byId("tasks").textContent);
let session = null;
let tools = [];

async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: body ? { "Content-Type": "application/json" } : {},
    body: body && JSON.stringify(body),
  });
  const said = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

// -- forms for arguments ----------------------------------------------------------------------------------------------

const typesOf = (schema) => [schema.type ?? []].flat();
const isSimple = (schema) => !typesOf(schema).some((type) => type === "object" || type === "array");
const isList = (schema) => typesOf(schema).includes("array") && isSimple(schema.items ?? {});

function field(name, schema, needed) {
  const label = element("label", {}, element("span", {}, name, needed ? "" : element("span", { className: "quiet" }, " optional")));
  if (schema.description) label.append(element("small", { className: "quiet" }, schema.description));
  if (typesOf(schema).includes("object") && schema.properties) {
    const inner = element("fieldset", {}, element("legend", {}, name));
    if (schema.description) inner.append(element("small", { className: "quiet" }, schema.description));
    inner.hidden = !Object.keys(schema.properties).length;
    return [inner, fields(inner, schema)];
  }
  const choices = schema.enum?.toSorted((a, b) => (b === null) - (a === null))
    ?? (typesOf(schema).join() === "boolean" ? [true, false] : null);
  let input;
  if (choices) {
    input = element("select", {}, ...(needed ? [] : [new Option("", "")]), ...choices.map((one) => new Option(one === null ? "none" : String(one), JSON.stringify(one))));
  } else {
    input = element(isSimple(schema) && name !== "message" ? "input" : "textarea", {});
    if (isList(schema)) input.placeholder = "one a line";
    else if (!isSimple(schema)) input.placeholder = "JSON";
  }
  label.append(input);
  return [label, () => (choices ? (input.value ? JSON.parse(input.value) : undefined) : valueOf(input.value, schema, needed))];
}

function valueOf(text, schema, needed) {
  const types = typesOf(schema);
  if (text === "") return types.includes("null") ? null : needed && types.includes("string") ? "" : undefined;
  if (isList(schema)) return text.split("\n").filter(Boolean).map((line) => valueOf(line, schema.items ?? {}, true));
  if (!isSimple(schema)) return JSON.parse(text);
  if (types.some((type) => type === "number" || type === "integer") && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text);
  if (types.includes("boolean") && /^(true|false)$/.test(text.trim())) return text.trim() === "true";
  return text;
}

function fields(place, schema) {
  const needed = schema.required ?? [], reading = {};
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const [made, read] = field(name, one, needed.includes(name));
    place.append(made);
    reading[name] = read;
  }
  return () => Object.fromEntries(Object.entries(reading).map(([name, read]) => [name, read()]).filter(([, value]) => value !== undefined));
}

// -- a session --------------------------------------------------------------------------------------------------------

function log(tool, given, result) {
  const card = element("div", { className: `call ${result.outcome === "ok" ? "" : "failed"}` },
    element("p", {}, element("code", {}, tool), " ", element("span", { className: "arguments" }, Object.keys(given).length ? JSON.stringify(given) : "")));
  card.append(result.outcome === "ok"
    ? element("pre", {}, JSON.stringify(result.value, null, 1))
    : element("p", { className: "bad" }, result.error));
  if (result.note) card.append(element("p", { className: "quiet" }, result.note));
  byId("log").append(card);
  card.scrollIntoView({ block: "nearest" });
}

let readArguments = () => ({});

function choose() {
  const tool = tools[byId("tool").selectedIndex], place = byId("arguments");
  place.replaceChildren();
  byId("about").textContent = tool.description;
  readArguments = fields(place, tool.inputSchema);
}

async function begin(task) {
  if (session) await ask("DELETE", `/sessions/${session}`).catch(() => null);
  session = (await ask("POST", "/sessions", { environment: KEY, ...(task ? { task } : {}) })).id;
  tools = [];
  for (const principal of ["assistant", "user"]) {
    const listed = await ask("GET", `/sessions/${session}/tools?principal=${principal}`);
    tools.push(...listed.map((tool) => ({ ...tool, principal })));
  }
  byId("tool").replaceChildren(...tools.map((tool) => new Option(tool.name + (tool.principal === "user" ? " (the person's)" : ""))));
  byId("asked").hidden = !task;
  byId("asked").textContent = texts[task] ?? "";
  byId("log").replaceChildren();
  byId("table").hidden = false;
  choose();
}

async function call() {
  const tool = tools[byId("tool").selectedIndex], given = readArguments();
  const result = await ask("POST", `/sessions/${session}/calls`, { tool: tool.name, arguments: given, principal: tool.principal });
  log(tool.name, given, result);
  const { report, task } = await ask("GET", `/sessions/${session}`);
  if (!report) return;
  const page = element("a", { href: `tasks/${task}.html` }, "the reference solution and what others did");
  byId("log").append(element("p", {}, "Your report is handed in. Compare it with ", page, "."));
  byId("call").hidden = true;
}

function trouble(error) {
  byId("trouble").hidden = false;
  byId("trouble").textContent = error.message;
  byId("how").hidden = false;
}

const doing = (what) => async (event) => {
  event.preventDefault();
  byId("trouble").hidden = true;
  try { await what(); } catch (error) { trouble(error); }
};

byId("start").addEventListener("submit", doing(async () => { byId("call").hidden = false; await begin(byId("start").task.value); }));
byId("call").addEventListener("submit", doing(call));
byId("tool").addEventListener("change", choose);
addEventListener("pagehide", () => { if (session) fetch(`/sessions/${session}`, { method: "DELETE", keepalive: true }); });

async function arrive() {
  const asked = new URLSearchParams(location.hash.slice(1)).get("task");
  byId("there").hash = location.hash;
  if (location.protocol === "file:") {
    const folder = decodeURIComponent(location.pathname).split("/").slice(0, -3).join("/");
    byId("folder").hidden = true;
    byId("command").textContent = `envfactory serve ${KEY} --site '${folder.replaceAll("'", "'\\''")}'`;
    return;
  }
  try { await ask("GET", `/environments/${KEY}`); } catch { return; }
  byId("how").hidden = true;
  byId("game").hidden = false;
  if (asked in texts) byId("start").task.value = asked;
}
arrive();
