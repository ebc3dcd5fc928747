//! What `#[portal(tier = function, location = function)]` adds to the expansion.

use super::check;
use expect_test::expect;

/// What the engine calls has words, so the function is called once more in the portal, for rustc to
/// compare the types.
#[test]
fn portal_with_a_tier() {
    check(
        r#"
        #[portal(tier = tier, can_never_inline = rare)]
        fn run(program: Gc<Program>, mut pc: usize) -> i64 {
            let tier = 1;
            loop {
                merge_point!(greens = [pc, program], reds = []);
                pc += tier;
            }
        }
        "#,
        expect![[r#"
            fn run(program: Gc<Program>, mut pc: usize) -> i64 {
                ::verdigris::rt::enter_portal(&__vd_portal_run);
                let mut frame = ::verdigris::rt::PortalFrame::new();
                let tier = 1;
                loop {
                    ::verdigris::rt::check_tier(|| self::tier(pc, program));
                    #[allow(unused_assignments, unused_variables)]
                    match ::verdigris::rt::can_enter(
                        &mut frame,
                        (::verdigris::rt::parts(pc), (::verdigris::rt::parts(program), ())),
                        (),
                    ) {
                        ::verdigris::rt::Entered::Interpret => {}
                        ::verdigris::rt::Entered::Resume((green0, (_, ())), ()) => {
                            pc = green0;
                        }
                        ::verdigris::rt::Entered::Return(value) => return value,
                    };
                    ::verdigris::rt::count_operation();
                    pc += tier;
                }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) static __vd_portal_run: ::verdigris::rt::Portal = ::verdigris::rt::Portal::new(
                    ::core::concat!(::core::module_path!(), "::", "run"),
                )
                .with_tier(|words| {
                    let (green0, (green1, ())) = words.greens();
                    tier(green0, green1)
                });
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn___vd_from_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::FnDescr::runner::<
                    i64,
                >("__vd_from_run", ::core::option::Option::None)
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_run() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<Gc<Program>>();
                ::verdigris::rt::assert_parts::<usize>();
                ::verdigris::rt::assert_parts::<i64>();
                ::verdigris::rt::FnDescr::new("run", run as fn(_, _) -> _)
            }
        "#]],
    );
    check(
        r#"
        #[portal(location = places::here, tier = crate::levels::tier)]
        fn run(mut pc: usize) {
            if pc > 0 {
                loop { merge_point!(greens = [pc], reds = []); can_enter_jit!(); }
            }
        }
        "#,
        expect![[r#"
            fn run(mut pc: usize) {
                ::verdigris::rt::enter_portal(&__vd_portal_run);
                let mut frame = ::verdigris::rt::PortalFrame::new();
                if pc > 0 {
                    'vd_header: loop {
                        ::verdigris::rt::count_operation();
                        'vd_enter: {
                            {
                                break 'vd_enter;
                            }
                            #[allow(unreachable_code)] continue 'vd_header;
                        }
                        ::verdigris::rt::check_location(|| places::here(pc));
                        ::verdigris::rt::check_tier(|| crate::levels::tier(pc));
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
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) static __vd_portal_run: ::verdigris::rt::Portal = ::verdigris::rt::Portal::new(
                    ::core::concat!(::core::module_path!(), "::", "run"),
                )
                .with_location(|words| {
                    let (green0, ()) = words.greens();
                    places::here(green0)
                })
                .with_tier(|words| {
                    let (green0, ()) = words.greens();
                    crate::levels::tier(green0)
                });
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
