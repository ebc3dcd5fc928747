// The three benchmarks of the 2009 paper, and two programs of TLA, in JavaScript. In: a benchmark's name and n. Out: seconds of processor time, and the
// result if numbers (doubles, which do not wrap; the factorial is an int32 that does) can hold it, else "-".
function factorial(n) {
  let acc = 1;
  while (n > 1) { acc = Math.imul(acc, n); n--; }
  return acc;
}

function fibonacci(n) {
  let a = 0, b = 1;
  while (n > 0) { const next = a + b; a = b; b = next; n--; }
  return b;
}

class Count {
  constructor() { this.value = 0; }
  accumulate(x) { this.value = this.value + 1; }
}

class Add {
  constructor() { this.value = 0; }
  accumulate(x) { this.value = this.value + x; }
}

function accumulator(n) {
  let obj;
  if (n < 0) { n = -n; obj = new Count(); } else { obj = new Add(); }
  while (n > 0) { n--; obj.accumulate(n); }
  return obj.value;
}

function fib(n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

function subLoop(m) {
  do { m--; } while (m >= 1);
  return m;
}

function callabit(n) {
  do { subLoop(n); n--; } while (n >= 1);
  return n;
}

const run = { factorial, fibonacci, accumulator, fib, callabit }[process.argv[2]];
const n = Number(process.argv[3]);
run(Math.min(n, 100000));
const begin = process.cpuUsage();
const result = run(n);
const used = process.cpuUsage(begin);
const seconds = (used.user + used.system) * 1e-6;
const exact = Number.isSafeInteger(result) && (run !== factorial || n <= 12);
console.log(seconds.toFixed(9) + " " + (exact ? result : "-"));
