//! Names over several files: modules as rustc finds them, imports, and what the glue calls things.

use expect_test::{Expect, expect};
use verdigris_front::{Cfg, check_configured, check_crate, check_source, print};

fn check(files: &[(&str, &str)], expect: Expect) {
    let shown = match check_source(files) {
        Ok(program) => print(&program),
        Err(diagnostics) => diagnostics.to_string(),
    };
    expect.assert_eq(&shown);
}

#[test]
fn files_and_imports() {
    check(
        &[
            (
                "src/main.rs",
                "mod a; pub(crate) mod c { pub(crate) mod d; }\n\
                 #[path = \"odd/place.rs\"] mod p;\n\
                 #[cfg(test)] mod tests; #[cfg(not(test))] mod real { pub const R: i64 = 4; }\n\
                 use a::{*, inner as renamed}; use c::d::deep; pub use self::p::thing as other;\n\
                 use verdigris::{Gc, prelude::*, self};\n\
                 #[portal] fn run(x: i64, t: other::Short) -> i64 {\n\
                 loop { merge_point!(greens = [x], reds = [t]);\n\
                 use crate::other as o;\n\
                 const LOCAL: i64 = o::N + o::Thing::K;\n\
                 return renamed::f(x) + deep::<>(x) + o::g() + real::R + LOCAL + self::a::super_(x) + t.get(); } }",
            ),
            (
                "src/a.rs",
                "pub mod inner; pub fn super_(x: i64) -> i64 { self::inner::f(x) }\n\
                 pub use self::inner::*; pub use super::a::*;",
            ),
            (
                "src/a/inner.rs",
                "pub fn f(x: i64) -> i64 { super::super::c::d::deep(x) }",
            ),
            ("src/c/d.rs", "pub fn deep(x: i64) -> i64 { x }"),
            ("src/odd/place.rs", "pub mod thing; mod sibling; "),
            (
                "src/odd/thing.rs",
                "pub const N: i64 = super::sibling::M; pub fn g() -> i64 { N }\n\
                 use verdigris::{we_are_jitted, prelude::*};\n\
                 #[gc] pub(crate) struct Thing { x: Cell<i64> }\n\
                 impl Thing { pub const K: i64 = Self::L * 2; const L: i64 = -3;\n\
                 pub fn get(self: &Self) -> i64 { self.x.replace(Self::L) } }\n\
                 pub type Short = Alias; type Alias = Gc<Thing>;",
            ),
            ("src/odd/sibling.rs", "pub const M: i64 = i8::MIN as i64;"),
        ],
        expect![[r#"
            class p::thing::Thing { x: i mut } = crate::p::thing::__vd_class_Thing
            portal run(x: i64, t: Gc<p::thing::Thing>) -> i64 {
                loop0: loop {
                    merge_point [x] [t]
                    return ((((((a::inner::f(x) + c::d::deep(x)) + p::thing::g()) + 4i64) + -134i64) + a::super_(x)) + p::thing::Thing::get(t))
                }
            }
            func a::inner::f(x: i64) -> i64 {
                c::d::deep(x)
            }
            func c::d::deep(x: i64) -> i64 {
                x
            }
            func p::thing::g() -> i64 {
                -128i64
            }
            func a::super_(x: i64) -> i64 {
                a::inner::f(x)
            }
            func p::thing::Thing::get(self: Gc<p::thing::Thing>) -> i64 {
                {
                    let place: Gc<p::thing::Thing> = self
                    let new: i64 = -3i64
                    let old: i64 = place.x
                    place.x := new
                    old
                }
            }
        "#]],
    );
}

#[test]
fn missing_and_circular_files() {
    check(
        &[
            (
                "src/main.rs",
                "mod gone;\nmod a;\nmod here { mod gone_too; }\n",
            ),
            ("src/a.rs", "#[path = \"main.rs\"]\nmod again;\n"),
        ],
        expect![[r#"
            error[VD0003]: cannot read the file of module `gone`
             --> src/main.rs:1:5
              |
            1 | mod gone;
              |     ^^^^
              |
              = help: the module should be in `src/gone.rs` or `src/gone/mod.rs`
              = note: `verdigris error VD0003` says more

            error[VD0003]: cannot read the file of module `gone_too`
             --> src/main.rs:3:16
              |
            3 | mod here { mod gone_too; }
              |                ^^^^^^^^
              |
              = help: the module should be in `src/here/gone_too.rs` or `src/here/gone_too/mod.rs`
              = note: `verdigris error VD0003` says more

            error[VD0003]: cannot read the file of module `again`
             --> src/a.rs:2:5
              |
            2 | mod again;
              |     ^^^^^
              |
              = help: `src/main.rs` contains itself as a module
              = note: `verdigris error VD0003` says more"#]],
    );
}

#[test]
fn conditions_of_the_crate() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("main.rs");
    let text = "use verdigris::{we_are_jitted, prelude::*};
        #[cfg(unreached)] mod absent { #[cfg(inside)] fn f() {} }
        #[cfg(small)] const STEP: i64 = 1;
        #[cfg(not(small))] const STEP: bool = true;
        fn step(n: i64) -> i64 {
            #[cfg(any(words = \"32\", windows))] return 0;
            if cfg!(odd) { n } else { n + STEP }
        }
        #[portal]
        fn run(n: i64) -> i64 {
            let mut i = 0;
            loop {
                merge_point!(greens = [], reds = [i, n]);
                i = step(i);
                if i > n { return i }
                can_enter_jit!();
            }
        }";
    std::fs::write(&root, text).expect("a file");
    let found = |cfgs: &[(&str, Cfg)]| match check_configured(&root, cfgs) {
        Ok(_) => String::new(),
        Err(diagnostics) => diagnostics
            .list
            .iter()
            .map(|d| format!("{} ", d.line(&diagnostics.files)))
            .collect(),
    };
    expect!["main.rs:2:15: nobody has said whether the condition `unreached` holds, which this depends on [VD0068] main.rs:6:23: nobody has said whether the condition `words` holds, which this depends on [VD0068] main.rs:7:21: nobody has said whether the condition `odd` holds, which this depends on [VD0068] "].assert_eq(&found(&[("small", Cfg::Set)]));
    let words = |values: &[&str]| Cfg::Values(values.iter().map(|v| (*v).to_owned()).collect());
    let most = [("unreached", Cfg::Unset), ("odd", Cfg::Unset)];
    let all = |small, values: &[&str]| {
        let more = [("small", small), ("words", words(values))];
        [most.to_vec(), more.to_vec()].concat()
    };
    expect![[r#""#]].assert_eq(&found(&all(Cfg::Set, &["64"])));
    expect!["main.rs:7:43: mismatched types: expected `i64`, found `bool` [VD0018] "]
        .assert_eq(&found(&all(Cfg::Unset, &["64"])));
    expect![[r#""#]].assert_eq(&found(&all(Cfg::Set, &["16", "32"])));
}

#[test]
fn a_crate_on_disk() {
    let dir = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    };
    write("Cargo.toml", "");
    write(
        "src/bin/vm.rs",
        "#!/usr/bin/env run\n#[path = \"../ops.rs\"] mod ops;\nuse verdigris::{we_are_jitted, prelude::*};\n\
         #[portal]\nfn run(x: i64) -> i64 { loop { merge_point!(greens = [], reds = [x]); return ops::twice(x) } }\n",
    );
    write(
        "src/ops.rs",
        "\u{feff}pub fn twice(x: i64) -> i64 {\n    x + ü\n}\n",
    );
    let Err(diagnostics) = check_crate(&dir.path().join("src/bin/vm.rs")) else {
        panic!("there is a mistake");
    };
    expect![[r#"
        error[VD0012]: cannot find `ü` in this scope
         --> src/ops.rs:2:9
          |
        2 |     x + ü
          |         ^
          |
          = help: declare or import it, with `use`; what a macro of another crate declares, such as `thread_local!`, traced code cannot see: use it in a function marked `#[opaque]`
          = note: `verdigris error VD0012` says more"#]].assert_eq(&diagnostics.to_string());
    write("src/ops.rs", "pub fn twice(x: i64) -> i64 { x + x }");
    assert!(check_crate(&dir.path().join("src/bin/vm.rs")).is_ok());
    let missing = check_crate(&dir.path().join("src/none.rs"));
    assert!(missing.is_err_and(|d| {
        d.to_string()
            .contains("error[VD0003]: cannot read the file of the crate")
    }));
}

#[test]
fn meaning_of_sugar() {
    check(
        &[(
            "main.rs",
            r#"
use verdigris::{we_are_jitted, prelude::*};
#[gc] struct Unit;
#[gc] struct Box2 { items: GcArray<Cell<i64>>, n: Cell<i64> }
const LOW: i8 = -100;
#[portal]
fn run(b: Gc<Box2>, mut x: i64, s: i8) -> i64 {
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [b, x, s, i]);
        x += { x = 5; 1 };
        x <<= 2u8;
        let x2 = b.items[i].replace(b.n.replace(x));
        let x = x2;
        let unit = Gc::new(Unit);
        let flag = matches!(s, LOW..=-1 | 0 | 5.. if x > 0) ^ (x as i32 as u8 == 255);
        let Some(u) = (if flag { Some(unit) } else { None }) else { i += 1; continue };
        let same = u == unit && Some(u) != None;
        let text = match s { i8::MIN..LOW => 1, n @ (LOW | -7) => n as i64, _ if same => 3, n => -(n as i64) };
        let best = 'b: { if same { break 'b text; } x.max(text) };
        let f = if (best as f64).is_nan() { 1e3 } else { -0.5 };
        i = match i { 0 => 1, n => n } as usize;
        if !we_are_jitted() { not_checked.here() } else if cfg!(test) { nor(here) }
        while let Some(v) = Some(u) && v == unit { return (f as i64).wrapping_shl(3) }
    }
}
"#,
        )],
        expect![[r#"
            class Box2 { items: r, n: i mut } = crate::__vd_class_Box2
            class GcArray<Cell<i64>> { i mut } = ::verdigris::rt::array_class::<::verdigris::Cell<i64>, ()>
            class Unit {  } = crate::__vd_class_Unit
            portal run(b: Gc<Box2>, x: i64, s: i8) -> i64 {
                let i: usize = 0usize
                loop0: loop {
                    merge_point [] [b, x, s, i]
                    {
                        let value: i64 = {
                            x = 5i64
                            1i64
                        }
                        x = (x + value)
                    }
                    x = (x << 2u8)
                    let x2: i64 = {
                        let place#2: GcArray<Cell<i64>> = b.items
                        let place#3: usize = i
                        place#2[place#3]
                        let new#2: i64 = {
                            let place: Gc<Box2> = b
                            let new: i64 = x
                            let old: i64 = place.n
                            place.n := new
                            old
                        }
                        let old#2: i64 = place#2[place#3]
                        place#2[place#3] := new#2
                        old#2
                    }
                    let x#2: i64 = x2
                    let unit: Gc<Unit> = new Unit {  }
                    let flag: bool = (match s {
                        -100..=-1 | 0 | 5..=127 if (x#2 > 0i64) => true
                        _ => false
                    } ^ (((x#2 as i32) as u8) == 255u8))
                    let u#2: Gc<Unit>
                    match if flag {
                        Some(unit)
                    } else {
                        None
                    } {
                        Some(u: Gc<Unit>) => {
                            u#2 = u
                        }
                        _ => {
                            i = (i + 1usize)
                            continue loop0
                        }
                    }
                    let same: bool = ((u#2 == unit) && (Some(u#2) != None))
                    let text: i64 = match s {
                        -128..=-101 => 1i64
                        n: i8 @ -100 | -7 => (n as i64)
                        _ if same => 3i64
                        n#2: i8 => -(n#2 as i64)
                    }
                    let best: i64 = loop1: block {
                        if same {
                            break loop1 text
                        }
                        {
                            let a: i64 = x#2
                            let b#2: i64 = text
                            if (a < b#2) {
                                b#2
                            } else {
                                a
                            }
                        }
                    }
                    let f: f64 = if f64::is_nan((best as f64)) {
                        1000.0
                    } else {
                        -0.5
                    }
                    i = (match i {
                        0 => 1usize
                        n#3: usize => n#3
                    } as usize)
                    ()
                    loop2: loop {
                        match Some(u#2) {
                            Some(v: Gc<Unit>) => if (v == unit) {
                                {
                                    return ((f as i64) << 3u32)
                                }
                                continue loop2
                            }
                            _ => ()
                        }
                        break loop2
                    }
                }
            }
            func f64::is_nan(x: f64) -> bool {
                (x != x)
            }
        "#]],
    );
}
