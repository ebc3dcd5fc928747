//! The colours of all constructs: source in, coloured source out.

use crate::support::{colour, colour_changed};
use expect_test::{Expect, expect};
use verdigris_colours::Style;
use verdigris_graph::GraphDescr;

/// The coloured source with marks, and the complaints in one line each.
fn shown(source: &str) -> String {
    let (report, diagnostics) = colour(source);
    let mut out = report.text(Style::Marks);
    for diagnostic in &diagnostics.list {
        out += &format!("{}\n", diagnostic.line(&diagnostics.files));
    }
    out
}

/// A portal with a green program and pc and a red number, after some items.
fn check(items: &str, body: &str, expect: Expect) {
    let source = portal(items, body);
    expect.assert_eq(&shown(&source));
}

fn portal(items: &str, body: &str) -> String {
    let body = body.trim().replace('\n', "\n        ");
    format!(
        "use verdigris::{{concrete, is_constant, is_virtual, we_are_jitted, prelude::*}};\n{}\n#[portal]\nfn run(code: GcArray<u8>, mut n: i64) -> i64 {{\n    \
         let mut pc: usize = 0;\n    loop {{\n        merge_point!(greens = [pc, code], reds = [n]);\n        {body}\n    \
         }}\n}}\n",
        items.trim()
    )
}

#[test]
fn what_follows_from_greens_is_green() {
    check(
        "",
        "let op = code[pc];\nlet both = n + op as i64;\nif op == 3 {\n    return both;\n}\nn = -n;\npc = code.len() - 1;",
        expect![[r#"
            main.rs
                4 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
                5 |     let mut pc: usize = 0;
                  |             gg          g
                6 |     loop {
                7 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
                8 |         let op = code[pc];
                  |             gg   gggggggg
                9 |         let both = n + op as i64;
                  |             rrrr   r r gg gg ggg
               10 |         if op == 3 {
                  |            gg gg g
               11 |             return both;
                  |                    rrrr
               12 |         }
               13 |         n = -n;
                  |         r   rr
               14 |         pc = code.len() - 1;
                  |         gg   gggggggggg g g
               15 |     }
               16 | }
        "#]],
    );
}

#[test]
fn a_red_choice_among_greens_is_red_unless_somebody_needs_it() {
    check(
        "#[opaque]\nfn show(x: i64) {}",
        "let a = if n > 0 { 1 } else { 2 };\nlet b = if n > 0 { 1 } else { 2 };\nlet c = if pc > 0 { 1 } else { 2 };\n\
         show(a + concrete(b) + c);\nif n > 3 {\n    pc += 1;\n} else {\n    pc = 0;\n}\nn -= 1;",
        expect![[r#"
            main.rs
                5 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
                6 |     let mut pc: usize = 0;
                  |             gg          g
                7 |     loop {
                8 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
                9 |         let a = if n > 0 { 1 } else { 2 };
                  |             r      r r g   g          g
               10 |         let b = if n > 0 { 1 } else { 2 };
                  |             g      r r g   g          g
               11 |         let c = if pc > 0 { 1 } else { 2 };
                  |             g      gg g g   g          g
               12 |         show(a + concrete(b) + c);
                  |              r r ggggggggggg r g
               13 |         if n > 3 {
                  |            r r g
               14 |             pc += 1;
                  |             gg gg g
               15 |         } else {
               16 |             pc = 0;
                  |             gg   g
               17 |         }
               18 |         n -= 1;
                  |         r rr g
               19 |     }
               20 | }
        "#]],
    );
}

#[test]
fn a_choice_counts_only_where_its_ways_meet() {
    check(
        "",
        "let mut x = 0;\nif pc > 0 {\n    if n > 0 {\n        n = 7;\n    }\n    x = 1;\n}\nif x == 0 {\n    return n;\n}",
        expect![[r#"
            main.rs
                4 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
                5 |     let mut pc: usize = 0;
                  |             gg          g
                6 |     loop {
                7 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
                8 |         let mut x = 0;
                  |                 g   g
                9 |         if pc > 0 {
                  |            gg g g
               10 |             if n > 0 {
                  |                r r g
               11 |                 n = 7;
                  |                 g   g
               12 |             }
               13 |             x = 1;
                  |             g   g
               14 |         }
               15 |         if x == 0 {
                  |            g gg g
               16 |             return n;
                  |                    r
               17 |         }
               18 |     }
               19 | }
        "#]],
    );
}

#[test]
fn counters_of_loops_are_as_red_as_their_ends() {
    check(
        "#[unroll_safe]\nfn count(to: i64) -> i64 {\n    let mut i = 0;\n    while i < to {\n        i += 1;\n    }\n    \
         i\n}",
        "let green = count(3);\nlet red = count(n);\nn = green + red;\npc += 1;",
        expect![[r#"
            main.rs
                3 | fn count(to: i64) -> i64 {
                  |          bb
                4 |     let mut i = 0;
                  |             g   g
                5 |     while i < to {
                  |           b b bb
                6 |         i += 1;
                  |         b bb g
                7 |     }
                8 |     i
                  |     b
                9 | }
              ...
               11 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
               12 |     let mut pc: usize = 0;
                  |             gg          g
               13 |     loop {
               14 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
               15 |         let green = count(3);
                  |             ggggg   gggggggg
               16 |         let red = count(n);
                  |             rrr   rrrrrrrr
               17 |         n = green + red;
                  |         r   ggggg r rrr
               18 |         pc += 1;
                  |         gg gg g
               19 |     }
               20 | }
        "#]],
    );
}

#[test]
fn functions_have_a_colour_for_each_colour_of_their_arguments() {
    check(
        "fn add(x: i64, y: i64) -> i64 {\n    let one = 1;\n    x + y + one\n}\nfn sign(x: i64) -> i64 {\n    if x < 0 {\n        \
         return -1;\n    }\n    1\n}",
        "let a = add(pc as i64, 2);\nlet b = add(n, 2);\nlet c = sign(a);\nlet d = sign(b);\nn = a + b + c + d;",
        expect![[r#"
            main.rs
                2 | fn add(x: i64, y: i64) -> i64 {
                  |        b       g
                3 |     let one = 1;
                  |         ggg   g
                4 |     x + y + one
                  |     b b g b ggg
                5 | }
                6 | fn sign(x: i64) -> i64 {
                  |         b
                7 |     if x < 0 {
                  |        b b g
                8 |         return -1;
                  |                gg
                9 |     }
               10 |     1
                  |     g
               11 | }
              ...
               13 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
               14 |     let mut pc: usize = 0;
                  |             gg          g
               15 |     loop {
               16 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
               17 |         let a = add(pc as i64, 2);
                  |             g   gggggg gg gggg gg
               18 |         let b = add(n, 2);
                  |             r   rrrrrr gr
               19 |         let c = sign(a);
                  |             g   ggggggg
               20 |         let d = sign(b);
                  |             r   rrrrrrr
               21 |         n = a + b + c + d;
                  |         r   g r r r g r r
               22 |     }
               23 | }
        "#]],
    );
}

#[test]
fn memory_is_green_if_it_cannot_change() {
    check(
        "#[gc]\nstruct Node {\n    fixed: i64,\n    next: GcArray<i64>,\n    cell: Cell<i64>,\n    cells: GcArray<Cell<i64>>,\n}\n\
         #[gc]\nstruct Table {\n    nodes: GcArray<Gc<Node>>,\n}\n#[elidable]\nfn table(x: i64) -> Gc<Table> {\n    todo!()\n}",
        "let node = table(3).nodes[pc];\nlet a = node.fixed + node.next[1];\nlet b = node.cell.get();\n\
         let c = node.cells[0].get() + node.cells.len() as i64;\nlet d = table(n);\nlet e = d.nodes[0].fixed;\nn = a + b + c + e;",
        expect![[r#"
            main.rs
               18 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
               19 |     let mut pc: usize = 0;
                  |             gg          g
               20 |     loop {
               21 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
               22 |         let node = table(3).nodes[pc];
                  |             gggg   gggggggggggggggggg
               23 |         let a = node.fixed + node.next[1];
                  |             g   gggggggggg g gggggggggggg
               24 |         let b = node.cell.get();
                  |             r   ggggrrrrrrrrrrr
               25 |         let c = node.cells[0].get() + node.cells.len() as i64;
                  |             r   ggggggggggrgrrrrrrr r gggggggggggggggg gg ggg
               26 |         let d = table(n);
                  |             r   rrrrrrrr
               27 |         let e = d.nodes[0].fixed;
                  |             r   rrrrrrrrgrrrrrrr
               28 |         n = a + b + c + e;
                  |         r   g r r r r r r
               29 |     }
               30 | }
        "#]],
    );
}

/// Answers of the tracer about what it knows are known while it records.
#[test]
fn questions_to_the_tracer_are_green() {
    check(
        "#[gc]\nstruct Box {\n    n: i64,\n}",
        "let a = is_constant(n);\nlet b = is_virtual(Gc::new(Box { n }));\nlet c = we_are_jitted();\nif a & b & c {\n    return 0;\n}",
        expect![[r#"
            main.rs
                7 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
                8 |     let mut pc: usize = 0;
                  |             gg          g
                9 |     loop {
               10 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
               11 |         let a = is_constant(n);
                  |             g   ggggggggggggrg
               12 |         let b = is_virtual(Gc::new(Box { n }));
                  |             g   gggggggggggrrrrrrrrrrr r r rrg
               13 |         let c = we_are_jitted();
                  |             g   ggggggggggggggg
               14 |         if a & b & c {
                  |            g g g g g
               15 |             return 0;
                  |                    g
               16 |         }
               17 |     }
               18 | }
        "#]],
    );
}

#[test]
fn a_promoted_value_is_green_behind_the_promotion() {
    check(
        "",
        "let before = n + 1;\nlet known = promote(before);\nlet after = before + known;\nn = after;\npc = known as usize;",
        expect![[r#"
            main.rs
                4 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
                5 |     let mut pc: usize = 0;
                  |             gg          g
                6 |     loop {
                7 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
                8 |         let before = n + 1;
                  |             rrrrrr   r r g
                9 |         let known = promote(before);
                  |             ggggg   ggggggggrrrrrrg
               10 |         let after = before + known;
                  |             ggggg   gggggg g ggggg
               11 |         n = after;
                  |         g   ggggg
               12 |         pc = known as usize;
                  |         gg   ggggg gg ggggg
               13 |     }
               14 | }
        "#]],
    );
}

#[test]
fn values_are_as_red_as_their_reddest_component() {
    check(
        "#[derive(Clone, Copy)]\nstruct At {\n    pc: usize,\n    n: i64,\n}\nfn step(at: At) -> At {\n    \
         At { pc: at.pc + 1, n: at.n - 1 }\n}",
        "let at = step(At { pc, n });\npc = at.pc;\nn = at.n;\nlet some = if n > 0 { Some(n) } else { None };\n\
         match some {\n    Some(x) => n = x,\n    None => return 0,\n}",
        expect![[r#"
            main.rs
                7 | fn step(at: At) -> At {
                  |         rr
                8 |     At { pc: at.pc + 1, n: at.n - 1 }
                  |     rr r rrr rrggg g gr rr rrrr r g r
                9 | }
              ...
               11 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
               12 |     let mut pc: usize = 0;
                  |             gg          g
               13 |     loop {
               14 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
               15 |         let at = step(At { pc, n });
                  |             rr   rrrrrrr r ggr r rr
               16 |         pc = at.pc;
                  |         gg   rrggg
               17 |         n = at.n;
                  |         r   rrrr
               18 |         let some = if n > 0 { Some(n) } else { None };
                  |             rrrr      r r g   rrrrrrr          gggg
               19 |         match some {
                  |               rrrr
               20 |             Some(x) => n = x,
                  |                  r     r   r
               21 |             None => return 0,
                  |                            g
               22 |         }
               23 |     }
               24 | }
        "#]],
    );
}

/// The error of a `Result` takes the place of its value, and each keeps its colour.
#[test]
fn the_error_of_a_result_does_not_colour_its_value() {
    check(
        "fn step(pc: usize, n: i64) -> Result<usize, i64> {\n    if n < 0 {\n        return Err(n);\n    }\n    Ok(pc + 1)\n}",
        "match step(pc, n) {\n    Ok(next) => pc = next,\n    Err(e) => return e,\n}",
        expect![[r#"
            main.rs
                2 | fn step(pc: usize, n: i64) -> Result<usize, i64> {
                  |         gg         r
                3 |     if n < 0 {
                  |        r r g
                4 |         return Err(n);
                  |                rrrrrr
                5 |     }
                6 |     Ok(pc + 1)
                  |     ggggg g gg
                7 | }
              ...
                9 | fn run(code: GcArray<u8>, mut n: i64) -> i64 {
                  |        gggg                   r
               10 |     let mut pc: usize = 0;
                  |             gg          g
               11 |     loop {
               12 |         merge_point!(greens = [pc, code], reds = [n]);
                  |                                gg  gggg           r
               13 |         match step(pc, n) {
                  |               rrrrrggr rr
               14 |             Ok(next) => pc = next,
                  |                gggg     gg   gggg
               15 |             Err(e) => return e,
                  |                 r            r
               16 |         }
               17 |     }
               18 | }
        "#]],
    );
}

/// So it is when the `Result` has been handed on, inside another value, and by `?`.
#[test]
fn variants_keep_their_colours_through_calls_and_other_values() {
    let items = "
fn step(pc: usize, n: i64) -> Result<usize, i64> {
    if n < 0 {
        return Err(n);
    }
    if pc > 7 {
        return Ok(0);
    }
    Ok(pc + 1)
}
fn twice(pc: usize, n: i64) -> Result<usize, i64> {
    let first = step(pc, n)?;
    step(first, n + 1)
}
fn taken(result: Option<Result<usize, i64>>) -> usize {
    match result {
        Some(Ok(next)) => next,
        Some(Err(e)) => e as usize,
        None => 0,
    }
}";
    for (body, complaints) in [
        (
            "if let Ok(next) = twice(pc, n) {\n    pc = next;\n} else {\n    return 0;\n}",
            0,
        ),
        (
            "let Ok(next) = twice(pc, n) else {\n    return n;\n};\nconcrete(next);\npc = next;",
            0,
        ),
        (
            "match Some(twice(pc, n)) {\n    Some(Ok(next)) => pc = next,\n    Some(Err(e)) => return e,\n    None => return 3,\n}",
            0,
        ),
        ("if n > 0 {\n    return n;\n}\npc = taken(Some(Ok(pc)));", 0),
        // The same function, with what is red indeed.
        ("pc = taken(Some(step(pc, n)));", 1),
        (
            "match step(pc, n) {\n    Ok(next) => n = next as i64,\n    Err(e) => pc = e as usize,\n}",
            1,
        ),
    ] {
        let (_, diagnostics) = colour(&portal(items, body));
        assert_eq!(diagnostics.list.len(), complaints, "{body}\n{diagnostics}");
    }
}

#[test]
fn a_terminal_and_a_page_show_the_same_pieces() {
    let (report, _) = colour(&portal("", "if n < 0 {\n    return n;\n}\nn -= 1;"));
    let terminal = report.text(Style::Terminal);
    assert!(
        terminal.contains("\x1b[31mn\x1b[0m\x1b[31m < \x1b[0m\x1b[32m0\x1b[0m"),
        "{terminal}"
    );
    let page = report.html();
    let red = "<span class=\"r\" title=\"`n` is red in `merge_point!` (main.rs:7:51)\">n</span>";
    assert!(page.contains(red), "{page}");
    assert!(page.contains("&lt;u8&gt;") && !page.contains("<u8>"));
    for link in ["http", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(link), "the page needs nothing else: {link}");
    }
}

/// More combinations of colours than a function has specialisations: the rest share one.
#[test]
fn specialisations_are_bounded() {
    let params: Vec<String> = (0..7).map(|i| format!("p{i}: i64")).collect();
    let sum: Vec<String> = (0..7).map(|i| format!("p{i}")).collect();
    let items = format!(
        "fn mix({}) -> i64 {{\n    {}\n}}",
        params.join(", "),
        sum.join(" + ")
    );
    let call = |bits: u32| {
        let args: Vec<&str> = (0..7)
            .map(|i| if bits >> i & 1 == 1 { "n" } else { "3" })
            .collect();
        format!("n += mix({});", args.join(", "))
    };
    let calls: Vec<String> = (0..128).map(call).collect();
    let text = shown(&portal(
        &items,
        &format!("{}\nlet g = mix(1, 2, 3, 4, 5, 6, 7);", calls.join("\n")),
    ));
    assert!(text.contains("let g = mix("), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    let sum = lines
        .iter()
        .position(|l| l.contains("p0 + p1"))
        .expect("the sum");
    assert!(lines[sum + 1].contains("bb b bb"), "{text}");
}

/// The front end refuses recursion; the analysis ends all the same.
#[test]
fn functions_that_call_themselves_have_colours() {
    let items = "fn last(x: i64, y: i64) -> i64 {\n    x + y\n}\nfn down(x: i64, y: i64) -> i64 {\n    if y == 0 {\n        \
                 return x;\n    }\n    last(x, y - 1)\n}";
    let source = portal(
        items,
        "let a = down(pc as i64, 3);\nlet b = down(n, 3);\nlet c = down(3, n);\nn = a + b + c;",
    );
    let (report, _) = colour_changed(&source, |graphs| {
        let find = |name: &str| graphs.iter().find(|g| g.1.graph.name == name).map(|g| g.0);
        let (last, down) = (find("last").expect("there"), find("down").expect("there"));
        let blocks = graphs[down].graph.blocks.values_mut();
        for op in blocks.flat_map(|b| &mut b.ops) {
            if op.descr == GraphDescr::Graph(last) {
                op.descr = GraphDescr::Graph(down);
            }
        }
    });
    let text = report.text(Style::Marks);
    let lines: Vec<&str> = text.lines().collect();
    let marks = |of: &str| {
        let at = lines.iter().position(|l| l.contains(of)).expect("the line");
        lines[at + 1].split_once('|').expect("marks").1.trim()
    };
    assert_eq!(marks("let a ="), "g   ggggggg gg gggg gg", "{text}");
    assert_eq!(marks("let b ="), "r   rrrrrrr gr", "{text}");
    // Which of the calls returns is for a red to say.
    assert_eq!(marks("let c ="), "r   rrrrrgr rr", "{text}");
    assert!(!text.contains("fn last"), "{text}");
}
