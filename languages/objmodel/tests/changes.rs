//! Classes and instances that change while compiled code runs. In: programs that change something
//! at a known iteration. Out: the iteration at which the change is seen. Invariant under test: on
//! every stage, whatever the JIT does, the next lookup sees the change.

use crate::common::{guest, printed};
use objmodel::machine::{MAX_DEPTH, Stage, load};
use verdigris::Options;
use verdigris_testing::{Run, SETTINGS, SHARES, agree_under, share};

fn program(source: &str, stage: Stage, args: &[i64]) -> impl Fn(Options) -> Run {
    let image = load(source.as_bytes(), "test").unwrap_or_else(|error| panic!("{error}"));
    move |options| guest(&image, args, stage, MAX_DEPTH)(options)
}

/// A loop of `args[0]` iterations prints `expected` on every stage. If there are few of them, the
/// settings are those that compile what has hardly run: a third on each stage, others for other
/// arguments. If there are more than a thousand, the settings are those that compile the loop then.
fn check(source: &str, args: &[i64], expected: &str) {
    let late = args[0] > 1000;
    for (number, stage) in Stage::ALL.into_iter().enumerate() {
        let settings = SETTINGS.iter().filter(|setting| setting.is_late() == late);
        let turn = number + args.iter().sum::<i64>() as usize;
        let settings = share(settings, turn, if late { 1 } else { SHARES });
        let outcome = agree_under(settings, program(source, stage, args));
        let outcome = outcome.unwrap_or_else(|difference| panic!("{stage:?}: {difference}"));
        assert_eq!(printed(outcome), expected, "{stage:?} {args:?}");
    }
}

/// Prints the iterations at which `inst.value()` changes, when the class is changed at iteration
/// `at`.
const METHOD: &str = "
args n, at;
class C { def value() { return 1; } }
inst = new C;
last = 1;
i = 0;
while i < n {
    if i == at { def C.value() { return 2; } }
    now = inst.value();
    if now != last { print i, now; last = now; }
    i = i + 1;
}
";

#[test]
fn a_replaced_method_is_called_at_once() {
    for at in [0, 1, 2, 5, 12] {
        check(METHOD, &[25, at], &format!("{at} 2\n"));
    }
    for at in [0, 1038, 1039, 1040, 1500] {
        check(METHOD, &[1600, at], &format!("{at} 2\n"));
    }
}

/// The class is changed by a method that the loop calls between two lookups.
const BETWEEN: &str = "
args n, at;
class C { value = 10; }
def C.change(i, at) { if i == at { C.value = 20; } }
inst = new C;
i = 0;
while i < n {
    before = inst.value;
    inst.change(i, at);
    after = inst.value;
    if before != after { print i, before, after; }
    i = i + 1;
}
print inst.value;
";

#[test]
fn a_change_between_two_lookups_of_an_iteration_is_seen() {
    for at in [0, 3, 15] {
        check(BETWEEN, &[25, at], &format!("{at} 10 20\n20\n"));
    }
    check(BETWEEN, &[1200, 1100], "1100 10 20\n20\n");
}

/// Every iteration changes the class and looks the change up, before and after it loses its
/// version.
const ALWAYS: &str = "
args n;
class C { value = 0; other = 5; }
inst = new C;
i = 0;
wrong = 0;
while i < n {
    C.value = i;
    if inst.value != i or C.value != i or inst.other != 5 { wrong = wrong + 1; }
    i = i + 1;
}
print wrong, C.value;
";

#[test]
fn changes_in_every_iteration_are_seen() {
    for n in [3, 49, 50, 51, 52, 53, 1500] {
        check(ALWAYS, &[n], &format!("0 {}\n", n - 1));
    }
}

/// A new attribute of the class, and then of the instance, hides what was found before.
const HIDING: &str = "
args n;
class C { }
class D { }
def get(o) { return o.x; }
o = new C;
other = new C;
C.x = 1;
i = 0;
sum = 0;
while i < n {
    if i == n / 3 { C.y = 0; C.x = 100; }
    if i == n * 2 / 3 { o.x = 10000; }
    sum = sum + get(o);
    i = i + 1;
}
print sum, get(o), get(other);
";

#[test]
fn an_attribute_of_the_instance_hides_that_of_the_class() {
    check(HIDING, &[1500], "5050500 10000 100\n");
    check(HIDING, &[6], "20202 10000 100\n");
    check(HIDING, &[60], "202020 10000 100\n");
}

/// Two classes, of which one changes: instances of the other are not affected.
const TWO: &str = "
args n;
class A { value = 1; }
class B { value = 2; }
a = new A;
b = new B;
i = 0;
sum = 0;
while i < n {
    if i % 2 { o = a; } else { o = b; }
    if i == n / 2 { A.value = 1000; }
    sum = sum + o.value;
    i = i + 1;
}
print sum;
";

#[test]
fn a_change_concerns_one_class() {
    check(TWO, &[60], "15075\n");
    check(TWO, &[2000], "502500\n");
}

#[test]
fn changes_of_a_class_do_not_make_compiled_code_without_end() {
    let program = program(ALWAYS, Stage::Versions, &[20_000]);
    let options = Options::parse("threshold=1,trace_eagerness=1").expect("parses");
    let Run { stats, .. } = program(options);
    assert!(stats.bridges < 200, "{stats:?}");
    assert!(stats.guard_failures.interpreter < 1000, "{stats:?}");
}
