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
fn a_list_of_numbers() {
    check(
        r#"
use verdigris::{library::prelude::*, prelude::*};
#[portal]
fn run(n: i64) -> i64 {
    let pc = 0;
    let list = List::filled(4, 0);
    loop {
        merge_point!(greens = [pc], reds = [n, list]);
        list.set(1, n);
        if let Some(x) = list.pop() { return x + list.at(1); }
    }
}
"#,
        expect![[r#"
            class verdigris::library::list::List<i64> { len: i mut, items: r mut } = ::verdigris::rt::struct_class::<::verdigris::library::list::List<i64>>
            class GcArray<Slot<i64>,verdigris::library::list::ListItems> { i mut } = ::verdigris::rt::array_class::<::verdigris::rt::Slot<i64>, ::verdigris::library::list::ListItems>
            opaque verdigris::library::list::fail_index(ii) -> _ = ::verdigris::library::list::__vd_fn_fail_index reads() writes()
            opaque verdigris::library::list::List::<i64>::filled_outside(ii) -> r = <::verdigris::library::list::List<i64>>::__vd_fn_filled_outside reads(verdigris::library::list::List<i64>.len, verdigris::library::list::List<i64>.items, GcArray<Slot<i64>,verdigris::library::list::ListItems>[]) writes(verdigris::library::list::List<i64>.len, verdigris::library::list::List<i64>.items, GcArray<Slot<i64>,verdigris::library::list::ListItems>[])
            opaque verdigris::library::list::List::<i64>::reserve(ri) -> _ = <::verdigris::library::list::List<i64>>::__vd_fn_reserve reads(verdigris::library::list::List<i64>.len, verdigris::library::list::List<i64>.items, GcArray<Slot<i64>,verdigris::library::list::ListItems>[]) writes(verdigris::library::list::List<i64>.items)
            portal run(n: i64) -> i64 {
                let pc: i32 = 0i32
                let list: Gc<verdigris::library::list::List<i64>> = verdigris::library::list::List::<i64>::filled(4usize, 0i64)
                loop0: loop {
                    merge_point [pc] [n, list]
                    verdigris::library::list::List::<i64>::set(list, 1usize, n)
                    match verdigris::library::list::List::<i64>::pop(list) {
                        Some(x: i64) => {
                            return (x + verdigris::library::list::List::<i64>::at(list, 1usize))
                        }
                        _ => ()
                    }
                }
            }
            func verdigris::library::list::List::<i64>::set(self: Gc<verdigris::library::list::List<i64>>, index: usize, item: i64) -> () {
                match verdigris::library::list::List::<i64>::slots(self) {
                    (items: GcArray<Slot<i64>,verdigris::library::list::ListItems>, len: usize) => ()
                }
                if (index >= len) {
                    call verdigris::library::list::fail_index(index, len)
                }
                items[index] := item
            }
            func verdigris::library::list::List::<i64>::pop(self: Gc<verdigris::library::list::List<i64>>) -> Option<i64> {
                match verdigris::library::list::List::<i64>::slots(self) {
                    (items: GcArray<Slot<i64>,verdigris::library::list::ListItems>, len: usize) => ()
                }
                if (len == 0usize) {
                    return None
                }
                let item: i64 = items[(len - 1usize)]
                {
                    items[(len - 1usize)]
                }
                self.len := (len - 1usize)
                Some(item)
            }
            func verdigris::library::list::List::<i64>::at(self: Gc<verdigris::library::list::List<i64>>, index: usize) -> i64 {
                match verdigris::library::list::List::<i64>::slots(self) {
                    (items: GcArray<Slot<i64>,verdigris::library::list::ListItems>, len: usize) => ()
                }
                if (index >= len) {
                    call verdigris::library::list::fail_index(index, len)
                }
                items[index]
            }
            func verdigris::library::list::List::<i64>::filled(len: usize, item: i64) -> Gc<verdigris::library::list::List<i64>> {
                if (is_constant(len) && (len <= 16usize)) {
                    verdigris::library::list::List::<i64>::filled_inside(len, item)
                } else {
                    call verdigris::library::list::List::<i64>::filled_outside(len, item)
                }
            }
            func verdigris::library::list::List::<i64>::slots(self: Gc<verdigris::library::list::List<i64>>) -> (GcArray<Slot<i64>,verdigris::library::list::ListItems>, usize) {
                let items: GcArray<Slot<i64>,verdigris::library::list::ListItems> = self.items
                (items, uint_at_most(self.len, len(items)))
            }
            func verdigris::library::list::List::<i64>::filled_inside(len: usize, item: i64) -> Gc<verdigris::library::list::List<i64>> unroll_safe {
                let list: Gc<verdigris::library::list::List<i64>> = verdigris::library::list::List::<i64>::with_capacity(len)
                {
                    let low: usize = 0usize
                    let high: usize = len
                    loop0: loop {
                        if (low < high) {
                            let _: usize = low
                            low = (low + 1usize)
                            {
                                verdigris::library::list::List::<i64>::push(list, item)
                            }
                        } else {
                            break loop0
                        }
                    }
                }
                list
            }
            func verdigris::library::list::List::<i64>::push(self: Gc<verdigris::library::list::List<i64>>, item: i64) -> () {
                match verdigris::library::list::List::<i64>::slots(self) {
                    (items: GcArray<Slot<i64>,verdigris::library::list::ListItems>, len: usize) => ()
                }
                if (len >= len(items)) {
                    verdigris::library::list::List::<i64>::grow(self)
                    items = self.items
                }
                items[len] := item
                self.len := (len + 1usize)
            }
            func verdigris::library::list::List::<i64>::with_capacity(capacity: usize) -> Gc<verdigris::library::list::List<i64>> {
                new verdigris::library::list::List<i64> { len: 0usize, items: new GcArray<Slot<i64>,verdigris::library::list::ListItems>(capacity, 0i64) }
            }
            func verdigris::library::list::List::<i64>::grow(self: Gc<verdigris::library::list::List<i64>>) -> () {
                let items: GcArray<Slot<i64>,verdigris::library::list::ListItems> = self.items
                if (is_virtual(self) && is_constant(len(items))) {
                    verdigris::library::list::List::<i64>::grow_inside(self)
                } else {
                    call verdigris::library::list::List::<i64>::reserve(self, 4usize)
                }
            }
            func verdigris::library::list::List::<i64>::grow_inside(self: Gc<verdigris::library::list::List<i64>>) -> () unroll_safe {
                match (self.items, self.len) {
                    (from: GcArray<Slot<i64>,verdigris::library::list::ListItems>, len: usize) => ()
                }
                let to: GcArray<Slot<i64>,verdigris::library::list::ListItems> = new GcArray<Slot<i64>,verdigris::library::list::ListItems>(((len * 2usize) + 4usize), 0i64)
                {
                    let low: usize = 0usize
                    let high: usize = len
                    loop0: loop {
                        if (low < high) {
                            let n: usize = low
                            low = (low + 1usize)
                            {
                                to[n] := from[n]
                            }
                        } else {
                            break loop0
                        }
                    }
                }
                self.items := to
            }
        "#]],
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
    assert!(
        class.starts_with("class verdigris::library::list::List<i64>"),
        "{class}"
    );
    assert!(
        class.ends_with("struct_class::<::verdigris::library::list::List<i64>>"),
        "{class}"
    );
    assert_eq!(
        class,
        of("use verdigris::{library::prelude::*, prelude::*};", "List")
    );
    assert_eq!(class, of("", "verdigris::List"));
    assert_eq!(class, of("use verdigris::library::list;", "list::List"));
    assert_eq!(
        class,
        of("use verdigris::library::prelude::List as L;", "L")
    );
    // What is not exported is not found.
    let hidden = of("", "verdigris::library::Gc");
    assert!(hidden.starts_with("error"), "{hidden}");
    // The crate's own types come first.
    let own = of(
        "use verdigris::{library::prelude::*, prelude::*};\n#[gc] struct List<T> { t: T } impl<T> List<T> { fn len(&self) -> usize { 0 } }",
        "List",
    );
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
    assert!(
        files(&text(
            "use verdigris::List; fn other(list: Gc<List<i64>>) {}"
        )) > 1
    );
}

#[test]
fn everything_of_the_library_can_be_traced() {
    let text = shown(
        r#"
use verdigris::{library::prelude::*, prelude::*};
#[portal]
fn run(n: i64) -> i64 {
    let pc = 0;
    let list = List::new();
    let map = Map::new();
    loop {
        merge_point!(greens = [pc], reds = [n, list, map]);
        list.push(n);
        map.insert(n, 2.5);
        if map.contains(3) { map.remove(3); }
        if let Some(f) = map.get(4) { if f > 1.0 { return 1; } }
        list.insert(0, 3);
        list.sort();
        if list.contains(3) { return list.remove(0); }
    }
}
"#,
    );
    assert!(!text.contains("error"), "{text}");
}

/// What a function outside of the subset may do is found by names, and of what the library is
/// called by, only arrays with its own tags are counted. So a tag must be no parameter.
#[test]
fn the_library_has_no_arrays_of_its_callers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../library/src/library");
    let files = std::fs::read_dir(folder).expect("the library's folder");
    let texts = files.map(|file| std::fs::read_to_string(file.expect("a file").path()));
    let text: String = texts.map(|text| text.expect("a text")).collect();
    let mut tags = Vec::new();
    for (at, _) in text.match_indices("GcArray<") {
        let rest = &text[at + "GcArray<".len()..];
        let mut depth = 0;
        let end = rest.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth < 0
        });
        let arguments = &rest[..end.expect("a `>`")];
        let tag = arguments.rsplit_once(", ").map(|(_, tag)| tag.to_owned());
        tags.extend(tag.filter(|tag| !tag.contains('>')));
    }
    tags.sort();
    tags.dedup();
    assert!(!tags.is_empty());
    for tag in tags {
        assert!(text.contains(&format!("struct {tag};")), "{tag} is no tag");
    }
}
