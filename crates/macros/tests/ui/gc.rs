#[gc]
struct Pair(i64, i64);
#[gc]
struct List<T> where T: Copy { head: T }
#[gc]
struct Borrow<'a> { text: &'a str }
#[gc(fast)]
#[repr(packed)]
struct Odd { #[cfg(test)] a: i64, #[cfg_attr(test, b)] b: i64 }
#[gc]
enum Shape { Dot }

#[gc]
struct Marked {
    #[quasi_immutable]
    version: Cell<i64>,
}
