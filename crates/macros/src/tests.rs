//! Tests of the expansions. In: items as a user writes them. Out: the expansion pretty-printed, or the errors with
//! their places. `tests/ui/NAME.rs` holds the items that must fail, `tests/ui/NAME.stderr` what the user sees.

use expect_test::{Expect, expect, expect_file};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::fmt::Write;
use std::path::Path;
use syn::{Attribute, ImplItem, Item};

/// Expands the attribute of every item in the source, as rustc would.
fn expand_all(source: &str) -> syn::Result<String> {
    let file: syn::File = syn::parse_str(source)?;
    let mut out = TokenStream::new();
    let mut errors = crate::diag::Errors::default();
    for item in file.items {
        match expand_item(item) {
            Ok(tokens) => out.extend(tokens),
            Err(e) => errors.push(e),
        }
    }
    errors.finish(())?;
    Ok(prettyplease::unparse(&syn::parse2(out)?))
}

fn expand_item(mut item: Item) -> syn::Result<TokenStream> {
    let attrs = match &mut item {
        Item::Fn(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        Item::Impl(item) => return expand_impl(item),
        other => return Ok(other.to_token_stream()),
    };
    let attr = take_attr(attrs);
    apply(attr, item.to_token_stream())
}

fn expand_impl(item: &mut syn::ItemImpl) -> syn::Result<TokenStream> {
    let mut items = TokenStream::new();
    for inner in &mut item.items {
        let ImplItem::Fn(method) = inner else {
            continue;
        };
        let attr = take_attr(&mut method.attrs);
        items.extend(apply(attr, method.to_token_stream())?);
    }
    let ty = &item.self_ty;
    Ok(quote::quote!(impl #ty { #items }))
}

/// The first attribute of ours.
fn take_attr(attrs: &mut Vec<Attribute>) -> Option<Attribute> {
    let ours = [
        "gc",
        "object",
        "opaque",
        "elidable",
        "unroll_safe",
        "portal",
    ];
    let at = attrs
        .iter()
        .position(|a| ours.iter().any(|name| a.path().is_ident(name)))?;
    Some(attrs.remove(at))
}

fn apply(attr: Option<Attribute>, item: TokenStream) -> syn::Result<TokenStream> {
    let Some(attr) = attr else {
        return Ok(item);
    };
    let args = match &attr.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    match attr.path().get_ident().unwrap().to_string().as_str() {
        "gc" => crate::class::expand(args, item),
        "object" => crate::object::expand(args, item),
        "unroll_safe" => crate::function::expand_unroll_safe(args, item),
        "portal" => crate::portal::expand(args, item),
        name => crate::function::expand(name, args, item),
    }
}

fn check(source: &str, expect: Expect) {
    match expand_all(source) {
        Ok(text) => expect.assert_eq(&text),
        Err(e) => panic!("{}", render(source, &e)),
    }
}

/// The errors as rustc shows them, without colours.
fn render(source: &str, error: &syn::Error) -> String {
    let lines: Vec<&str> = source.lines().collect();
    let mut out = String::new();
    for error in error.clone() {
        let (start, end) = (error.span().start(), error.span().end());
        let line = lines.get(start.line - 1).copied().unwrap_or("");
        let stop = if end.line == start.line {
            end.column
        } else {
            line.chars().count()
        };
        let width = stop.saturating_sub(start.column).max(1);
        writeln!(out, "error: {error}").unwrap();
        writeln!(out, "{:>4} | {line}", start.line).unwrap();
        writeln!(
            out,
            "     | {}{}",
            " ".repeat(start.column),
            "^".repeat(width)
        )
        .unwrap();
    }
    out
}

#[test]
fn mistakes_are_reported_at_their_tokens() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut sources: Vec<_> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect();
    sources.sort();
    assert!(!sources.is_empty(), "no tests in {}", dir.display());
    for path in sources {
        let source = std::fs::read_to_string(&path).unwrap();
        let Err(error) = expand_all(&source) else {
            panic!("{} has no errors", path.display());
        };
        expect_file![path.with_extension("stderr")].assert_eq(&render(&source, &error));
    }
}

#[test]
fn gc_struct() {
    check(
        r#"
        /// A point.
        #[gc]
        #[derive(Debug)]
        pub struct Point { pub x: i64, y: Cell<Option<Gc<Point>>> }
        #[gc]
        struct Nil;
        "#,
        expect![[r#"
            #[repr(C)]
            /// A point.
            #[derive(Debug)]
            pub struct Point {
                pub x: i64,
                y: Cell<Option<Gc<Point>>>,
            }
            ::verdigris::rt::gc_class! {
                Point { x : i64, y : Cell < Option < Gc < Point > > > }
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_class_Point() -> &'static ::verdigris::rt::ClassDescr {
                <Point as ::verdigris::rt::GcClass>::descr()
            }
            #[repr(C)]
            struct Nil;
            ::verdigris::rt::gc_class! {
                Nil {}
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_class_Nil() -> &'static ::verdigris::rt::ClassDescr {
                <Nil as ::verdigris::rt::GcClass>::descr()
            }
        "#]],
    );
}

#[test]
fn object_enum() {
    check(
        r#"
        #[object(Obj)]
        #[derive(Debug)]
        pub enum ObjKind { Int(Gc<IntObj>), Nil(verdigris::Gc<crate::nil::NilObj>) }
        #[object(Tree)]
        #[derive(Clone, Copy)]
        enum TreeKind { Leaf(Gc<Leaf>) }
        "#,
        expect![[r##"
            #[derive(Clone, Copy)]
            #[allow(dead_code)]
            #[derive(Debug)]
            pub enum ObjKind {
                Int(Gc<IntObj>),
                Nil(verdigris::Gc<crate::nil::NilObj>),
            }
            ::verdigris::rt::gc_object! {
                #[doc = "A reference to an object of one of the classes of [`ObjKind`]."] pub Obj,
                ObjKind { Int(IntObj), Nil(crate ::nil::NilObj) }
            }
            #[allow(dead_code)]
            #[derive(Clone, Copy)]
            enum TreeKind {
                Leaf(Gc<Leaf>),
            }
            ::verdigris::rt::gc_object! {
                #[doc = "A reference to an object of one of the classes of [`TreeKind`]."] Tree,
                TreeKind { Leaf(Leaf) }
            }
        "##]],
    );
}

#[test]
fn free_functions() {
    check(
        r#"
        #[opaque]
        pub fn print(n: i64) { println!("{n}"); }
        #[elidable]
        fn find(class: Gc<Class>, mut name: u32) -> Option<Gc<Method>> { None }
        #[unroll_safe]
        fn args(n: usize) -> usize { n }
        "#,
        expect![[r#"
            pub fn print(n: i64) {
                println!("{n}");
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_print() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_word::<i64>();
                ::verdigris::rt::FnDescr::new("print", print as fn(_) -> _)
            }
            fn find(class: Gc<Class>, mut name: u32) -> Option<Gc<Method>> {
                None
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_find() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_word::<Gc<Class>>();
                ::verdigris::rt::assert_word::<u32>();
                ::verdigris::rt::assert_word::<Option<Gc<Method>>>();
                ::verdigris::rt::FnDescr::new("find", find as fn(_, _) -> _)
            }
            fn args(n: usize) -> usize {
                n
            }
        "#]],
    );
}

#[test]
fn methods() {
    check(
        r#"
        impl Class {
            #[elidable]
            fn find(&self, name: u32, depth: u32) -> i64 { 0 }
            #[opaque]
            fn show(self) {}
            #[opaque]
            fn make() -> Gc<Self> { Gc::new(Self) }
            #[opaque(Self)]
            fn count() -> i64 { 0 }
        }
        "#,
        expect![[r#"
            impl Class {
                fn find(&self, name: u32, depth: u32) -> i64 {
                    0
                }
                #[doc(hidden)]
                #[allow(non_snake_case, dead_code)]
                pub(crate) fn __vd_fn_find() -> ::verdigris::rt::FnDescr {
                    ::verdigris::rt::assert_word::<u32>();
                    ::verdigris::rt::assert_word::<u32>();
                    ::verdigris::rt::assert_word::<i64>();
                    ::verdigris::rt::FnDescr::new(
                        "find",
                        (|this: ::verdigris::Gc<Self>, arg1, arg2| Self::find(&*this, arg1, arg2))
                            as fn(::verdigris::Gc<Self>, _, _) -> _,
                    )
                }
                fn show(self) {}
                #[doc(hidden)]
                #[allow(non_snake_case, dead_code)]
                pub(crate) fn __vd_fn_show() -> ::verdigris::rt::FnDescr {
                    ::verdigris::rt::FnDescr::new("show", Self::show as fn(_) -> _)
                }
                fn make() -> Gc<Self> {
                    Gc::new(Self)
                }
                #[doc(hidden)]
                #[allow(non_snake_case, dead_code)]
                pub(crate) fn __vd_fn_make() -> ::verdigris::rt::FnDescr {
                    ::verdigris::rt::assert_word::<Gc<Self>>();
                    ::verdigris::rt::FnDescr::new("make", Self::make as fn() -> _)
                }
                fn count() -> i64 {
                    0
                }
                #[doc(hidden)]
                #[allow(non_snake_case, dead_code)]
                pub(crate) fn __vd_fn_count() -> ::verdigris::rt::FnDescr {
                    ::verdigris::rt::assert_word::<i64>();
                    ::verdigris::rt::FnDescr::new("count", Self::count as fn() -> _)
                }
            }
        "#]],
    );
}

#[test]
fn portal_with_marks() {
    check(
        r#"
        #[portal]
        fn run(program: Gc<Program>, mut counter: i64) -> i64 {
            let mut pc: usize = 0;
            loop {
                merge_point!(greens = [pc, program], reds = [counter]);
                let op = program.code[pc];
                pc += 1;
                match op {
                    0 => counter -= 1,
                    1 => if counter > 0 { pc = 0; can_enter_jit!(); },
                    2 => { while true { break; } continue; }
                    3 => { for pc in 0..2 { if pc == 1 { can_enter_jit!() } } }
                    4 => { assert!(counter > 0 || { continue }, "no"); }
                    5 => can_enter_jit!(),
                    _ => break,
                }
            }
            counter
        }
        "#,
        expect![[r#"
            fn run(program: Gc<Program>, mut counter: i64) -> i64 {
                ::verdigris::rt::check_stack();
                let mut pc: usize = 0;
                'vd_header: loop {
                    'vd_enter: {
                        {
                            let op = program.code[pc];
                            pc += 1;
                            match op {
                                0 => counter -= 1,
                                1 => {
                                    if counter > 0 {
                                        pc = 0;
                                        break 'vd_enter;
                                    }
                                }
                                2 => {
                                    while true {
                                        break;
                                    }
                                    continue 'vd_header;
                                }
                                3 => {
                                    for pc in 0..2 {
                                        if pc == 1 {
                                            break 'vd_enter;
                                        }
                                    }
                                }
                                4 => {
                                    assert!(counter > 0 || { continue 'vd_header }, "no");
                                }
                                5 => break 'vd_enter,
                                _ => break 'vd_header,
                            }
                        }
                        #[allow(unreachable_code)] continue 'vd_header;
                    }
                    #[allow(unused_assignments, unused_variables)]
                    match ::verdigris::rt::can_enter(
                        (::verdigris::rt::word(pc), (::verdigris::rt::word(program), ())),
                        (::verdigris::rt::word(counter), ()),
                    ) {
                        ::verdigris::rt::Entered::Interpret => {}
                        ::verdigris::rt::Entered::Resume((green0, (_, ())), (red0, ())) => {
                            pc = green0;
                            counter = red0;
                        }
                        ::verdigris::rt::Entered::Return(value) => return value,
                    };
                }
                counter
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_word::<Gc<Program>>();
                ::verdigris::rt::assert_word::<i64>();
                ::verdigris::rt::assert_word::<i64>();
                ::verdigris::rt::FnDescr::new("run", run as fn(_, _) -> _)
            }
        "#]],
    );
}

#[test]
fn portal_with_a_label() {
    check(
        r#"
        #[portal]
        fn run(mut pc: usize) -> i64 {
            'run: loop {
                merge_point!(greens = [pc,], reds = [],);
                if pc == 7 { break 'run 1; }
                if pc == 8 { break 2 }
                pc = 0;
                can_enter_jit!();
            }
        }
        "#,
        expect![[r#"
            fn run(mut pc: usize) -> i64 {
                ::verdigris::rt::check_stack();
                'run: loop {
                    'vd_enter: {
                        {
                            if pc == 7 {
                                break 'run 1;
                            }
                            if pc == 8 {
                                break 'run 2;
                            }
                            pc = 0;
                            break 'vd_enter;
                        }
                        #[allow(unreachable_code)] continue 'run;
                    }
                    #[allow(unused_assignments, unused_variables)]
                    match ::verdigris::rt::can_enter((::verdigris::rt::word(pc), ()), ()) {
                        ::verdigris::rt::Entered::Interpret => {}
                        ::verdigris::rt::Entered::Resume((green0, ()), ()) => {
                            pc = green0;
                        }
                        ::verdigris::rt::Entered::Return(value) => return value,
                    };
                }
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_word::<usize>();
                ::verdigris::rt::assert_word::<i64>();
                ::verdigris::rt::FnDescr::new("run", run as fn(_) -> _)
            }
        "#]],
    );
}

#[test]
fn portal_without_marks() {
    check(
        r#"
        #[portal]
        fn run(mut pc: usize) {
            let x = 1;
            if let Some(mut y) = None {
                loop {
                    verdigris::merge_point!(greens = [pc, x], reds = [y]);
                    if pc == 7 { break; }
                    let y = 1;
                }
            }
        }
        "#,
        expect![[r#"
            fn run(mut pc: usize) {
                ::verdigris::rt::check_stack();
                let x = 1;
                if let Some(mut y) = None {
                    loop {
                        #[allow(unused_assignments, unused_variables)]
                        match ::verdigris::rt::can_enter(
                            (::verdigris::rt::word(pc), (::verdigris::rt::word(x), ())),
                            (::verdigris::rt::word(y), ()),
                        ) {
                            ::verdigris::rt::Entered::Interpret => {}
                            ::verdigris::rt::Entered::Resume((green0, (_, ())), (red0, ())) => {
                                pc = green0;
                                y = red0;
                            }
                            ::verdigris::rt::Entered::Return(value) => return value,
                        };
                        if pc == 7 {
                            break;
                        }
                        let y = 1;
                    }
                }
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_word::<usize>();
                ::verdigris::rt::FnDescr::new("run", run as fn(_) -> _)
            }
        "#]],
    );
}

#[test]
fn shadowed_variables_are_the_ones_of_the_merge_point() {
    check(
        r#"
        #[portal]
        fn run(mut pc: usize, mut a: i64) -> i64 {
            { let a = 1; }
            let pc = pc;
            loop {
                merge_point!(greens = [pc], reds = [a]);
                let a = 3;
                can_enter_jit!();
            }
        }
        "#,
        expect![[r#"
            fn run(mut pc: usize, mut a: i64) -> i64 {
                ::verdigris::rt::check_stack();
                {
                    let a = 1;
                }
                let pc = pc;
                'vd_header: loop {
                    'vd_enter: {
                        {
                            let a = 3;
                            break 'vd_enter;
                        }
                        #[allow(unreachable_code)] continue 'vd_header;
                    }
                    #[allow(unused_assignments, unused_variables)]
                    match ::verdigris::rt::can_enter(
                        (::verdigris::rt::word(pc), ()),
                        (::verdigris::rt::word(a), ()),
                    ) {
                        ::verdigris::rt::Entered::Interpret => {}
                        ::verdigris::rt::Entered::Resume((_, ()), (red0, ())) => {
                            a = red0;
                        }
                        ::verdigris::rt::Entered::Return(value) => return value,
                    };
                }
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_word::<usize>();
                ::verdigris::rt::assert_word::<i64>();
                ::verdigris::rt::assert_word::<i64>();
                ::verdigris::rt::FnDescr::new("run", run as fn(_, _) -> _)
            }
        "#]],
    );
}
