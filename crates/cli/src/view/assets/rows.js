// The items of a piece of code, and how items are drawn. In: rows of the model. Out: items that fold by the places of the guest program and by the calls of the
// interpreter within each other; HTML. Invariant: all text is escaped; an item holds the rows that it stands for in `rows`, and its own, if it has one, in `own`.

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeText = text => text.replace(/[&<>"]/g, c => ENTITIES[c]);

const isPoint = row => row.text.startsWith("merge_point");

// How many of the outermost calls all operations are in, but for those of the portal itself.
function common(rows) {
  let shared = null;
  for (const row of rows) {
    if (row.stack === undefined || isPoint(row)) continue;
    const functions = model.stacks[row.stack].map(frame => frame[0]);
    if (functions.length === 1) continue;
    if (shared === null) { shared = functions; continue; }
    let n = 0;
    while (n < shared.length && shared[n] === functions[n]) n += 1;
    shared = shared.slice(0, n);
  }
  return shared === null ? 1 : shared.length;
}

// The items of a trace.
function traceItems(rows) {
  const items = [];
  const byRow = new Map();
  const base = common(rows);
  let group = -1;
  let path = [];
  const note = n => { for (let p = items.length - 1; p >= 0; p = items[p].parent) items[p].rows.push(n); };
  rows.forEach((row, n) => {
    if (row.idle || row.text.startsWith("label ")) { group = -1; path = []; }
    if (isPoint(row)) {
      path = [];
      group = items.length;
      const name = placeName(row.place);
      items.push({ kind: "place", text: name || row.text, source: placeSource(row.place), title: row.text, parent: -1, depth: 0, open: true, rows: [], own: n });
      byRow.set(n, group);
      note(n);
      return;
    }
    const stack = row.stack === undefined ? [] : model.stacks[row.stack];
    const calls = stack.slice(base).map((frame, k) => ({ f: frame[0], at: base + k > 0 ? stack[base + k - 1] : null }));
    const keys = calls.map(call => call.f + "@" + (call.at ? insnKey(call.at) : ""));
    let same = 0;
    while (same < path.length && same < keys.length && path[same].key === keys[same]) same += 1;
    path = path.slice(0, same);
    for (let k = same; k < keys.length; k += 1) {
      const parent = path.length ? path[path.length - 1].item : group;
      const file = calls[k].at ? lineOf.get(insnKey(calls[k].at)) : undefined;
      const where = file === undefined ? "" : shortName(model.files[+file.split(":")[0]].path) + ":" + file.split(":")[1];
      path.push({ key: keys[k], item: items.length });
      items.push({ kind: "call", text: model.functions[calls[k].f].name, note: where, parent, depth: (group >= 0 ? 1 : 0) + k, open: true, rows: [] });
    }
    const parent = path.length ? path[path.length - 1].item : group;
    const depth = (group >= 0 ? 1 : 0) + path.length;
    const at = items.length;
    const bridge = row.guard === undefined ? undefined : bridgeOf.get(row.guard);
    const detail = row.detail || [];
    items.push({
      kind: row.idle ? "note" : "op", text: row.text, gutter: row.guard, parent, depth, open: detail.length ? false : undefined,
      rows: [], own: n, failed: row.failed, bridge,
    });
    byRow.set(n, at);
    note(n);
    for (const text of detail) items.push({ kind: "detail", text, parent: at, depth: depth + 1, rows: [n] });
  });
  for (const item of items) if (item.kind === "place" || item.kind === "call") item.count = item.rows.length - (item.own === undefined ? 0 : 1);
  return { items, byRow };
}

// The items of machine code.
const codeItems = rows => rows.map((row, n) => ({
  kind: row.text.startsWith(";") ? "comment" : /^\S/.test(row.text) ? "label" : "insn", text: row.text, parent: -1, depth: 0, row: n,
}));

function opClass(name) {
  if (name.startsWith("guard") || name === "leave") return "guard";
  if (name.startsWith("call") || name === "thread") return "call";
  if (name.startsWith("new") || name.startsWith("set") || name.startsWith("fill")) return "store";
  if (name.startsWith("get") || name === "arraylen") return "load";
  if (name === "label" || name === "jump" || name === "close" || name === "finish") return "flow";
  return "pure";
}

// An operation: its results, its name, its arguments, and of what.
function opHtml(text) {
  const match = /^(?:([a-z0-9, ]+?) = )?([a-z_0-9]+)(.*)$/.exec(text);
  if (!match) return escapeText(text);
  const [, result, name, rest] = match;
  const close = rest.lastIndexOf(")");
  const args = rest.slice(0, close + 1), of = rest.slice(close + 1);
  return (result ? `<i class="def">${escapeText(result)}</i> = ` : "") +
    `<b class="${opClass(name)}">${name}</b>${escapeText(args)}<span class="of">${escapeText(of)}</span>`;
}

// A line with its colours.
function sourceHtml(item) {
  if (!item.marks) return escapeText(item.text);
  let html = "", at = 0;
  for (const mark of item.marks) {
    const [lo, hi] = mark.range;
    if (lo < at) continue;
    const why = mark.why ? ` title="${escapeText(mark.why)}"` : "";
    html += escapeText(item.text.slice(at, lo)) + `<span class="c${mark.shade}"${why}>${escapeText(item.text.slice(lo, hi))}</span>`;
    at = hi;
  }
  return html + escapeText(item.text.slice(at));
}

function pieceHtml(item) {
  const piece = model.pieces[item.piece];
  const { entries, failures, seconds, bytes, recorded, opt } = piece.figures;
  const facts = [];
  if (entries !== null) facts.push(count(entries, "entry", "entries"));
  if (failures !== null) facts.push(count(failures, "failure", "failures"));
  if (seconds !== null) facts.push(time(seconds));
  facts.push(recorded + " → " + opt + " ops");
  if (bytes !== null) facts.push(bytes + " B");
  const from = piece.guard ? " from " + piece.guard : "";
  return `<span class="two"><span class="first"><span class="badge ${piece.kind}">${piece.number}</span>` +
    `<b>${escapeText(piece.kind + from)}</b> ${escapeText(placeName(piece.place))} <span class="of">${escapeText(placeSource(piece.place))}</span></span>` +
    `<span class="second">${facts.join(" · ")}</span></span>`;
}

const count = (n, one, many) => n.toLocaleString("en") + " " + (n === 1 ? one : many);
const time = s => (s < 1e-3 ? (s * 1e6).toFixed(0) + " µs" : s < 1 ? (s * 1e3).toPrecision(3) + " ms" : s.toPrecision(3) + " s");

// What stands in a row.
function bodyHtml(pane, item) {
  switch (item.kind) {
    case "piece": return pieceHtml(item);
    case "place": return `<b class="at">${escapeText(item.text)}</b> <span class="src">${escapeText(item.source)}</span>`;
    case "call": return `<span class="fn">${escapeText(item.text)}</span> <span class="of">${escapeText(item.note)}</span>` + (item.open ? "" : ` <span class="of">… ${item.count}</span>`);
    case "head": return `<b>${escapeText(item.text)}</b> <span class="of">${escapeText(item.note || "")}</span>`;
    case "line": return sourceHtml(item);
    case "op": {
      const failed = item.failed ? ` <span class="failed" title="left compiled code ${item.failed} times">×${item.failed}</span>` : "";
      const bridge = item.bridge === undefined ? "" : ` <a class="bridge" href="#${item.bridge}" data-bridge="${item.bridge}">→ ${model.pieces[item.bridge].number}</a>`;
      return opHtml(item.text) + failed + bridge;
    }
    default: return escapeText(item.text);
  }
}
