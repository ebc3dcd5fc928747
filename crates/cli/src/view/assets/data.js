// What the page shows. In: the model in the page. Out: the items of each pane that belong to no piece of code: source files, jitcode, the tree.
// Invariant: an item's place in its list is its identity; `parent` is the place of the item that folds it, always a smaller one, or -1.
"use strict";

const started = performance.now();
const model = JSON.parse(document.getElementById("model").textContent);

const PANES = [
  { id: "tree", name: "Code", title: "Loops and bridges" },
  { id: "guest", name: "Guest", title: "Guest program" },
  { id: "interpreter", name: "Interpreter", title: "Interpreter" },
  { id: "jitcode", name: "Jitcode", title: "Jitcode" },
  { id: "recorded", name: "Recorded", title: "Recorded trace" },
  { id: "opt", name: "Optimised", title: "Optimised trace" },
  { id: "code", name: "Machine", title: "Machine code" },
];

const shortName = path => path.slice(path.lastIndexOf("/") + 1);
const lineKey = (file, line) => file + ":" + line;
const insnKey = frame => frame[0] + ":" + frame[1];

// A place of the guest program as a short text: `fib.lua:12`.
function placeName(place) {
  if (place === undefined || place === null) return "";
  const { text, file, line } = model.places[place];
  return file === null ? text : shortName(model.files[file].path) + ":" + line;
}

// The source line of a place, without indentation.
function placeSource(place) {
  if (place === undefined || place === null) return "";
  const { file, line } = model.places[place];
  return file === null ? "" : (model.files[file].lines[line - 1] || "").trim();
}

// The lines of the guest's files, or of the interpreter's. Of a file that could not be read there are the lines that code belongs to.
function fileItems(guest) {
  const items = [];
  const byLine = new Map();
  model.files.forEach((file, number) => {
    if (file.guest !== guest) return;
    const head = items.length;
    const read = file.lines.length > 0;
    items.push({ kind: "head", text: file.path + (read ? "" : " (not read)"), parent: -1, open: true });
    const marks = new Map(file.marks || []);
    const add = (line, text) => {
      byLine.set(lineKey(number, line), items.length);
      items.push({ kind: "line", gutter: line, text, file: number, line, marks: marks.get(line - 1), parent: head });
    };
    if (read) {
      file.lines.forEach((text, index) => add(index + 1, text));
    } else {
      const lines = guest
        ? model.places.filter(place => place.file === number).map(place => place.line)
        : model.functions.filter(f => f.file === number).flatMap(f => f.insns.map(insn => insn[2]));
      [...new Set(lines)].sort((a, b) => a - b).forEach(line => add(line, ""));
    }
  });
  return { items, byLine };
}

// The interpreter's functions with their instructions.
function jitcodeItems() {
  const items = [];
  const byInsn = new Map();
  const byLine = new Map();
  model.functions.forEach((f, number) => {
    const head = items.length;
    const file = model.files[f.file];
    items.push({ kind: "head", text: f.name, note: file ? file.path : "", parent: -1, open: true });
    for (const [pc, text, line] of f.insns) {
      byInsn.set(insnKey([number, pc]), items.length);
      const key = lineKey(f.file, line);
      if (!byLine.has(key)) byLine.set(key, []);
      byLine.get(key).push([number, pc]);
      items.push({ kind: "insn", gutter: pc, text, frame: [number, pc], parent: head });
    }
  });
  return { items, byInsn, byLine };
}

// The pieces of code: bridges below the code that they continue.
function treeItems() {
  const children = new Map();
  model.pieces.forEach((piece, n) => {
    const key = piece.from === null ? -1 : piece.from;
    if (!children.has(key)) children.set(key, []);
    children.get(key).push(n);
  });
  const items = [];
  const byPiece = new Map();
  const stack = (children.get(-1) || []).map(n => [n, 0, -1]).reverse();
  while (stack.length) {
    const [n, depth, parent] = stack.pop();
    const at = items.length;
    byPiece.set(n, at);
    const inner = children.get(n) || [];
    items.push({ kind: "piece", piece: n, depth, parent, open: inner.length ? true : undefined, text: model.pieces[n].title });
    for (const child of [...inner].reverse()) stack.push([child, depth + 1, at]);
  }
  return { items, byPiece };
}

const guest = fileItems(true);
const interpreter = fileItems(false);
const jitcode = jitcodeItems();
const tree = treeItems();

// Which piece continues a guard.
const bridgeOf = new Map();
model.pieces.forEach((piece, n) => { if (piece.guard) bridgeOf.set(piece.guard, n); });

// The source line of an instruction of the interpreter.
const lineOf = new Map();
model.functions.forEach((f, number) => {
  for (const [pc, , line] of f.insns) lineOf.set(insnKey([number, pc]), lineKey(f.file, line));
});
