//! A guest language for the engine's tests: an interpreter as `#[portal]` expands it, and the same
//! interpreter as jitcode, written by hand. The tests compare the two.

use std::sync::LazyLock;
use verdigris_engine::{BackendKind, InterruptHandle, Options, Portal, Program, ProgramParts, Vm};
use verdigris_heap::{
    Cell, ClassDescr, Entered, FnDescr, Gc, GcArray, GcClass, Location, PortalFrame, Start, Tier,
    array_class, can_enter, enter_function, gc_class,
};

/// The instructions of the guest language. The machine has the registers `a` (the argument), `b`
/// (the result), `c` and a list; targets are positions in the encoded program.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Return `b`.
    Ret,
    /// `b += a`
    AddA,
    /// `a -= 1`
    DecA,
    /// Jump back if `a > 0`.
    LoopA(u8),
    /// `c = n`
    SetC(u8),
    /// `c -= 1`
    DecC,
    /// Jump back if `c > 0`.
    LoopC(u8),
    /// Skip bytes if `a` is even.
    SkipEven(u8),
    /// `b += 1`, through a new object.
    Box,
    /// `b += run(target, a - 1)`
    Call(u8),
    /// An opaque call that panics if `a` is 5.
    Fail,
    /// Puts a node in front of the list.
    Keep,
    /// `b = b.wrapping_add(square(a & 3))`, an elidable call.
    Square,
    /// Skip bytes if `a` is 0.
    SkipZero(u8),
    /// Jump back.
    Loop(u8),
    /// `program.total += a`
    Total,
    /// `b += ` the first node of the list, if there is one.
    Peek,
    /// `b += promote(a & 3)`
    Promote,
    /// `b += promote(a)`
    PromoteA,
    /// `b += switch(a)`, an opaque call of what [`SWITCH`] says, which may touch anything.
    Switch,
    /// Skip bytes if `a` is not positive.
    SkipNeg(u8),
    /// Adds `a` to the first node of the list, if there is one.
    Bump,
    /// `program.root = list`
    Publish,
    /// `list = program.root`
    Fetch,
    /// `memory[a & 3] = b`
    Store,
    /// `b += memory[a & 3]`
    Load,
    /// `memory[n] = b`
    StoreAt(u8),
    /// `b += memory[n]`
    LoadAt(u8),
    /// `b += a / 2`, in floating point, rounded towards zero.
    Half,
    /// `b += b + a`, through a new array.
    Pair,
    /// `match (a & 1) * a { 0 => {} n => b += n }`
    Match,
}

impl Op {
    fn encode(self, out: &mut Vec<u8>) {
        let (code, operand) = match self {
            Op::Ret => (0, None),
            Op::AddA => (1, None),
            Op::DecA => (2, None),
            Op::LoopA(t) => (3, Some(t)),
            Op::SetC(n) => (4, Some(n)),
            Op::DecC => (5, None),
            Op::LoopC(t) => (6, Some(t)),
            Op::SkipEven(n) => (7, Some(n)),
            Op::Box => (8, None),
            Op::Call(t) => (9, Some(t)),
            Op::Fail => (10, None),
            Op::Keep => (11, None),
            Op::Square => (12, None),
            Op::SkipZero(n) => (13, Some(n)),
            Op::Loop(t) => (14, Some(t)),
            Op::Total => (15, None),
            Op::Peek => (16, None),
            Op::Promote => (17, None),
            Op::SkipNeg(n) => (18, Some(n)),
            Op::Bump => (19, None),
            Op::Publish => (20, None),
            Op::Fetch => (21, None),
            Op::Store => (22, None),
            Op::Load => (23, None),
            Op::StoreAt(n) => (24, Some(n)),
            Op::LoadAt(n) => (25, Some(n)),
            Op::Half => (26, None),
            Op::Pair => (27, None),
            Op::PromoteA => (28, None),
            Op::Switch => (29, None),
            Op::Match => (30, None),
        };
        out.push(code);
        out.extend(operand);
    }
}

/// The bytes of a program.
pub fn encode(ops: &[Op]) -> Vec<u8> {
    let mut out = Vec::new();
    ops.iter().for_each(|op| op.encode(&mut out));
    out
}

pub struct Guest {
    pub code: GcArray<u8>,
    pub total: Cell<i64>,
    pub root: Cell<Option<Gc<Node>>>,
    pub memory: GcArray<Cell<i64>>,
}
gc_class! {
    Guest {
        code: GcArray<u8>,
        total: Cell<i64>,
        root: Cell<Option<Gc<Node>>>,
        memory: GcArray<Cell<i64>>,
    }
}

struct Counter {
    n: Cell<i64>,
}
gc_class! { Counter { n: Cell<i64> } }

pub struct Node {
    pub next: Option<Gc<Node>>,
    pub n: Cell<i64>,
}
gc_class! { Node { next: Option<Gc<Node>>, n: Cell<i64> } }

/// The message of the panicking call.
pub const MESSAGE: &str = "a is five";

thread_local! {
    /// The VM that [`Op::Fail`] interrupts, and for which `a`.
    pub static INTERRUPT: std::cell::Cell<Option<(InterruptHandle, i64)>> = const { std::cell::Cell::new(None) };
    /// What [`Op::Switch`] calls.
    pub static SWITCH: std::cell::Cell<fn(i64) -> i64> = const { std::cell::Cell::new(|a| a) };
    /// Whether [`Op::Fail`] takes a sample.
    pub static SAMPLES: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

fn fail(a: i64) -> i64 {
    if SAMPLES.get() {
        verdigris_engine::take_sample();
    }
    if let Some((handle, at)) = INTERRUPT.take() {
        match a == at {
            true => handle.interrupt(),
            false => INTERRUPT.set(Some((handle, at))),
        }
    }
    if a == 5 {
        std::panic::panic_any(MESSAGE);
    }
    // Neither reads nor writes what exists, so stores are delayed across it; under stress this
    // collects.
    Gc::new(Counter { n: Cell::new(a) }).n.get()
}

fn switch(a: i64) -> i64 {
    SWITCH.get()(a)
}

fn square(n: i64) -> i64 {
    n * n
}

/// The interpreter, as `#[portal]` expands it.
pub fn run(guest: Gc<Guest>, pc: usize, a: i64) -> i64 {
    run_from(Start::Call((guest, pc, a)))
}

fn run_from(start: Start<(Gc<Guest>, usize, i64)>) -> i64 {
    verdigris_engine::enter_portal(CALLED.get());
    let (mut pc, guest, mut a, mut b, mut c, mut list) = match start {
        Start::Call((guest, pc, a)) => {
            let b: i64 = 0;
            let c: i64 = 0;
            let list: Option<Gc<Node>> = None;
            (pc, guest, a, b, c, list)
        }
        Start::At(state) => {
            let ((pc, (guest, ())), (a, (b, (c, (list, ()))))) = state.load();
            (pc, guest, a, b, c, list)
        }
    };
    let mut frame = PortalFrame::new();
    match enter_function(&mut frame, (pc, (guest, ())), (a, (b, (c, (list, ()))))) {
        Entered::Interpret => {}
        Entered::Resume((new_pc, (_, ())), (new_a, (new_b, (new_c, (new_list, ()))))) => {
            pc = new_pc;
            a = new_a;
            b = new_b;
            c = new_c;
            list = new_list;
        }
        Entered::Return(value) => return value,
    }
    'header: loop {
        'enter: {
            let op = guest.code[pc];
            pc += 1;
            match op {
                0 => return b,
                1 => b = b.wrapping_add(a),
                2 => a -= 1,
                3 => {
                    let target = guest.code[pc];
                    pc += 1;
                    if a > 0 {
                        pc = target as usize;
                        break 'enter;
                    }
                }
                4 => {
                    c = guest.code[pc] as i64;
                    pc += 1;
                }
                5 => c -= 1,
                6 => {
                    let target = guest.code[pc];
                    pc += 1;
                    if c > 0 {
                        pc = target as usize;
                        break 'enter;
                    }
                }
                7 => {
                    let skip = guest.code[pc];
                    pc += 1;
                    if a & 1 == 0 {
                        pc += skip as usize;
                    }
                }
                8 => {
                    let counter = Gc::new(Counter { n: Cell::new(b) });
                    counter.n.set(counter.n.get().wrapping_add(1));
                    b = counter.n.get();
                }
                9 => {
                    let target = guest.code[pc];
                    pc += 1;
                    b = b.wrapping_add(run(guest, target as usize, a - 1));
                }
                10 => b = b.wrapping_add(fail(a)),
                11 => {
                    let n = Cell::new(a);
                    list = Some(Gc::new(Node { next: list, n }));
                }
                12 => b = b.wrapping_add(square(a & 3)),
                13 => {
                    let skip = guest.code[pc];
                    pc += 1;
                    if a == 0 {
                        pc += skip as usize;
                    }
                }
                14 => {
                    pc = guest.code[pc] as usize;
                    break 'enter;
                }
                15 => guest.total.set(guest.total.get().wrapping_add(a)),
                16 => {
                    if let Some(node) = list {
                        b = b.wrapping_add(node.n.get());
                        list = node.next;
                    }
                }
                17 => b = b.wrapping_add(a & 3),
                18 => {
                    let skip = guest.code[pc];
                    pc += 1;
                    if a <= 0 {
                        pc += skip as usize;
                    }
                }
                19 => {
                    if let Some(node) = list {
                        node.n.set(node.n.get().wrapping_add(a));
                    }
                }
                20 => guest.root.set(list),
                21 => list = guest.root.get(),
                22 => guest.memory[(a & 3) as usize].set(b),
                23 => b = b.wrapping_add(guest.memory[(a & 3) as usize].get()),
                24 => {
                    guest.memory[guest.code[pc] as usize].set(b);
                    pc += 1;
                }
                25 => {
                    b = b.wrapping_add(guest.memory[guest.code[pc] as usize].get());
                    pc += 1;
                }
                26 => b = b.wrapping_add((a as f64 * 0.5) as i64),
                27 => {
                    let pair: GcArray<Cell<i64>> = GcArray::new(2, b);
                    pair[1].set(a);
                    b = b.wrapping_add(pair[0].get().wrapping_add(pair[1].get()));
                }
                28 => b = b.wrapping_add(a),
                29 => b = b.wrapping_add(switch(a)),
                30 => match (a & 1) * a {
                    0 => {}
                    n => b = b.wrapping_add(n),
                },
                _ => panic!("bad opcode"),
            }
            continue 'header;
        }
        match can_enter(&mut frame, (pc, (guest, ())), (a, (b, (c, (list, ()))))) {
            Entered::Interpret => {}
            Entered::Resume((new_pc, (_, ())), (new_a, (new_b, (new_c, (new_list, ()))))) => {
                pc = new_pc;
                a = new_a;
                b = new_b;
                c = new_c;
                list = new_list;
            }
            Entered::Return(value) => return value,
        }
    }
}

const JITCODE: &str = include_str!("interpreter.jitcode");

static UNIT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let unit = verdigris_jitcode::parse(JITCODE).expect("the guest's jitcode is well formed");
    verdigris_jitcode::verify(&unit).expect("the guest's jitcode is right");
    unit.to_bytes()
});

const CLASSES: &[fn() -> &'static ClassDescr] = &[
    Guest::descr,
    array_class::<u8, ()>,
    array_class::<Cell<i64>, ()>,
    Counter::descr,
    Node::descr,
];

const FNS: &[fn() -> FnDescr] = &[
    || FnDescr::runner("run_from", Some(|state| run_from(Start::At(state)))),
    || FnDescr::new("run", run as fn(Gc<Guest>, usize, i64) -> i64),
    || FnDescr::new("fail", fail as fn(i64) -> i64),
    || FnDescr::new("square", square as fn(i64) -> i64),
    || FnDescr::new("switch", switch as fn(i64) -> i64),
];

static PORTAL: Portal = Portal::new("guest::run");

static PORTAL_WITH_TIERS: Portal = Portal::new("guest::run").with_tier(|words| {
    let (pc, (guest, ())) = words.greens();
    TIER.get()(pc, guest)
});

static PORTAL_WITH_LOCATIONS: Portal = Portal::new("guest::run").with_location(|words| {
    let (pc, (guest, ())) = words.greens();
    LOCATION.get()(pc, guest)
});

thread_local! {
    /// The portal that [`run`] says it is.
    static CALLED: std::cell::Cell<&'static Portal> = const { std::cell::Cell::new(&PORTAL) };
    /// The `tier` function of [`program_with_tiers`].
    static TIER: std::cell::Cell<TierOf> = const { std::cell::Cell::new(|_, _| Tier::Any) };
}

thread_local! {
    /// The `location` function of [`program_with_locations`].
    static LOCATION: std::cell::Cell<LocationOf> = const { std::cell::Cell::new(|_, _| Location::new()) };
}

/// Where a pc is.
pub type LocationOf = fn(usize, Gc<Guest>) -> Location;

/// The guest's interpreter, whose author says where places are; on this thread there is no other
/// from now on.
pub fn program_with_locations(location: LocationOf) -> Program {
    LOCATION.set(location);
    CALLED.set(&PORTAL_WITH_LOCATIONS);
    ProgramParts {
        portal: &PORTAL_WITH_LOCATIONS,
        ..parts()
    }
    .program()
}

/// Which compiler may make the code for a pc.
pub type TierOf = fn(usize, Gc<Guest>) -> Tier;

/// The guest's interpreter, whose author says which compiler makes which code; on this thread there
/// is no other from now on.
pub fn program_with_tiers(tier: TierOf) -> Program {
    TIER.set(tier);
    CALLED.set(&PORTAL_WITH_TIERS);
    ProgramParts {
        portal: &PORTAL_WITH_TIERS,
        ..parts()
    }
    .program()
}

/// The guest's interpreter.
pub fn program() -> Program {
    parts().program()
}

/// The parts of the program.
pub fn parts() -> ProgramParts {
    ProgramParts {
        portal: &PORTAL,
        unit: &UNIT,
        graphs: "",
        red_dispatch: "",
        classes: CLASSES,
        fns: FNS,
        types: &[],
        places: &[],
        advice: &[("interp::step", "let it promote less")],
    }
}

fn rare(pc: usize, guest: Gc<Guest>) -> bool {
    assert!(guest.code[pc] != RARELY, "{MESSAGE}");
    guest.code[pc] == NEVER
}

fn once(pc: usize, guest: Gc<Guest>) -> bool {
    guest.code[pc] != AGAIN
}

/// What [`rare`] says no to, what it panics at, and what [`once`] says no to: instructions that a
/// function or loop can begin with.
const NEVER: u8 = 12;
const RARELY: u8 = 17;
const AGAIN: u8 = 2;

static UNIT_WITH_POLICIES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (before, after) = JITCODE.split_once("code run").expect("there is a code");
    let text = format!(
        "{before}fn rare(int, ref) -> int elidable\nfn once(int, ref) -> int opaque reads() writes()\n\
         policy can_never_inline rare\npolicy should_unroll_one_iteration once\ncode run{after}"
    );
    let unit = verdigris_jitcode::parse(&text).expect("the guest's jitcode is well formed");
    assert_eq!(
        verdigris_jitcode::print_unit(&unit)
            .matches("\npolicy ")
            .count(),
        2
    );
    verdigris_jitcode::verify(&unit).expect("the guest's jitcode is right");
    unit.to_bytes()
});

/// The guest's interpreter, which never inlines a function that begins with [`Op::Square`], and
/// unrolls an iteration of the loops that do not begin with [`Op::DecA`].
pub fn program_with_policies() -> Program {
    const FNS: &[fn() -> FnDescr] = &[
        self::FNS[0],
        self::FNS[1],
        self::FNS[2],
        self::FNS[3],
        self::FNS[4],
        || FnDescr::new("rare", rare as fn(usize, Gc<Guest>) -> bool),
        || FnDescr::new("once", once as fn(usize, Gc<Guest>) -> bool),
    ];
    ProgramParts {
        unit: &UNIT_WITH_POLICIES,
        fns: FNS,
        ..parts()
    }
    .program()
}

/// The guest's interpreter, as if native code could not begin at its merge point.
pub fn program_without_runner() -> Program {
    const FNS: &[fn() -> FnDescr] = &[
        || FnDescr::runner::<i64>("run_from", None),
        self::FNS[1],
        self::FNS[2],
        self::FNS[3],
        self::FNS[4],
    ];
    ProgramParts {
        fns: FNS,
        ..parts()
    }
    .program()
}

/// The guest's interpreter, as if rustc had made other copies of the array classes' descriptors for
/// the engine than for the interpreter.
pub fn program_with_other_descriptors() -> Program {
    static BYTES: LazyLock<ClassDescr> = LazyLock::new(|| *array_class::<u8, ()>());
    static WORDS: LazyLock<ClassDescr> = LazyLock::new(|| *array_class::<Cell<i64>, ()>());
    const CLASSES: &[fn() -> &'static ClassDescr] = &[
        self::CLASSES[0],
        || &BYTES,
        || &WORDS,
        self::CLASSES[3],
        self::CLASSES[4],
    ];
    ProgramParts {
        classes: CLASSES,
        ..parts()
    }
    .program()
}

/// The backends of this build: all that the machine has, since the tests of this crate ask for
/// Cranelift.
///
/// The backend for CIL is left out where there is no Mono.
pub static BACKENDS: LazyLock<Vec<BackendKind>> = LazyLock::new(|| {
    let all = BackendKind::ALL.iter().copied();
    all.filter(|kind| match kind.create() {
        Ok(_) => true,
        Err(error) => {
            eprintln!("the tests go without `{kind}`: {}", error.0);
            false
        }
    })
    .collect()
});

/// A VM with these parameters.
pub fn vm(params: &str) -> Vm {
    Vm::new(program(), Options::parse(params).unwrap()).unwrap()
}

/// Makes a program; in an entered VM.
pub fn load(ops: &[Op]) -> Gc<Guest> {
    let code = GcArray::from_slice(&encode(ops));
    let memory = GcArray::new(4, 0);
    Gc::new(Guest {
        code,
        total: Cell::new(0),
        root: Cell::new(None),
        memory,
    })
}

/// Runs a program in a VM.
pub fn execute(vm: &Vm, ops: &[Op], a: i64) -> i64 {
    vm.enter(|| run(load(ops), 0, a))
}
