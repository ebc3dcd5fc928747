//! What objects do, and what is compiled for them. In: texts. Out: what they print, under all
//! settings of the JIT, and the code of hot loops. Invariants under test: an access to a field is a
//! check of the shape and a load or store, a call of a method is inlined, and objects that do not
//! leave a turn of a loop are not made.

mod common;

use common::{REPEATABLE, agreed, hot_loop, run};

const POINT: &str = "class Point {
    fn init(x, y) { self.x = x self.y = y }
    fn plus(other) { return Point(self.x + other.x, self.y + other.y) }
    fn move(by) { self.x = self.x + by }
}\n";

fn with_point(text: &str) -> String {
    POINT.to_string() + text
}

#[test]
fn objects_have_fields_and_methods() {
    let text = "let p = Point(1, 2).plus(Point(10, 20)) p.move(100) print p.x print p.y print p print Point";
    assert_eq!(
        agreed(&with_point(text)),
        "111\n22\n<Point>\n<class Point>\n"
    );
}

#[test]
fn fields_may_be_added_at_any_time() {
    let text = "class Bag { }
        let i = 0 let sum = 0
        while i < 60 {
            let bag = Bag()
            if i % 3 == 0 { bag.a = 1 bag.b = 2 } else { bag.b = 3 bag.a = i }
            bag.c = i bag.d = 4 bag.e = 5 bag.f = 6
            sum = sum + bag.a + bag.b + bag.c + bag.f
            i = i + 1
        }
        print sum";
    assert_eq!(agreed(text), "3510\n");
}

#[test]
fn methods_are_closures_and_self_is_a_variable() {
    let text = "let made = 0
        class Counter {
            fn init() { made = made + 1 self.n = 0 }
            fn adder() { return fn(by) { self.n = self.n + by return self } }
            fn copy() { let c = Counter() c.n = self.n return c }
        }
        let add = Counter().adder() let i = 0
        while i < 50 { add(i) i = i + 1 }
        print add(0).copy().n print made";
    assert_eq!(agreed(text), "1225\n2\n");
}

#[test]
fn errors_name_their_line() {
    let said = |text: &str| agreed(&with_point(text));
    assert_eq!(
        said("print Point(1, 2).z"),
        "error: 6: an object has no field `z`\n"
    );
    assert_eq!(
        said("Point(1, 2).fly()"),
        "error: 6: an object has no method `fly`\n"
    );
    assert_eq!(
        said("let x = 1\nx.y = 2"),
        "error: 7: an integer has no field `y`\n"
    );
    assert_eq!(
        said("Point(1)"),
        "error: 6: `Point.init` takes 2 arguments, 1 were given\n"
    );
    assert_eq!(
        said("Point(1, 2).plus()"),
        "error: 6: `Point.plus` takes 1 arguments, 0 were given\n"
    );
    assert_eq!(
        said("class A { } A(1)"),
        "error: 6: `A` has no `init` that takes arguments\n"
    );
    assert_eq!(
        said("class A { x = 1 }"),
        "error: 6: expected a method, found `x`\n"
    );
}

#[test]
fn a_field_is_no_search() {
    let text = "let p = Point(1, 2) let i = 0
        while i < 20000 { p.x = p.x + p.y i = i + 1 } print p.x";
    let body = hot_loop(&with_point(text));
    assert_eq!(body.count_all("call"), 0, "{}", body.text);
    assert_eq!(body.count_all("new"), 0, "{}", body.text);
}

#[test]
fn a_method_is_inlined() {
    let text = "let p = Point(1, 2) let i = 0
        while i < 20000 { p.move(i) i = i + 1 } print p.x";
    let body = hot_loop(&with_point(text));
    assert_eq!(body.count_all("call"), 0, "{}", body.text);
    assert_eq!(body.count_all("new"), 0, "{}", body.text);
}

#[test]
fn objects_that_a_turn_makes_and_forgets_are_not_made() {
    let text = "let i = 0 let sum = 0
        while i < 20000 { sum = sum + Point(i, 1).plus(Point(1, i)).y i = i + 1 } print sum";
    let body = hot_loop(&with_point(text));
    assert_eq!(body.count_all("new"), 0, "{}", body.text);
    assert_eq!(body.count_all("call"), 0, "{}", body.text);
    assert_eq!(body.writes(), 0, "{}", body.text);
}

#[test]
fn another_class_is_another_branch() {
    let text = "class Origin { fn plus(other) { return other } }
        let a = Point(1, 2) let b = Origin() let i = 0
        while i < 20000 { let p = a.plus(Point(1, 1)) let c = a a = b b = c i = i + 1 } print i";
    let run = run(&with_point(text), REPEATABLE);
    assert_eq!(run.output, "20000\n");
    assert!(run.stats.bridges >= 1, "{:?}", run.stats);
}
