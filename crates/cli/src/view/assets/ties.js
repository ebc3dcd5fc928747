// What belongs to what. In: a piece of code, and an item of a pane. Out: for each pane the items that belong to it. Invariant: ties go through the recorded
// operations: each knows its guest line and its frames in the interpreter; what is left of it and the instructions made for that lead back to it.

class Ties {
  constructor(piece) {
    this.piece = piece;
    this.optBy = new Map();
    this.codeBy = new Map();
    // Written code says no more than which instruction an operation is for.
    this.bySource = new Map();
    const push = (map, key, value) => { map.has(key) ? map.get(key).push(value) : map.set(key, [value]); };
    const source = row => (row.stack === undefined ? null : row.stack + " " + row.place);
    piece.recorded.forEach((row, n) => { if (piece.written && source(row)) push(this.bySource, source(row), n); });
    piece.opt.forEach((row, n) => {
      if (row.from !== undefined) push(this.optBy, row.from, n);
      else if (piece.written && source(row)) for (const r of this.bySource.get(source(row)) || []) push(this.optBy, r, n);
    });
    piece.code.forEach((row, n) => { for (const op of row.ops || []) push(this.codeBy, op, n); });
    this.source = source;
  }

  recordedOf(n) {
    const row = this.piece.opt[n];
    if (row.from !== undefined) return [row.from];
    return this.piece.written && this.source(row) ? this.bySource.get(this.source(row)) || [] : [];
  }

  // Rows of the recorded and of the optimised trace for which this holds of their frames.
  rowsIn(holds) {
    const found = [];
    this.piece.recorded.forEach((row, n) => {
      if (row.stack !== undefined && !row.text.startsWith("merge_point") && holds(model.stacks[row.stack])) found.push(n);
    });
    return found;
  }

  // The rows and places that a choice means.
  of(pane, item) {
    const { piece } = this;
    const recorded = new Set(), opt = new Set(), code = new Set(), frames = new Set(), outer = new Set(), lines = new Set(), guestLines = new Set();
    const innermost = keys => this.rowsIn(stack => keys.has(insnKey(stack[stack.length - 1])));
    if (pane === "recorded") for (const n of item.rows) recorded.add(n);
    if (pane === "opt") for (const n of item.rows) opt.add(n);
    if (pane === "code") { code.add(item.row); for (const n of piece.code[item.row].ops || []) opt.add(n); }
    if (pane === "guest" && item.kind === "line") {
      guestLines.add(lineKey(item.file, item.line));
      const here = row => {
        const place = row.place === undefined ? null : model.places[row.place];
        return place && !row.text.startsWith("label ") && place.file === item.file && place.line === item.line;
      };
      piece.recorded.forEach((row, n) => { if (here(row)) recorded.add(n); });
      piece.opt.forEach((row, n) => { if (row.from === undefined && here(row)) opt.add(n); });
    }
    if (pane === "interpreter" && item.kind === "line") {
      const key = lineKey(item.file, item.line);
      lines.add(key);
      for (const frame of jitcode.byLine.get(key) || []) frames.add(insnKey(frame));
      for (const n of innermost(frames)) recorded.add(n);
    }
    if (pane === "jitcode" && item.kind === "insn") {
      const key = insnKey(item.frame);
      frames.add(key);
      // What a call leads to belongs to it.
      const any = / = call |^call /.test(item.text);
      const rows = any ? this.rowsIn(stack => stack.some(frame => insnKey(frame) === key)) : innermost(frames);
      for (const n of rows) recorded.add(n);
    }
    // A choice of what is left leads to what it is left of, and from there to its fellows only if the choice was another.
    if (opt.size) for (const n of opt) for (const r of this.recordedOf(n)) recorded.add(r);
    if (pane !== "opt" && pane !== "code") for (const n of recorded) for (const o of this.optBy.get(n) || []) opt.add(o);
    if (pane !== "code") for (const n of opt) for (const c of this.codeBy.get(n) || []) code.add(c);
    const rows = recorded.size ? [...recorded].map(n => piece.recorded[n]) : [...opt].map(n => piece.opt[n]);
    for (const row of rows) {
      if (row.stack !== undefined && pane !== "jitcode" && pane !== "interpreter") {
        const stack = model.stacks[row.stack];
        frames.add(insnKey(stack[stack.length - 1]));
        for (const frame of stack.slice(0, -1)) outer.add(insnKey(frame));
      }
      if (row.place !== undefined && pane !== "guest") {
        const { file, line } = model.places[row.place];
        if (file !== null) guestLines.add(lineKey(file, line));
      }
    }
    for (const key of frames) lines.add(lineOf.get(key));
    const outerLines = new Set([...outer].map(key => lineOf.get(key)).filter(key => !lines.has(key)));
    for (const key of frames) outer.delete(key);
    return { recorded, opt, code, frames, outer, lines, outerLines, guestLines };
  }
}

const NOTHING = {
  recorded: new Set(), opt: new Set(), code: new Set(), frames: new Set(), outer: new Set(),
  lines: new Set(), outerLines: new Set(), guestLines: new Set(),
};

// Whether an item belongs to what is tied: 2 if it does, 1 if it is only a call around it, 0 otherwise.
function tied(ties, pane, item) {
  switch (pane) {
    case "guest": return ties.guestLines.has(lineKey(item.file, item.line)) ? 2 : 0;
    case "interpreter": {
      const key = lineKey(item.file, item.line);
      return ties.lines.has(key) ? 2 : ties.outerLines.has(key) ? 1 : 0;
    }
    case "jitcode": {
      if (!item.frame) return 0;
      const key = insnKey(item.frame);
      return ties.frames.has(key) ? 2 : ties.outer.has(key) ? 1 : 0;
    }
    case "recorded": return item.own !== undefined && ties.recorded.has(item.own) ? 2 : 0;
    case "opt": return item.own !== undefined && ties.opt.has(item.own) ? 2 : 0;
    case "code": return ties.code.has(item.row) ? 2 : 0;
    default: return 0;
  }
}
