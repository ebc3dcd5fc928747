//! Whole interpreters through the front end: what comes out is printed and compared.

use expect_test::{Expect, expect};
use verdigris_front::{check_source, print};

fn check(text: &str, expect: Expect) {
    check_files(&[("src/main.rs", text)], expect);
}

fn check_files(files: &[(&str, &str)], expect: Expect) {
    let shown = match check_source(files) {
        Ok(program) => print(&program),
        Err(diagnostics) => diagnostics.to_string(),
    };
    expect.assert_eq(&shown);
}

#[test]
fn counter() {
    check(
        r#"
use verdigris::{we_are_jitted, prelude::*};
verdigris::include_jit!();
#[gc] struct Program { code: GcArray<u8> }
#[portal]
fn run(program: Gc<Program>, mut counter: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [counter]);
        let op = program.code[pc]; pc += 1;
        match op {
            0 => counter -= 1,
            1 => if counter > 0 { pc = 0; can_enter_jit!(); },
            _ => return counter,
        }
    }
}
fn main() {
    let vm = Vm::new(jit::program(), Options::default()).unwrap();
    let r = vm.enter(|| { let p = Gc::new(Program{ code: GcArray::from_slice(&[0,1,2]) }); run(p, 1000000) });
    println!("{r}");
}
"#,
        expect![[r#"
            class Program { code: r } = crate::__vd_class_Program
            class GcArray<u8> { i } = ::verdigris::rt::array_class::<u8, ()>
            portal run(program: Gc<Program>, counter: i64) -> i64 {
                let pc: usize = 0usize
                loop0: loop {
                    merge_point [pc, program] [counter]
                    let op: u8 = program.code[pc]
                    pc = (pc + 1usize)
                    match op {
                        0 => counter = (counter - 1i64)
                        1 => if (counter > 0i64) {
                            pc = 0usize
                            can_enter_jit loop0
                        }
                        _ => return counter
                    }
                }
            }
        "#]],
    );
}

#[test]
fn object_language() {
    check_files(
        &[
            (
                "src/main.rs",
                r#"
use verdigris::{we_are_jitted, prelude::*};
verdigris::include_jit!();
mod object;
mod interp;
#[cfg(test)] mod missing;
use clap::Parser;
#[derive(Parser)] struct Args { file: std::path::PathBuf, n: Vec<String> }
fn main() { let args = Args::parse(); for x in args.n.iter().map(|s| s.len()) { println!("{}", x); } }
"#,
            ),
            (
                "src/object.rs",
                r#"
use verdigris::{we_are_jitted, prelude::*};
use crate::interp::fail;
#[gc] pub struct IntObj { pub value: i64 }
#[gc] pub struct NilObj {}
#[gc] pub struct Cons { pub car: Obj, pub cdr: Cell<Obj> }
#[gc] pub struct Frame { pub stack: Stack, pub sp: Cell<usize>, pub parent: Option<Gc<Frame>>, pub nil: Obj }
pub struct OnStack;
pub type Stack = GcArray<Cell<Obj>, OnStack>;
#[object(Obj)]
pub enum ObjKind { Int(Gc<IntObj>), Nil(Gc<NilObj>), Cons(Gc<Cons>) }
pub const ZERO: i64 = 1 - 1;

impl IntObj {
    pub fn wrap(value: i64) -> Obj { Obj::from(Gc::new(IntObj { value })) }
    fn add(&self, other: Obj) -> Obj {
        match other.kind() {
            ObjKind::Int(o) => IntObj::wrap(self.value + o.value),
            _ => fail(1),
        }
    }
}
impl Obj {
    pub fn add(self, other: Obj) -> Obj {
        use ObjKind::*;
        match self.kind() {
            Int(i) => i.add(other),
            Nil(_) | Cons(_) => { fail(2); unreachable!() }
        }
    }
    pub fn truthy(&self) -> bool {
        !matches!(self.kind(), ObjKind::Nil(_)) && if let ObjKind::Int(i) = self.kind() { i.value != ZERO } else { true }
    }
    #[elidable] pub fn lookup(self, name: u32) -> Option<Obj> { std::todo!() }
}
impl std::fmt::Display for Obj { fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result { Ok(()) } }
impl Frame {
    pub fn new(nil: Obj, parent: Option<Gc<Frame>>) -> Gc<Self> {
        Gc::new(Self { stack: GcArray::new(16, nil), sp: Cell::new(0), parent, nil })
    }
    pub fn push(&self, o: Obj) {
        let sp = self.sp.get();
        self.stack[sp].set(o);
        self.sp.set(sp + 1);
    }
    pub fn pop(&self) -> Obj {
        let sp = self.sp.get() - 1;
        let o = self.stack[sp].get();
        self.stack[sp].set(self.nil);
        self.sp.set(sp);
        o
    }
    #[unroll_safe]
    pub fn depth(&self) -> i64 {
        let mut n = 0;
        let mut at = self.parent;
        while let Some(f) = at { n += 1; at = f.parent; }
        n
    }
}
"#,
            ),
            (
                "src/interp.rs",
                r#"
use super::object::{self, *};
use verdigris::{we_are_jitted, prelude::*};
mod op { pub const PUSH: u8 = 0; pub const ADD: u8 = PUSH + 1; pub const JUMP: u8 = 2; pub const CALL: u8 = 3; }
#[gc] pub struct Code { pub bytes: GcArray<u8>, pub consts: GcArray<Obj> }
#[opaque] pub(crate) fn fail(code: i32) -> Obj { panic!("failed {}", code) }
#[portal]
pub fn run(code: Gc<Code>, frame: Gc<Frame>) -> Obj {
    let mut pc = 0;
    'outer: loop {
        merge_point!(greens = [pc, code], reds = [frame]);
        let opcode = code.bytes[pc];
        pc += 1;
        match opcode {
            op::PUSH => { let arg = code.bytes[pc] as usize; pc += 1; frame.push(code.consts[arg]); }
            op::ADD => { let b = frame.pop(); let a = promote(frame.pop()); frame.push(a.add(b)); }
            op::JUMP => {
                let target = (code.bytes[pc] as usize) << 8 | code.bytes[pc + 1] as usize;
                if frame.pop().truthy() { pc = target; can_enter_jit!(); }
                pc += 2;
            }
            op::CALL => {
                let callee = Frame::new(frame.nil, Some(frame));
                frame.push(run(code, callee));
            }
            x @ (10..=20 | 30) if x != 15 => frame.push(IntObj::wrap(x as i64)),
            x if x >= 250 => {
                let Some(o) = frame.pop().lookup(x as u32) else { break 'outer frame.pop() };
                frame.push(o);
            }
            _ => return frame.pop(),
        }
    }
}
"#,
            ),
        ],
        expect![[r#"
            class interp::Code { bytes: r, consts: r } = crate::interp::__vd_class_Code
            class GcArray<u8> { i } = ::verdigris::rt::array_class::<u8, ()>
            class object::IntObj { value: i } = crate::object::__vd_class_IntObj
            class object::NilObj {  } = crate::object::__vd_class_NilObj
            class object::Cons { car: r, cdr: r mut } = crate::object::__vd_class_Cons
            class GcArray<object::Obj> { r } = ::verdigris::rt::array_class::<crate::object::Obj, ()>
            class object::Frame { stack: r, sp: i mut, parent: r, nil: r } = crate::object::__vd_class_Frame
            class GcArray<Cell<object::Obj>,object::OnStack> { r mut } = ::verdigris::rt::array_class::<::verdigris::Cell<crate::object::Obj>, crate::object::OnStack>
            object Obj { Int(object::IntObj), Nil(object::NilObj), Cons(object::Cons) }
            runner interp::__vd_from_run() -> _ = crate::interp::__vd_fn___vd_from_run
            portal interp::run(rr) -> r = crate::interp::__vd_fn_run
            elidable object::Obj::lookup(ri) -> r = crate::object::Obj::__vd_fn_lookup
            opaque interp::fail(i) -> r = crate::interp::__vd_fn_fail // the crate derives `Parser`
            portal interp::run(code: Gc<interp::Code>, frame: Gc<object::Frame>) -> Obj {
                let pc: usize = 0usize
                loop0: loop {
                    merge_point [pc, code] [frame]
                    let opcode: u8 = code.bytes[pc]
                    pc = (pc + 1usize)
                    match opcode {
                        0 => {
                            let arg: usize = (code.bytes[pc] as usize)
                            pc = (pc + 1usize)
                            object::Frame::push(frame, code.consts[arg])
                        }
                        1 => {
                            let b: Obj = object::Frame::pop(frame)
                            let a: Obj = promote(object::Frame::pop(frame))
                            object::Frame::push(frame, object::Obj::add(a, b))
                        }
                        2 => {
                            let target: usize = (((code.bytes[pc] as usize) << 8i32) | (code.bytes[(pc + 1usize)] as usize))
                            if object::Obj::truthy(object::Frame::pop(frame)) {
                                pc = target
                                can_enter_jit loop0
                            }
                            pc = (pc + 2usize)
                        }
                        3 => {
                            let callee: Gc<object::Frame> = object::Frame::new(frame.nil, Some(frame))
                            object::Frame::push(frame, call interp::run(code, callee))
                        }
                        x: u8 @ 10..=20 | 30 if (x != 15u8) => object::Frame::push(frame, object::IntObj::wrap((x as i64)))
                        x#2: u8 if (x#2 >= 250u8) => {
                            let o#2: Obj
                            match call object::Obj::lookup(object::Frame::pop(frame), (x#2 as u32)) {
                                Some(o: Obj) => {
                                    o#2 = o
                                }
                                _ => {
                                    break loop0 object::Frame::pop(frame)
                                }
                            }
                            object::Frame::push(frame, o#2)
                        }
                        _ => return object::Frame::pop(frame)
                    }
                }
            }
            func object::Frame::push(self: Gc<object::Frame>, o: Obj) -> () {
                let sp: usize = self.sp
                self.stack[sp] := o
                self.sp := (sp + 1usize)
            }
            func object::Frame::pop(self: Gc<object::Frame>) -> Obj {
                let sp: usize = (self.sp - 1usize)
                let o: Obj = self.stack[sp]
                self.stack[sp] := self.nil
                self.sp := sp
                o
            }
            func object::Obj::add(self: Obj, other: Obj) -> Obj {
                match kind(self) {
                    class object::IntObj i => object::IntObj::add(i, other)
                    class object::NilObj | class object::Cons => {
                        call interp::fail(2i32)
                        panic "internal error: entered unreachable code"
                    }
                }
            }
            func object::Obj::truthy(self: Obj) -> bool {
                (!match kind(self) {
                    class object::NilObj => true
                    _ => false
                } && match kind(self) {
                    class object::IntObj i => {
                        (i.value != 0i64)
                    }
                    _ => {
                        true
                    }
                })
            }
            func object::Frame::new(nil: Obj, parent: Option<Gc<object::Frame>>) -> Gc<object::Frame> {
                new object::Frame { stack: new GcArray<Cell<object::Obj>,object::OnStack>(16usize, nil), sp: 0usize, parent: parent, nil: nil }
            }
            func object::IntObj::wrap(value: i64) -> Obj {
                (new object::IntObj { value: value } : Obj)
            }
            func object::IntObj::add(self: Gc<object::IntObj>, other: Obj) -> Obj {
                match kind(other) {
                    class object::IntObj o => object::IntObj::wrap((self.value + o.value))
                    _ => call interp::fail(1i32)
                }
            }
        "#]],
    );
}

#[test]
fn inference() {
    check(
        r#"
use verdigris::{we_are_jitted, prelude::*};
#[gc] struct Node { next: Cell<Option<Gc<Node>>>, weight: Cell<f64>, small: Cell<i8> }
const LIMIT: usize = 4 * 2 + (3 as usize);
const MASK: u8 = !0 >> 1;
const HALF: f64 = 1.0 / 2.0;
const DEBUG: bool = LIMIT > 10 && !false;

#[unroll_safe]
fn sum(a: GcArray<i32>, from: usize) -> i32 {
    let mut i = 0;
    let mut total = 0;
    while i < a.len() {
        total += a[i];
        i += 1;
    }
    let mut count = 0;
    for j in from..a.len() { if a[j] == -1 { continue; } count += j; }
    for _ in (0..=3u8).rev() { total = total.wrapping_mul(3).abs(); }
    let best = 'found: {
        for k in 0..LIMIT { if k == count { break 'found k; } }
        0
    };
    let last;
    if best > 3 { last = 1i64 << 40 } else { last = -9_223_372_036_854_775_808 }
    total + last as i32 + (best.min(7) as u8 & MASK) as i32
}

fn walk(mut node: Gc<Node>) -> Option<Gc<Node>> {
    let mut found = None;
    if let Some(next) = node.next.get() && next.weight.get() > HALF && let Some(other) = next.next.get() {
        node = other;
        found = Some(node);
    }
    node.small.set(-128);
    node.weight.set(f64::from_bits(node.weight.get().to_bits()).abs() * -1.5 + i64::MAX as f64);
    let first = found?;
    let second = first.next.get().unwrap_or(node);
    assert!(!Gc::ptr_eq(first, second), "same {{node}}");
    assert!(first.next.get().is_none());
    debug_assert_eq!(1, 2);
    Some(second)
}

#[portal]
fn run(a: GcArray<i32>, n: Gc<Node>) -> bool {
    let mut pc = 0usize;
    loop {
        merge_point!(greens = [pc], reds = [a, n]);
        let items = GcArray::<Cell<u16>>::new(a.len(), 7);
        items[pc].set(items[0].get() | 1);
        let other: GcArray<f64> = GcArray::new(2, 0.5);
        if !we_are_jitted() { println!("{:?}", vec![1]); }
        let flag = if DEBUG { sum(a, pc) >= 3 } else { false };
        let text = match flag { true => 1, false => loop { break 2 } };
        pc = match walk(n) { Some(x) if x.small.get() < 0 => pc + text, Some(_) => return !flag, None => panic!("no node") };
    }
}
"#,
        expect![[r#"
            class GcArray<i32> { i } = ::verdigris::rt::array_class::<i32, ()>
            class Node { next: r mut, weight: f mut, small: i mut } = crate::__vd_class_Node
            class GcArray<Cell<u16>> { i mut } = ::verdigris::rt::array_class::<::verdigris::Cell<u16>, ()>
            class GcArray<f64> { f } = ::verdigris::rt::array_class::<f64, ()>
            portal run(a: GcArray<i32>, n: Gc<Node>) -> bool {
                let pc: usize = 0usize
                loop0: loop {
                    merge_point [pc] [a, n]
                    let items: GcArray<Cell<u16>> = new GcArray<Cell<u16>>(len(a), 7u16)
                    items[pc] := (items[0usize] | 1u16)
                    let other: GcArray<f64> = new GcArray<f64>(2usize, 0.5)
                    ()
                    let flag: bool = {
                        (sum(a, pc) >= 3i32)
                    }
                    let text: usize = match flag {
                        1 => 1usize
                        0 => loop1: loop {
                            break loop1 2usize
                        }
                    }
                    pc = match walk(n) {
                        Some(x: Gc<Node>) if (x.small < 0i8) => (pc + text)
                        Some(_) => return !flag
                        None => panic "no node"
                    }
                }
            }
            func sum(a: GcArray<i32>, from: usize) -> i32 unroll_safe {
                let i: usize = 0usize
                let total: i32 = 0i32
                loop0: loop {
                    if (i < len(a)) {
                        total = (total + a[i])
                        i = (i + 1usize)
                    } else {
                        break loop0
                    }
                }
                let count: usize = 0usize
                {
                    let low: usize = from
                    let high: usize = len(a)
                    loop1: loop {
                        if (low < high) {
                            let j: usize = low
                            low = (low + 1usize)
                            {
                                if (a[j] == -1i32) {
                                    continue loop1
                                }
                                count = (count + j)
                            }
                        } else {
                            break loop1
                        }
                    }
                }
                {
                    let low#2: u8 = 0u8
                    let high#2: u8 = 3u8
                    let more: bool = (low#2 <= high#2)
                    loop2: loop {
                        if more {
                            let _: u8 = high#2
                            if (low#2 < high#2) {
                                high#2 = (high#2 - 1u8)
                            } else {
                                more = false
                            }
                            {
                                total = IntAbs((total * 3i32))
                            }
                        } else {
                            break loop2
                        }
                    }
                }
                let best: usize = loop3: block {
                    {
                        let low#3: usize = 0usize
                        let high#3: usize = 11usize
                        loop4: loop {
                            if (low#3 < high#3) {
                                let k: usize = low#3
                                low#3 = (low#3 + 1usize)
                                {
                                    if (k == count) {
                                        break loop3 k
                                    }
                                }
                            } else {
                                break loop4
                            }
                        }
                    }
                    0usize
                }
                let last: i64
                if (best > 3usize) {
                    last = (1i64 << 40i32)
                } else {
                    last = -9223372036854775808i64
                }
                ((total + (last as i32)) + ((({
                    let a#2: usize = best
                    let b: usize = 7usize
                    if (a#2 < b) {
                        a#2
                    } else {
                        b
                    }
                } as u8) & 127u8) as i32))
            }
            func walk(node: Gc<Node>) -> Option<Gc<Node>> {
                let found: Option<Gc<Node>> = None
                loop0: block {
                    match node.next {
                        Some(next: Gc<Node>) => if (next.weight > 0.5) {
                            match next.next {
                                Some(other: Gc<Node>) => break loop0 {
                                    node = other
                                    found = Some(node)
                                }
                                _ => ()
                            }
                        }
                        _ => ()
                    }
                }
                node.small := -128i8
                node.weight := ((float_abs(float_from_bits(float_bits(node.weight))) * -1.5) + (9223372036854775807i64 as f64))
                let first: Gc<Node> = match found {
                    Some(some: Gc<Node>) => some
                    _ => return None
                }
                let second: Gc<Node> = {
                    let this: Option<Gc<Node>> = first.next
                    let other#2: Gc<Node> = node
                    {
                        match this {
                            Some(x: Gc<Node>) => x
                            None => other#2
                        }
                    }
                }
                if !(first == second) {} else {
                    panic "same {node}"
                }
                if IsFirst(first.next) {} else {
                    panic "assertion failed: first.next.get().is_none()"
                }
                ()
                Some(second)
            }
        "#]],
    );
}
