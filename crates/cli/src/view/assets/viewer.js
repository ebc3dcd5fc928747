// The page: panes, choice, keys. In: items and ties. Out: what the user sees. Invariant: one piece of code is shown at a time, and at most one item is chosen; what is
// tied to it is lit in every pane.

const ROW = 20;
const PIECE_ROW = 40;
const narrow = matchMedia("(max-width: 760px)");
const lists = new Map();
const elements = new Map();
const tabs = new Map();
let piece = -1;
let ties = null;
let chosen = null;
let lit = NOTHING;
let warm = NOTHING;
let byRow = {};

const main = document.getElementById("panes");
const COLUMNS = [["tree", "guest"], ["interpreter", "jitcode"], ["recorded"], ["opt"], ["code"]];

for (const column of COLUMNS) {
  const box = document.createElement("div");
  box.className = "column " + column.join(" ");
  for (const id of column) {
    const pane = PANES.find(pane => pane.id === id);
    const section = document.createElement("section");
    section.className = "pane";
    section.id = "pane-" + id;
    const folds = id === "recorded" || id === "opt" || id === "jitcode";
    section.innerHTML = `<h2><span>${pane.title}</span><small></small>` +
      (folds ? `<button type="button" data-fold="0" title="Fold all">−</button><button type="button" data-fold="1" title="Unfold all">+</button>` : "") + "</h2>";
    const view = document.createElement("div");
    view.className = "list";
    view.tabIndex = 0;
    view.setAttribute("role", id === "tree" ? "tree" : "listbox");
    view.setAttribute("aria-label", pane.title);
    section.append(view);
    box.append(section);
    elements.set(id, section);
    const list = new List(view, id === "tree" ? PIECE_ROW : ROW, (item, n) => rowHtml(id, list, item, n));
    lists.set(id, list);
    listen(id, list, section);
  }
  main.append(box);
}

PANES.forEach((pane, n) => {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = pane.name;
  button.dataset.pane = pane.id;
  button.title = pane.title + " (" + (n + 1) + ")";
  button.addEventListener("click", () => (narrow.matches ? tab(pane.id) : toggle(pane.id)));
  document.getElementById("tabs").append(button);
  tabs.set(pane.id, button);
});
const search = new Search(PANES.filter(pane => pane.id !== "tree").map(pane => [pane.id, lists.get(pane.id)]));

function rowHtml(pane, list, item, n) {
  const is = chosen && chosen.pane === pane && chosen.n === n;
  const classes = ["row", item.kind];
  if (is || (pane === "tree" && item.piece === piece)) classes.push("chosen");
  const level = reach(lit, pane, list, item, n);
  if (level) classes.push(level === 2 ? "lit" : "around");
  if (reach(warm, pane, list, item, n) === 2) classes.push("warm");
  if (search.has(pane, n)) {
    const now = search.hits[search.now];
    classes.push(now && now[0] === pane && now[1] === n ? "hit now" : "hit");
  }
  if (item.count === 0) classes.push("idle");
  const fold = item.open === undefined ? "" : item.open ? "▾" : "▸";
  const title = item.title ? ` title="${escapeText(item.title)}"` : "";
  const gutter = item.gutter === undefined ? "" : item.gutter;
  const wide = pane === "guest" || pane === "interpreter" || pane === "jitcode" ? " wide" : pane === "opt" ? " wide" : "";
  const role = pane === "tree" ? "treeitem" : "option";
  return `<div class="${classes.join(" ")}" data-n="${n}" role="${role}" aria-selected="${Boolean(is)}"${title}>` +
    (pane === "code" || pane === "tree" || pane === "recorded" ? "" : `<span class="gutter${wide}">${gutter}</span>`) +
    `<span class="body" style="padding-left:${(item.depth || 0) * 14}px"><span class="fold">${fold}</span>${bodyHtml(pane, item)}</span></div>`;
}

// How an item belongs to what is tied; a closed fold counts for what it holds.
function reach(to, pane, list, item, n) {
  if (to === NOTHING) return 0;
  const own = tied(to, pane, item);
  if (own || item.open !== false || !item.rows) return own;
  const set = pane === "recorded" ? to.recorded : to.opt;
  return item.rows.some(row => set.has(row)) ? 2 : 0;
}

function listen(pane, list, section) {
  const at = event => {
    const row = event.target.closest(".row");
    return row ? +row.dataset.n : -1;
  };
  list.element.addEventListener("click", event => {
    const n = at(event);
    if (n < 0) return;
    const bridge = event.target.closest("[data-bridge]");
    if (bridge) { event.preventDefault(); open(+bridge.dataset.bridge); return; }
    if (event.target.classList.contains("fold") && list.items[n].open !== undefined) { fold(list, n); return; }
    choose(pane, n);
    // On a narrow window the code is on another tab.
    if (pane === "tree" && narrow.matches) tab("opt");
  });
  list.element.addEventListener("dblclick", event => {
    const n = at(event);
    if (n >= 0 && list.items[n].open !== undefined) fold(list, n);
  });
  list.element.addEventListener("mousemove", event => {
    const n = at(event);
    if (pane !== "tree") point(pane, n);
  });
  list.element.addEventListener("mouseleave", () => point(null, -1));
  list.element.addEventListener("keydown", event => key(event, pane, list));
  section.addEventListener("click", event => {
    const all = event.target.dataset.fold;
    if (all === undefined) return;
    const folding = item => (pane === "jitcode" ? item.kind === "head" : item.kind === "place" || item.kind === "call");
    for (const item of list.items) if (folding(item)) item.open = all === "1";
    list.fold();
  });
}

function fold(list, n) {
  list.items[n].open = !list.items[n].open;
  list.fold();
}

let pointed = "";
function point(pane, n) {
  const now = pane + " " + n;
  if (now === pointed) return;
  pointed = now;
  warm = n < 0 ? NOTHING : ties.of(pane, normal(lists.get(pane).items[n], pane));
  for (const list of lists.values()) list.later();
}

// An item as ties want it: details stand for their operation.
const normal = (item, pane) => ((pane === "recorded" || pane === "opt") && !item.rows ? { ...item, rows: [] } : item);

// Chooses an item, lights what belongs to it, and scrolls there.
function choose(pane, n) {
  const list = lists.get(pane);
  if (pane === "tree") { open(list.items[n].piece); return; }
  chosen = { pane, n };
  lit = ties.of(pane, normal(list.items[n], pane));
  for (const [id, other] of lists) {
    if (id === "tree") continue;
    const items = [];
    other.items.forEach((item, m) => { if (tied(lit, id, item) === 2) items.push(m); });
    tabs.get(id).classList.toggle("has", items.length > 0);
    if (id === pane) other.show(n, false);
    else if (items.length && !other.sees(items)) other.show(items[0], true);
    else other.render();
  }
}

function clear() {
  chosen = null;
  lit = NOTHING;
  for (const [id, list] of lists) { tabs.get(id).classList.remove("has"); list.render(); }
}

// Shows a piece of code.
function open(n) {
  if (n < 0 || n >= model.pieces.length) return;
  if (n !== piece) {
    piece = n;
    const shown = model.pieces[n];
    ties = new Ties(shown);
    chosen = null;
    lit = warm = NOTHING;
    const recorded = traceItems(shown.recorded);
    const opt = traceItems(shown.opt);
    byRow = { recorded: recorded.byRow, opt: opt.byRow };
    lists.get("recorded").set(recorded.items);
    lists.get("opt").set(opt.items);
    lists.get("code").set(codeItems(shown.code));
    const facts = { recorded: shown.figures.recorded + " operations", opt: shown.figures.opt + " operations", code: shown.figures.bytes === null ? "" : shown.figures.bytes + " bytes" };
    for (const id of ["recorded", "opt", "code"]) elements.get(id).querySelector("small").textContent = facts[id];
    elements.get("recorded").querySelector("h2 span").textContent = shown.written ? "Given" : "Recorded trace";
    document.documentElement.dataset.piece = shown.number;
    history.replaceState(null, "", "#" + n);
    search.set(search.text);
    hits();
    const { file, line } = shown.place === null ? { file: null } : model.places[shown.place];
    const at = file === null ? undefined : guest.byLine.get(lineKey(file, line));
    if (at !== undefined) lists.get("guest").show(at, true);
    // The interpreter is shown where the first operation comes from.
    const first = recorded.items.find(item => item.kind === "op" && shown.recorded[item.own].stack !== undefined);
    if (first) {
      const around = ties.of("recorded", first);
      for (const id of ["interpreter", "jitcode"]) {
        const list = lists.get(id);
        const there = list.items.findIndex(item => tied(around, id, item) === 2);
        if (there >= 0) list.show(there, true);
      }
    }
    for (const button of tabs.values()) button.classList.remove("has");
    for (const list of lists.values()) list.render();
  }
  const at = tree.byPiece.get(n);
  if (at !== undefined) { lists.get("tree").reveal(at); lists.get("tree").show(at, false); }
}

// A narrow window shows one pane.
function tab(id) {
  document.documentElement.dataset.tab = id;
  for (const [other, button] of tabs) button.setAttribute("aria-pressed", narrow.matches ? other === id : !elements.get(other).hidden);
  const list = lists.get(id);
  if (narrow.matches) tabs.get(id).scrollIntoView({ block: "nearest", inline: "center" });
  list.render();
  if (narrow.matches && chosen) {
    const n = chosen.pane === id ? chosen.n : list.items.findIndex(item => tied(lit, id, item) === 2);
    if (n >= 0) list.show(n, true);
  }
}

function toggle(id) {
  elements.get(id).hidden = !elements.get(id).hidden;
  columns();
}

function columns() {
  for (const box of main.children) box.hidden = [...box.children].every(pane => pane.hidden);
  tab(document.documentElement.dataset.tab || "opt");
  for (const list of lists.values()) list.render();
}

function focus(id) {
  if (narrow.matches) tab(id);
  else if (elements.get(id).hidden) toggle(id);
  lists.get(id).element.focus({ preventScroll: true });
}

function key(event, pane, list) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const n = pane === "tree" ? tree.byPiece.get(piece) : chosen && chosen.pane === pane ? chosen.n : -1;
  const item = n >= 0 ? list.items[n] : null;
  const at = n >= 0 ? list.at.get(list.nearest(n)) : Math.floor(list.element.scrollTop / list.height) - 1;
  const page = Math.max(1, Math.floor(list.element.clientHeight / list.height) - 2);
  const go = to => choose(pane, list.shown[Math.max(0, Math.min(list.shown.length - 1, to))]);
  const actions = {
    ArrowDown: () => go(at + 1), ArrowUp: () => go(at - 1), PageDown: () => go(at + page), PageUp: () => go(at - page),
    Home: () => go(0), End: () => go(list.shown.length - 1),
    ArrowLeft: () => {
      if (!item) return;
      if (item.open) fold(list, n);
      else if (item.parent >= 0) choose(pane, item.parent);
    },
    ArrowRight: () => { if (item && item.open === false) fold(list, n); },
    Enter: () => {
      if (item && item.bridge !== undefined) open(item.bridge);
      else if (pane === "tree") focus("opt");
      else if (item && item.open !== undefined) fold(list, n);
    },
  };
  const action = actions[event.key];
  if (!action || !list.shown.length) return;
  event.preventDefault();
  action();
}

function hits() {
  document.getElementById("hits").textContent = search.label();
}

function goToHit(by) {
  const hit = search.step(by);
  hits();
  if (!hit) return;
  const [pane, n] = hit;
  if (narrow.matches) tab(pane);
  else if (elements.get(pane).hidden) toggle(pane);
  lists.get(pane).reveal(n);
  choose(pane, n);
}

const query = document.getElementById("query");
query.addEventListener("input", () => {
  search.set(query.value);
  hits();
  for (const list of lists.values()) list.render();
});
document.getElementById("search").addEventListener("submit", event => { event.preventDefault(); goToHit(1); });
document.getElementById("previous").addEventListener("click", () => goToHit(-1));
document.getElementById("help").addEventListener("click", () => document.getElementById("keys").showModal());

addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === query) {
    if (event.key === "Escape") { query.blur(); clear(); }
    return;
  }
  const number = "1234567".indexOf(event.key);
  if (number >= 0 && event.key.length === 1) focus(PANES[number].id);
  else if (event.key === "/") query.focus();
  else if (event.key === "n") goToHit(1);
  else if (event.key === "N") goToHit(-1);
  else if (event.key === "[") open(piece - 1);
  else if (event.key === "]") open(piece + 1);
  else if (event.key === "?") document.getElementById("keys").showModal();
  else if (event.key === "Escape") { clear(); return; }
  else return;
  event.preventDefault();
});
narrow.addEventListener("change", columns);

lists.get("tree").set(tree.items);
lists.get("guest").set(guest.items);
lists.get("interpreter").set(interpreter.items);
lists.get("jitcode").set(jitcode.items);
const wanted = Number.parseInt(location.hash.slice(1), 10);
open(wanted >= 0 && wanted < model.pieces.length ? wanted : 0);
document.documentElement.dataset.tab = "opt";
columns();
// How long it took until everything had its place, for whoever measures.
document.body.getBoundingClientRect();
document.documentElement.dataset.opened = (performance.now() - started).toFixed(1);
