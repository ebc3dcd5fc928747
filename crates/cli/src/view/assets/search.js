// Search. In: a text, and the panes. Out: hits in the order of the panes, the one at hand among them. Invariant: lower and upper case are the same; what is folded
// is searched, and opened when a hit in it is gone to.

class Search {
  constructor(panes) {
    this.panes = panes;
    this.text = "";
    this.hits = [];
    this.now = -1;
    this.found = new Map();
  }

  set(text) {
    this.text = text.toLowerCase();
    this.hits = [];
    this.now = -1;
    this.found = new Map();
    if (!this.text) return;
    for (const [pane, list] of this.panes) {
      const found = new Set();
      list.items.forEach((item, n) => {
        const text = item.text + " " + (item.source || item.note || "");
        if (text.toLowerCase().includes(this.text)) { found.add(n); this.hits.push([pane, n]); }
      });
      this.found.set(pane, found);
    }
  }

  has(pane, n) {
    const found = this.found.get(pane);
    return found !== undefined && found.has(n);
  }

  // The next hit, or the previous one.
  step(by) {
    if (!this.hits.length) return null;
    this.now = this.now < 0 && by < 0 ? this.hits.length - 1 : (this.now + by + this.hits.length) % this.hits.length;
    return this.hits[this.now];
  }

  label() {
    if (!this.text) return "";
    if (!this.hits.length) return "no hits";
    return (this.now < 0 ? "" : this.now + 1 + " of ") + this.hits.length;
  }
}
