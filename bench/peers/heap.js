// Nodes that are made and linked, and a tree to collect, in JavaScript. In: what, and n. Out: seconds of processor time, and a result.
class Node {
  constructor(value, next) { this.value = value; this.next = next; }
}

class Tree {
  constructor(left, right) { this.left = left; this.right = right; }
}

function make(n) {
  let chain = null;
  while (n > 0) {
    chain = new Node(n, chain);
    if ((n & 63) === 0) chain = null;
    n--;
  }
  return chain.value;
}

const nodes = [];
for (let i = 0; i < 1024; i++) nodes.push(new Node(i, null));

function link(n) {
  while (n > 0) {
    nodes[n & 1023].next = nodes[(n + 7) & 1023];
    n--;
  }
  return nodes[1].next.value;
}

function count(n) {
  while (n > 0) {
    nodes[n & 1023].value = n;
    n--;
  }
  return nodes[7].value;
}

function tree(depth) {
  return depth === 0 ? new Tree(null, null) : new Tree(tree(depth - 1), tree(depth - 1));
}

function nodesOf(tree) {
  return tree.left === null ? 1 : 1 + nodesOf(tree.left) + nodesOf(tree.right);
}

function timed(f) {
  const begin = process.cpuUsage();
  const result = f();
  const used = process.cpuUsage(begin);
  return [(used.user + used.system) * 1e-6, result];
}

const run = { make, link, count }[process.argv[2]];
const n = Number(process.argv[3]);
let seconds, result;
if (run) {
  run(1000000);
  [seconds, result] = timed(() => run(n));
} else {
  const kept = tree(n);
  globalThis.gc();
  [seconds] = timed(() => globalThis.gc());
  result = nodesOf(kept);
}
console.log(seconds.toFixed(9) + " " + result);
