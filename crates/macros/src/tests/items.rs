//! What the attributes of types and called functions expand to.

use super::check;
use expect_test::expect;

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
        expect![[r##"
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
            #[allow(non_upper_case_globals, dead_code)]
            pub const __vd_text_Point: &str = "struct Point{x:i64,y:Cell<Option<Gc<Point>>>}";
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub fn __vd_class_Point() -> &'static ::verdigris::rt::ClassDescr {
                ::verdigris::rt::struct_class::<Point>()
            }
            #[repr(C)]
            struct Nil;
            ::verdigris::rt::gc_class! {
                Nil {}
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) const __vd_text_Nil: &str = "struct Nil";
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_class_Nil() -> &'static ::verdigris::rt::ClassDescr {
                ::verdigris::rt::struct_class::<Nil>()
            }
        "##]],
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
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub const __vd_text_ObjKind: &str = "enum ObjKind{Int(Gc<IntObj>),Nil(verdigris::Gc<crate::nil::NilObj>)}";
            ::verdigris::rt::gc_object! {
                #[doc = "A reference to an object of one of the classes of [`ObjKind`]."] pub Obj,
                ObjKind { Int(IntObj), Nil(crate ::nil::NilObj) }
            }
            #[allow(dead_code)]
            #[derive(Clone, Copy)]
            enum TreeKind {
                Leaf(Gc<Leaf>),
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) const __vd_text_TreeKind: &str = "enum TreeKind{Leaf(Gc<Leaf>)}";
            ::verdigris::rt::gc_object! {
                #[doc = "A reference to an object of one of the classes of [`TreeKind`]."] Tree,
                TreeKind { Leaf(Leaf) }
            }
        "##]],
    );
}

#[test]
fn advice_leaves_the_function_as_it_is() {
    check(
        r#"
        #[advice("set the same fields in the same order")]
        fn shape(table: Gc<Table>) -> Gc<Shape> { promote(table.shape.get()) }
        "#,
        expect![[r#"
            fn shape(table: Gc<Table>) -> Gc<Shape> {
                promote(table.shape.get())
            }
        "#]],
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
            pub fn __vd_fn_print() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<i64>();
                ::verdigris::rt::FnDescr::new("print", print as fn(_) -> _)
            }
            fn find(class: Gc<Class>, mut name: u32) -> Option<Gc<Method>> {
                None
            }
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub(crate) fn __vd_fn_find() -> ::verdigris::rt::FnDescr {
                ::verdigris::rt::assert_parts::<Gc<Class>>();
                ::verdigris::rt::assert_parts::<u32>();
                ::verdigris::rt::assert_parts::<Option<Gc<Method>>>();
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
                    ::verdigris::rt::assert_parts::<u32>();
                    ::verdigris::rt::assert_parts::<u32>();
                    ::verdigris::rt::assert_parts::<i64>();
                    ::verdigris::rt::FnDescr::new(
                        "find",
                        (|arg0: <Self as ::verdigris::rt::Receive>::Passed, arg1, arg2| Self::find(
                            <Self as ::verdigris::rt::Receive>::lend(&arg0),
                            arg1,
                            arg2,
                        )) as fn(<Self as ::verdigris::rt::Receive>::Passed, _, _) -> _,
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
                    ::verdigris::rt::assert_parts::<Gc<Self>>();
                    ::verdigris::rt::FnDescr::new("make", Self::make as fn() -> _)
                }
                fn count() -> i64 {
                    0
                }
                #[doc(hidden)]
                #[allow(non_snake_case, dead_code)]
                pub(crate) fn __vd_fn_count() -> ::verdigris::rt::FnDescr {
                    ::verdigris::rt::assert_parts::<i64>();
                    ::verdigris::rt::FnDescr::new("count", Self::count as fn() -> _)
                }
            }
        "#]],
    );
}

#[test]
fn values() {
    check(
        r#"
        /// A value.
        #[value]
        #[derive(Clone, Copy)]
        pub enum Value { Nil, Int(i64), Rect { w: f64, h: f64 } }
        #[value]
        #[derive(Clone, Copy)]
        struct Point(i64, Gc<Node>);
        #[value]
        struct Unit;
        "#,
        expect![[r##"
            #[repr(u64)]
            /// A value.
            #[derive(Clone, Copy)]
            pub enum Value {
                Nil,
                Int(i64),
                Rect { w: f64, h: f64 },
            }
            ::verdigris::rt::gc_value! {
                exact Value, true { 0u64 => (Value::Nil {}) {} 1u64 => (Value::Int { 0 : part0 }) {
                part0 : i64 } 2u64 => (Value::Rect { w : part0, h : part1 }) { part0 : f64, part1 :
                f64 } }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub const __vd_text_Value: &str = "enum Value{Nil,Int(i64),Rect{w:f64,h:f64}}";
            #[repr(C)]
            #[derive(Clone, Copy)]
            struct Point(i64, Gc<Node>);
            ::verdigris::rt::gc_value! {
                exact Point, false { 0u64 => (Point { 0 : part0, 1 : part1 }) { part0 : i64, part1 :
                Gc < Node > } }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) const __vd_text_Point: &str = "struct Point(i64,Gc<Node>)";
            #[repr(C)]
            struct Unit;
            ::verdigris::rt::gc_value! {
                exact Unit, false { 0u64 => (Unit {}) {} }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub(crate) const __vd_text_Unit: &str = "struct Unit";
        "##]],
    );
}

#[test]
fn gc_struct_with_parameters() {
    check(
        r#"
        #[gc]
        pub struct Pair<A: Word, B: Stored + Copy = i64> { a: A, b: Cell<B>, next: Cell<Option<Gc<Pair<A, B>>>> }
        "#,
        expect![[r##"
            #[repr(C)]
            pub struct Pair<A: Word, B: Stored + Copy = i64> {
                a: A,
                b: Cell<B>,
                next: Cell<Option<Gc<Pair<A, B>>>>,
            }
            ::verdigris::rt::gc_class! {
                generic[A : Word, B : Stored + Copy] Pair[A, B] { a : A, b : Cell < B >, next : Cell
                < Option < Gc < Pair < A, B > > > > }
            }
            #[doc(hidden)]
            #[allow(non_upper_case_globals, dead_code)]
            pub const __vd_text_Pair: &str = "struct Pair{a:A,b:Cell<B>,next:Cell<Option<Gc<Pair<A,B>>>>}";
            #[doc(hidden)]
            #[allow(non_snake_case, dead_code)]
            pub fn __vd_class_Pair<A: Word, B: Stored + Copy>() -> &'static ::verdigris::rt::ClassDescr {
                ::verdigris::rt::struct_class::<Pair<A, B>>()
            }
        "##]],
    );
}

/// What stands for a class in which the translator has found mistakes.
#[test]
fn gc_struct_with_mistakes() {
    let plain = quote::quote! { struct Function { name: String } };
    let generic = quote::quote! { struct Node<T: Word> { names: Vec<T> } };
    let text = [plain, generic].map(crate::class::mistaken);
    let [plain, generic] = text;
    let file = syn::parse2(quote::quote!(#plain #generic)).expect("items");
    expect![[r#"
        struct Function {
            name: String,
        }
        ::verdigris::rt::gc_class! {
            mistaken[] Function[]
        }
        struct Node<T: Word> {
            names: Vec<T>,
        }
        ::verdigris::rt::gc_class! {
            mistaken[T : Word] Node[T]
        }
    "#]]
    .assert_eq(&prettyplease::unparse(&file));
}
