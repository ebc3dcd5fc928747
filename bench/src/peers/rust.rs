//! The three benchmarks of the 2009 paper in Rust: the static program that compiled code is
//! compared with. In: n. Out: the result, integers wrapping. Invariant: neither n nor the class of
//! the accumulator is known to rustc.

use std::hint::black_box;

/// Runs a benchmark.
#[inline(never)]
pub fn run(benchmark: &str, n: i64) -> i64 {
    let n = black_box(n);
    match benchmark {
        "factorial" => factorial(n),
        "fibonacci" => fibonacci(n),
        _ => accumulator(n),
    }
}

#[inline(never)]
fn factorial(mut n: i64) -> i64 {
    let mut acc = 1i64;
    while n > 1 {
        acc = acc.wrapping_mul(n);
        n -= 1;
    }
    acc
}

#[inline(never)]
fn fibonacci(mut n: i64) -> i64 {
    let (mut a, mut b) = (0i64, 1i64);
    while n > 0 {
        (a, b) = (b, a.wrapping_add(b));
        n -= 1;
    }
    b
}

trait Accumulate {
    fn accumulate(&mut self, x: i64);
    fn value(&self) -> i64;
}

struct Count(i64);

impl Accumulate for Count {
    fn accumulate(&mut self, _: i64) {
        self.0 = self.0.wrapping_add(1);
    }

    fn value(&self) -> i64 {
        self.0
    }
}

struct Add(i64);

impl Accumulate for Add {
    fn accumulate(&mut self, x: i64) {
        self.0 = self.0.wrapping_add(x);
    }

    fn value(&self) -> i64 {
        self.0
    }
}

#[inline(never)]
fn accumulator(n: i64) -> i64 {
    let (mut n, object): (i64, Box<dyn Accumulate>) = match n < 0 {
        true => (n.wrapping_neg(), Box::new(Count(0))),
        false => (n, Box::new(Add(0))),
    };
    let mut object = black_box(object);
    while n > 0 {
        n -= 1;
        object.accumulate(n);
    }
    object.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results() {
        assert_eq!(run("factorial", 20), 2432902008176640000);
        assert_eq!(run("fibonacci", 10), 89);
        assert_eq!(run("accumulator", 10), 45);
        assert_eq!(run("accumulator", -10), 10);
    }
}
