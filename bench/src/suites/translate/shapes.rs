//! Sources that are long in one way each. In: a size, the number of whatever the shape has many of.
//! Out: the text of an interpreter crate. Invariant: everything in it is reached from the portal,
//! and its length is proportional to the size, so that a translator whose work is linear takes
//! twice as long for twice the size.

use std::fmt::Write;

/// A way for a source to be long.
pub struct Shape {
    /// Its name in tables.
    pub name: &'static str,
    /// The smallest size that is measured; the others are doublings.
    pub least: usize,
    /// How many sizes are measured.
    pub sizes: u32,
    /// The source of a size.
    pub text: fn(usize) -> String,
}

/// All shapes; the sizes are such that the smallest source takes some hundredths of a second.
pub const SHAPES: [Shape; 18] = [
    shape("interpreter", 1_250, 7, super::interpreter::interpreter),
    shape("arms", 2_500, 4, arms),
    shape("opcodes", 1_000, 4, opcodes),
    shape("nested arms", 1_000, 4, nested_arms),
    shape("macro table", 500, 4, macro_table),
    shape("lets", 1_500, 4, lets),
    shape("assignments", 1_500, 4, assignments),
    shape("conditions", 1_000, 4, conditions),
    shape("mutables", 1_000, 4, mutables),
    shape("methods in a row", 1_500, 4, methods_in_a_row),
    shape("method statements", 1_000, 4, method_statements),
    shape("operators in a row", 400, 4, operators_in_a_row),
    shape("else ifs", 200, 4, else_ifs),
    shape("constants", 2_500, 4, constants),
    shape("table", 5_000, 4, table),
    shape("functions", 1_000, 4, functions),
    shape("instances", 400, 4, instances),
    shape("classes", 250, 4, classes),
];

const fn shape(name: &'static str, least: usize, sizes: u32, text: fn(usize) -> String) -> Shape {
    Shape {
        name,
        least,
        sizes,
        text,
    }
}

/// A portal whose loop has these statements, about `acc: i64` and `x: i64`; and other items.
fn portal(items: &str, statements: &str) -> String {
    format!(
        "use verdigris::prelude::*;
{items}
#[portal]
fn run(code: GcArray<u32>, x: i64) -> i64 {{
    let mut pc = 0usize;
    let mut acc = 0i64;
    loop {{
        merge_point!(greens = [pc, code], reds = [acc, x]);
        let op = code[pc];
        pc += 1;
{statements}
        if acc == x {{
            return acc;
        }}
    }}
}}
"
    )
}

/// The lines that `line` writes for the numbers up to `n`.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for i in 0..n {
        let _ = writeln!(text, "{}", line(i));
    }
    text
}

/// A match on numbers in a function of its own, whose arms only compute.
fn arms(n: usize) -> String {
    let arms = lines(n, |i| format!("        {i} => acc + {i},"));
    let step = format!(
        "fn step(op: u32, acc: i64) -> i64 {{\n    match op {{\n{arms}        _ => acc,\n    }}\n}}\n"
    );
    portal(&step, "        acc = step(op, acc);")
}

/// A portal with all opcodes in its loop, which change its variables.
fn opcodes(n: usize) -> String {
    let arms = lines(n, |i| match i % 4 {
        0 => format!("            {i} => acc += {i},"),
        1 => format!("            {i} => {{ if acc > {i} {{ acc -= x; }} }}"),
        2 => format!("            {i} => return acc / {i},"),
        _ => format!("            {i} => {{ pc = code[pc] as usize; can_enter_jit!(); }}"),
    });
    let text = format!("        match op {{\n{arms}            _ => return acc,\n        }}");
    portal("", &text)
}

/// A match on a pair of an enum with many variants and a number.
fn nested_arms(n: usize) -> String {
    let variants = lines(n, |i| match i % 2 {
        0 => format!("    V{i},"),
        _ => format!("    V{i}(i64),"),
    });
    let arms = lines(n, |i| match i % 2 {
        0 => format!("        (Op::V{i}, _) => acc ^ {i},"),
        _ => format!(
            "        (Op::V{i}(0), _) => acc,\n        (Op::V{i}(n), y) if n > y => n,\n        (Op::V{i}(n), _) => n + {i},"
        ),
    });
    let decode = lines(n, |i| match i % 2 {
        0 => format!("        {i} => Op::V{i},"),
        _ => format!("        {i} => Op::V{i}(x),"),
    });
    let items = format!(
        "#[derive(Clone, Copy, PartialEq)]\nenum Op {{\n{variants}    Last,\n}}
fn decode(op: u32, x: i64) -> Op {{\n    match op {{\n{decode}        _ => Op::Last,\n    }}\n}}
fn step(op: Op, acc: i64) -> i64 {{\n    match (op, acc) {{\n{arms}        (Op::Last, n) => n,\n    }}\n}}\n"
    );
    portal(&items, "        acc = step(decode(op, x), acc);")
}

/// Opcodes, their names and what they do, made by a macro of one list.
fn macro_table(n: usize) -> String {
    let list = lines(n, |i| format!("    V{i} = {i}, |a, b| a * {i} + (b - 1);"));
    let items = format!(
        "macro_rules! opcodes {{
    ($($name:ident = $code:literal, |$a:ident, $b:ident| $body:expr;)*) => {{
        #[derive(Clone, Copy, PartialEq)]
        enum Op {{ $($name,)* Last }}
        fn decode(code: u32) -> Op {{ match code {{ $($code => Op::$name,)* _ => Op::Last }} }}
        fn step(op: Op, x: i64, y: i64) -> i64 {{
            match op {{ $(Op::$name => {{ let ($a, $b) = (x, y); $body }})* Op::Last => x }}
        }}
    }};
}}
opcodes! {{\n{list}}}\n"
    );
    portal(&items, "        acc = step(decode(op), acc, x);")
}

/// A function of many variables, each made of the one before and of the first.
fn lets(n: usize) -> String {
    let lets = lines(n, |i| {
        format!("    let v{} = v{i}.wrapping_mul(x) + v0;", i + 1)
    });
    let step = format!("fn step(v0: i64, x: i64) -> i64 {{\n{lets}    v{n}\n}}\n");
    portal(&step, "        acc = step(acc, x);")
}

/// A function of many statements about the same variables.
fn assignments(n: usize) -> String {
    let list = lines(n, |i| match i % 3 {
        0 => format!("    a += b ^ {i};"),
        1 => format!("    b = a.wrapping_mul({i});"),
        _ => format!("    (a, b) = (b, a - {i});"),
    });
    let step = format!("fn step(mut a: i64, mut b: i64) -> i64 {{\n{list}    a + b\n}}\n");
    portal(&step, "        acc = step(acc, x);")
}

/// A function with many branches behind each other.
fn conditions(n: usize) -> String {
    let list = lines(n, |i| match i % 3 {
        0 => format!("    if a > {i} {{ a -= b; }}"),
        1 => format!("    if a == {i} {{ return b; }}"),
        _ => format!("    b = if a & {i} == 0 && b > 0 {{ a }} else {{ b }};"),
    });
    let step = format!("fn step(mut a: i64, mut b: i64) -> i64 {{\n{list}    a + b\n}}\n");
    portal(&step, "        acc = step(acc, x);")
}

/// A function of many variables that change in branches.
fn mutables(n: usize) -> String {
    let list = lines(n, |i| {
        format!("    let mut v{i} = x;\n    if x > {i} {{ v{i} += 1; }}\n    sum ^= v{i};")
    });
    let step = format!("fn step(x: i64) -> i64 {{\n    let mut sum = 0;\n{list}    sum\n}}\n");
    portal(&step, "        acc = step(acc) ^ x;")
}

/// Statements with chains of calls, as long as they may be.
fn methods_in_a_row(n: usize) -> String {
    let list = lines(n / 50, |_| {
        format!("    x = x{};", ".wrapping_abs()".repeat(50))
    });
    let step = format!("fn step(mut x: i64) -> i64 {{\n{list}    x\n}}\n");
    portal(&step, "        acc = step(acc) ^ x;")
}

/// Calls of a heap object's methods, one behind the other.
fn method_statements(n: usize) -> String {
    let items = "#[gc]
struct Counter { count: Cell<i64>, last: Cell<Option<Gc<Counter>>> }
impl Counter {
    fn add(&self, n: i64) -> Result<i64, i64> {
        self.count.set(self.count.get().checked_add(n).ok_or(n)?);
        Ok(self.count.get())
    }
    fn limited(&self) -> i64 { self.count.get().min(1000).max(3) }
}
";
    let list = lines(n, |i| format!("    c.add({i})?;\n    sum += c.limited();"));
    let step = format!(
        "{items}fn step(c: Gc<Counter>) -> Result<i64, i64> {{\n    let mut sum = 0i64;\n{list}    Ok(sum)\n}}\n"
    );
    portal(
        &step,
        "        let c = Gc::new(Counter { count: Cell::new(acc), last: Cell::new(None) });
        match step(c) { Ok(n) => acc = n, Err(n) => return n }",
    )
}

/// Statements with long sums.
fn operators_in_a_row(n: usize) -> String {
    let list = lines(n / 10, |i| {
        format!("    x ^= x{};", format!(" + {i}").repeat(50))
    });
    let step = format!("fn step(mut x: i64) -> i64 {{\n{list}    x\n}}\n");
    portal(&step, "        acc = step(acc) ^ x;")
}

/// Branches inside the `else` of others.
fn else_ifs(n: usize) -> String {
    let list = lines(n / 40, |i| {
        let branches: Vec<String> = (0..40)
            .map(|k| format!("if x == {} {{ y += {i} }}", i * 40 + k))
            .collect();
        format!("    {}", branches.join(" else "))
    });
    let step = format!("fn step(x: i64) -> i64 {{\n    let mut y = 0;\n{list}    y\n}}\n");
    portal(&step, "        acc = step(acc) ^ x;")
}

/// Constants, some made of others, and a match on them.
fn constants(n: usize) -> String {
    let list = lines(n, |i| match i % 2 {
        0 => format!("const C{i}: u32 = {i};"),
        _ => format!("const C{i}: u32 = C{} + 1;", i - 1),
    });
    let arms = lines(n, |i| format!("        C{i} => acc + {i},"));
    let step = format!(
        "{list}fn step(op: u32, acc: i64) -> i64 {{\n    match op {{\n{arms}        _ => acc,\n    }}\n}}\n"
    );
    portal(&step, "        acc = step(op, acc);")
}

/// A constant array.
fn table(n: usize) -> String {
    let items = lines(n, |i| format!("    {},", i * 7 % 1000));
    portal(
        &format!("const TABLE: [i64; {n}] = [\n{items}];\n"),
        "        acc ^= TABLE[op as usize];",
    )
}

/// Small functions, each of which calls the one before.
fn functions(n: usize) -> String {
    let list = lines(n, |i| match i {
        0 => "fn f0(x: i64) -> i64 { x }".to_string(),
        i => format!("fn f{i}(x: i64) -> i64 {{\n    f{}(x) + {i}\n}}", i - 1),
    });
    portal(&list, &format!("        acc = f{}(acc);", n - 1))
}

/// Types with a trait, and a generic function for each.
fn instances(n: usize) -> String {
    let types = lines(n, |i| {
        format!(
            "#[derive(Clone, Copy, PartialEq)]\nstruct T{i} {{ n: i64 }}
impl Weigh for T{i} {{\n    fn weigh(self) -> i64 {{\n        self.n + {i}\n    }}\n}}"
        )
    });
    let calls = lines(n, |i| {
        format!("        {i} => heavier(T{i} {{ n: acc }}, T{i} {{ n: {i} }}),")
    });
    let step = format!(
        "trait Weigh: Copy {{ fn weigh(self) -> i64; }}
{types}fn heavier<T: Weigh>(a: T, b: T) -> i64 {{ if a.weigh() > b.weigh() {{ a.weigh() }} else {{ b.weigh() }} }}
fn step(op: u32, acc: i64) -> i64 {{\n    match op {{\n{calls}        _ => acc,\n    }}\n}}\n"
    );
    portal(&step, "        acc = step(op, acc);")
}

/// Heap classes with methods of the same names, and functions that call them.
fn classes(n: usize) -> String {
    let types = lines(n, |i| {
        format!(
            "#[gc]\nstruct C{i} {{\n    n: Cell<i64>,\n    items: GcArray<Cell<i64>>,\n}}
impl C{i} {{\n    fn set(&self, n: i64) {{\n        self.n.set(n);\n    }}\n    fn get(&self) -> i64 {{\n        self.n.get() + self.items[0].get()\n    }}\n}}
fn use_{i}(n: i64) -> i64 {{\n    let c = Gc::new(C{i} {{ n: Cell::new(n), items: GcArray::new(1, 7) }});\n    c.set({i});\n    c.get()\n}}"
        )
    });
    let calls = lines(n, |i| format!("        {i} => use_{i}(acc),"));
    let step = format!(
        "{types}fn step(op: u32, acc: i64) -> i64 {{\n    match op {{\n{calls}        _ => acc,\n    }}\n}}\n"
    );
    portal(&step, "        acc = step(op, acc);")
}
