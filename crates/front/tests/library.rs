//! The library's source, read together with an interpreter's.

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

fn shown(text: &str) -> String {
    match check_source(&[("src/main.rs", text)]) {
        Ok(program) => print(&program),
        Err(diagnostics) => diagnostics.to_string(),
    }
}

fn check(text: &str, expect: Expect) {
    expect.assert_eq(&shown(text));
}

#[test]
fn a_stack_of_numbers() {
    check(
        r#"
use verdigris::prelude::*;
#[portal]
fn run(n: i64) -> i64 {
    let pc = 0;
    let stack = List::new();
    loop {
        merge_point!(greens = [pc], reds = [n, stack]);
        stack.push(n);
        if let Some(x) = stack.pop() { return x; }
    }
}
"#,
        expect![[r#"
            error[VD0025]: call to `verdigris::is_virtual`, which is not translated
               --> <verdigris>/library/list.rs:291:12
                |
            291 |         if is_virtual(self) && is_constant(items.len()) {
                |            ^^^^^^^^^^
                |
                = note: in `verdigris::library::list::List::<i64>::grow`
                = help: mark the function that does it `#[opaque]`

            error[VD0025]: call to `verdigris::is_constant`, which is not translated
               --> <verdigris>/library/list.rs:291:32
                |
            291 |         if is_virtual(self) && is_constant(items.len()) {
                |                                ^^^^^^^^^^^
                |
                = note: in `verdigris::library::list::List::<i64>::grow`
                = help: mark the function that does it `#[opaque]`

            error[VD0019]: the type of this array is not known here
               --> <verdigris>/library/list.rs:303:13
                |
            303 |             to[n].set(from[n].get());
                |             ^^
                |
                = note: in `verdigris::library::list::List::<i64>::grow_inside`
                = help: annotate it, as in `let x: Option<Gc<Frame>> = None;`"#]],
    );
}

#[test]
fn names_of_the_library() {
    let of = |uses: &str, ty: &str| {
        let text = format!(
            "{uses}\nuse verdigris::{{portal, merge_point, Gc}};\n#[portal]\nfn run(n: i64, list: Gc<{ty}<i64>>) -> i64 {{ let pc = 0; loop {{ merge_point!(greens = [pc], reds = [n, list]); return list.len() as i64; }} }}"
        );
        let shown = shown(&text);
        shown.lines().next().unwrap_or_default().to_owned()
    };
    let class = of("", "verdigris::library::List");
    assert!(class.starts_with("class verdigris::library::list::List<i64>"), "{class}");
    assert!(class.ends_with("struct_class::<::verdigris::library::list::List<i64>>"), "{class}");
    assert_eq!(class, of("use verdigris::prelude::*;", "List"));
    assert_eq!(class, of("", "verdigris::List"));
    assert_eq!(class, of("use verdigris::library::list;", "list::List"));
    assert_eq!(class, of("use verdigris::prelude::List as L;", "L"));
    // What is not exported is not found.
    let hidden = of("", "verdigris::library::Gc");
    assert!(hidden.starts_with("error"), "{hidden}");
    // The crate's own types come first.
    let own = of("use verdigris::prelude::*;\n#[gc] struct List<T> { t: T } impl<T> List<T> { fn len(&self) -> usize { 0 } }", "List");
    assert!(own.starts_with("class List<i64>"), "{own}");
}

#[test]
fn a_crate_that_does_not_mention_the_library_does_not_read_it() {
    let text = |uses: &str| {
        format!(
            "use verdigris::prelude::*;\n{uses}\n#[portal]\nfn run(n: i64) -> i64 {{ let pc = 0; loop {{ merge_point!(greens = [pc], reds = [n]); return n; }} }}"
        )
    };
    let files = |text: &str| match check_source(&[("src/main.rs", text)]) {
        Ok(program) => program.files.len(),
        Err(diagnostics) => panic!("{diagnostics}"),
    };
    assert_eq!(files(&text("")), 1);
    assert!(files(&text("fn other(list: Gc<List<i64>>) {}")) > 1);
}
