//! What `#[portal]` expands to.

use super::check;
use expect_test::expect;

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
            fn run(program: Gc<Program>, counter: i64) -> i64 {
                if ::verdigris::rt::is_within_code() {
                    return ::verdigris::rt::interpret_within(move || __vd_from_run(
                        ::verdigris::rt::Start::Call((program, counter)),
                    ));
                }
                __vd_from_run(::verdigris::rt::Start::Call((program, counter)))
            }
            #[doc(hidden)]
            #[allow(non_snake_case)]
            fn __vd_from_run(start: ::verdigris::rt::Start<(Gc<Program>, i64)>) -> i64 {
                ::verdigris::rt::enter_portal(&__vd_portal_run);
                let mut frame = ::verdigris::rt::PortalFrame::new();
                #[allow(unused_mut)]
                let (mut pc, program, mut counter) = match start {
                    ::verdigris::rt::Start::Call((program, mut counter)) => {
                        let mut pc: usize = 0;
                        (pc, program, counter)
                    }
                    ::verdigris::rt::Start::At(state) => {
                        let ((green0, (green1, ())), (red0, ())) = state.load();
                        (green0, green1, red0)
                    }
                };
                #[allow(unused_assignments, unused_variables)]
                match ::verdigris::rt::enter_function(
                    &mut frame,
                    (::verdigris::rt::parts(pc), (::verdigris::rt::parts(program), ())),
                    (::verdigris::rt::parts(counter), ()),
                ) {
                    ::verdigris::rt::Entered::Interpret => {}
                    ::verdigris::rt::Entered::Resume((green0, (_, ())), (red0, ())) => {
                        pc = green0;
                        counter = red0;
                    }
                    ::verdigris::rt::Entered::Return(value) => return value,
                }
                'vd_header: loop {
                    ::verdigris::rt::count_operation();
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
                        &mut frame,
                        (::verdigris::rt::parts(pc), (::verdigris::rt::parts(program), ())),
                        (::verdigris::rt::parts(counter), ()),
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
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) static __vd_portal_run: ::verdigris::rt::Portal = ::verdigris::rt::Portal::new(
                ::core::concat!(::core::module_path!(), "::", "run"),
            );
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn___vd_from_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::FnDescr::runner::<
                    i64,
                >(
                    "__vd_from_run",
                    ::core::option::Option::Some(|state| __vd_from_run(
                        ::verdigris::rt::Start::At(state),
                    )),
                )
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<Gc<Program>>();
                ::verdigris::rt::assert_parts::<i64>();
                ::verdigris::rt::assert_parts::<i64>();
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
            fn run(pc: usize) -> i64 {
                if ::verdigris::rt::is_within_code() {
                    return ::verdigris::rt::interpret_within(move || __vd_from_run(
                        ::verdigris::rt::Start::Call((pc,)),
                    ));
                }
                __vd_from_run(::verdigris::rt::Start::Call((pc,)))
            }
            #[doc(hidden)]
            #[allow(non_snake_case)]
            fn __vd_from_run(start: ::verdigris::rt::Start<(usize,)>) -> i64 {
                ::verdigris::rt::enter_portal(&__vd_portal_run);
                let mut frame = ::verdigris::rt::PortalFrame::new();
                #[allow(unused_mut)]
                let (mut pc,) = match start {
                    ::verdigris::rt::Start::Call((mut pc,)) => (pc,),
                    ::verdigris::rt::Start::At(state) => {
                        let ((green0, ()), ()) = state.load();
                        (green0,)
                    }
                };
                #[allow(unused_assignments, unused_variables)]
                match ::verdigris::rt::enter_function(
                    &mut frame,
                    (::verdigris::rt::parts(pc), ()),
                    (),
                ) {
                    ::verdigris::rt::Entered::Interpret => {}
                    ::verdigris::rt::Entered::Resume((green0, ()), ()) => {
                        pc = green0;
                    }
                    ::verdigris::rt::Entered::Return(value) => return value,
                }
                'run: loop {
                    ::verdigris::rt::count_operation();
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
                    match ::verdigris::rt::can_enter(
                        &mut frame,
                        (::verdigris::rt::parts(pc), ()),
                        (),
                    ) {
                        ::verdigris::rt::Entered::Interpret => {}
                        ::verdigris::rt::Entered::Resume((green0, ()), ()) => {
                            pc = green0;
                        }
                        ::verdigris::rt::Entered::Return(value) => return value,
                    };
                }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) static __vd_portal_run: ::verdigris::rt::Portal = ::verdigris::rt::Portal::new(
                ::core::concat!(::core::module_path!(), "::", "run"),
            );
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn___vd_from_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::FnDescr::runner::<
                    i64,
                >(
                    "__vd_from_run",
                    ::core::option::Option::Some(|state| __vd_from_run(
                        ::verdigris::rt::Start::At(state),
                    )),
                )
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<usize>();
                ::verdigris::rt::assert_parts::<i64>();
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
                ::verdigris::rt::enter_portal(&__vd_portal_run);
                let mut frame = ::verdigris::rt::PortalFrame::new();
                let x = 1;
                if let Some(mut y) = None {
                    loop {
                        #[allow(unused_assignments, unused_variables)]
                        match ::verdigris::rt::can_enter(
                            &mut frame,
                            (::verdigris::rt::parts(pc), (::verdigris::rt::parts(x), ())),
                            (::verdigris::rt::parts(y), ()),
                        ) {
                            ::verdigris::rt::Entered::Interpret => {}
                            ::verdigris::rt::Entered::Resume((green0, (_, ())), (red0, ())) => {
                                pc = green0;
                                y = red0;
                            }
                            ::verdigris::rt::Entered::Return(value) => return value,
                        };
                        ::verdigris::rt::count_operation();
                        if pc == 7 {
                            break;
                        }
                        let y = 1;
                    }
                }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) static __vd_portal_run: ::verdigris::rt::Portal = ::verdigris::rt::Portal::new(
                ::core::concat!(::core::module_path!(), "::", "run"),
            );
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn___vd_from_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::FnDescr::runner::<()>("__vd_from_run", ::core::option::Option::None)
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<usize>();
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
            fn run(pc: usize, a: i64) -> i64 {
                if ::verdigris::rt::is_within_code() {
                    return ::verdigris::rt::interpret_within(move || __vd_from_run(
                        ::verdigris::rt::Start::Call((pc, a)),
                    ));
                }
                __vd_from_run(::verdigris::rt::Start::Call((pc, a)))
            }
            #[doc(hidden)]
            #[allow(non_snake_case)]
            fn __vd_from_run(start: ::verdigris::rt::Start<(usize, i64)>) -> i64 {
                ::verdigris::rt::enter_portal(&__vd_portal_run);
                let mut frame = ::verdigris::rt::PortalFrame::new();
                #[allow(unused_mut)]
                let (pc, mut a) = match start {
                    ::verdigris::rt::Start::Call((mut pc, mut a)) => {
                        {
                            let a = 1;
                        }
                        let pc = pc;
                        (pc, a)
                    }
                    ::verdigris::rt::Start::At(state) => {
                        let ((green0, ()), (red0, ())) = state.load();
                        (green0, red0)
                    }
                };
                #[allow(unused_assignments, unused_variables)]
                match ::verdigris::rt::enter_function(
                    &mut frame,
                    (::verdigris::rt::parts(pc), ()),
                    (::verdigris::rt::parts(a), ()),
                ) {
                    ::verdigris::rt::Entered::Interpret => {}
                    ::verdigris::rt::Entered::Resume((_, ()), (red0, ())) => {
                        a = red0;
                    }
                    ::verdigris::rt::Entered::Return(value) => return value,
                }
                'vd_header: loop {
                    ::verdigris::rt::count_operation();
                    'vd_enter: {
                        {
                            let a = 3;
                            break 'vd_enter;
                        }
                        #[allow(unreachable_code)] continue 'vd_header;
                    }
                    #[allow(unused_assignments, unused_variables)]
                    match ::verdigris::rt::can_enter(
                        &mut frame,
                        (::verdigris::rt::parts(pc), ()),
                        (::verdigris::rt::parts(a), ()),
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
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) static __vd_portal_run: ::verdigris::rt::Portal = ::verdigris::rt::Portal::new(
                ::core::concat!(::core::module_path!(), "::", "run"),
            );
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn___vd_from_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::FnDescr::runner::<
                    i64,
                >(
                    "__vd_from_run",
                    ::core::option::Option::Some(|state| __vd_from_run(
                        ::verdigris::rt::Start::At(state),
                    )),
                )
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<usize>();
                ::verdigris::rt::assert_parts::<i64>();
                ::verdigris::rt::assert_parts::<i64>();
                ::verdigris::rt::FnDescr::new("run", run as fn(_, _) -> _)
            }
        "#]],
    );
}

/// What rustc checks while the translator has mistakes to show.
#[test]
fn a_portal_without_its_hints_is_plain_rust() {
    let portal = quote::quote! {
        fn run(program: Gc<Program>, mut counter: i64) -> i64 {
            while counter > 0 {
                merge_point!(wrong);
                counter = match program.op {
                    0 => can_enter_jit!(),
                    _ => {
                        can_enter_jit!();
                    }
                };
            }
            fn other() { can_enter_jit!() }
            counter
        }
    };
    let plain = crate::portal::plain(portal);
    let file = syn::parse2(plain).expect("a function");
    expect![[r#"
        #[allow(unused, unreachable_code)]
        fn run(program: Gc<Program>, mut counter: i64) -> i64 {
            while counter > 0 {
                ();
                counter = match program.op {
                    0 => ::core::unreachable!(),
                    _ => {
                        ::core::unreachable!();
                    }
                };
            }
            fn other() {
                can_enter_jit!()
            }
            counter
        }
    "#]]
    .assert_eq(&prettyplease::unparse(&file));
}
