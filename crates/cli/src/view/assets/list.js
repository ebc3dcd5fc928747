// A list of which only what can be seen is drawn. In: items, how high each is, and how one is drawn. Out: a scrolling element. Invariant: the number of elements
// depends on the height of the window alone; an item is shown if all that fold it are open.

const EXTRA = 12;

class List {
  constructor(element, height, draw) {
    this.element = element;
    this.height = height;
    this.draw = draw;
    this.items = [];
    this.shown = [];
    this.at = new Map();
    this.inner = document.createElement("div");
    this.inner.className = "inner";
    this.rows = document.createElement("div");
    this.rows.className = "rows";
    this.inner.append(this.rows);
    element.append(this.inner);
    this.waiting = false;
    element.addEventListener("scroll", () => this.later(), { passive: true });
    new ResizeObserver(() => this.later()).observe(element);
  }

  set(items) {
    this.items = items;
    this.element.scrollTop = 0;
    this.fold();
  }

  // Finds out what is shown.
  fold() {
    const visible = new Uint8Array(this.items.length);
    this.shown = [];
    this.at.clear();
    let longest = 0;
    this.items.forEach((item, n) => {
      const { parent } = item;
      visible[n] = parent < 0 || (visible[parent] && this.items[parent].open) ? 1 : 0;
      if (!visible[n]) return;
      this.at.set(n, this.shown.length);
      this.shown.push(n);
      longest = Math.max(longest, item.text.length + (item.depth || 0) * 2 + (item.note ? item.note.length : 0));
    });
    this.inner.style.height = this.shown.length * this.height + "px";
    this.inner.style.minWidth = Math.min(longest + 10, 400) + "ch";
    this.render();
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.render(); });
  }

  render() {
    const top = this.element.scrollTop;
    const first = Math.max(0, Math.floor(top / this.height) - EXTRA);
    const last = Math.min(this.shown.length, Math.ceil((top + this.element.clientHeight) / this.height) + EXTRA);
    const rows = [];
    if (this.element.clientHeight > 0) {
      for (let n = first; n < last; n += 1) rows.push(this.draw(this.items[this.shown[n]], this.shown[n]));
    }
    this.rows.style.transform = "translateY(" + first * this.height + "px)";
    this.rows.innerHTML = rows.join("");
  }

  // The item itself if it is shown, else the innermost one that folds it and is.
  nearest(n) {
    while (n >= 0 && !this.at.has(n)) n = this.items[n].parent;
    return n;
  }

  // Opens what folds an item.
  reveal(n) {
    let changed = false;
    for (let p = this.items[n].parent; p >= 0; p = this.items[p].parent) {
      if (!this.items[p].open) { this.items[p].open = true; changed = true; }
    }
    if (changed) this.fold();
  }

  // Scrolls so that an item can be seen. If it can be seen already, nothing moves.
  show(n, middle) {
    n = this.nearest(n);
    if (n < 0) return;
    const y = this.at.get(n) * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (y < scrollTop + this.height || y > scrollTop + clientHeight - 2 * this.height) {
      const edge = y < scrollTop + this.height ? y - this.height : y - clientHeight + 2 * this.height;
      this.element.scrollTop = Math.max(0, middle ? y - clientHeight / 3 : edge);
    }
    this.render();
  }

  // Whether one of these can be seen.
  sees(items) {
    const { scrollTop, clientHeight } = this.element;
    return items.some(n => {
      const y = this.at.get(this.nearest(n)) * this.height;
      return y >= scrollTop && y + this.height <= scrollTop + clientHeight;
    });
  }
}
