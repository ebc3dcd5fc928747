#[opaque]
fn generic<T>(x: T) {}
#[opaque(pure)]
async fn both(x: &str, y: (i64, i64)) -> [u8; 2] { [0, 1] }
#[elidable]
unsafe extern "C" fn c(f: fn(i64) -> i64, p: *const u8, s: Box<i64>) -> impl Copy {}
#[opaque]
fn many(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8) -> ! { panic!() }
#[unroll_safe(4)]
fn unrolled() {}
#[elidable]
struct NotAFunction;
impl Foo {
    #[opaque]
    fn mutable(&mut self) {}
}
impl Foo {
    #[opaque]
    fn typed(self: Gc<Self>) {}
}
impl Foo {
    #[readonly(2, x)]
    fn look(&self) -> i64 { 0 }
}
#[look_inside_iff]
fn no_predicate(n: i64) -> i64 { n }
#[look_inside_iff(few)]
fn taken_apart((a, b): (i64, i64), c: &i64) -> i64 { a + b + c }
#[elidable_promote(m)]
fn nobody(n: i64) -> i64 { n }
#[elidable_promote(3)]
fn a_number(n: i64) -> i64 { n }
#[loop_invariant]
fn of_something(n: i64) -> i64 { n }

#[conditional_call]
fn without_condition(x: i64) {}

#[conditional_call]
fn with_result(wanted: bool) -> i64 {
    7
}

#[conditional_call]
fn of_an_object(&self, wanted: bool) {}
#[advice(" ")]
fn advised() {}
#[advice]
fn not_advised() {}
