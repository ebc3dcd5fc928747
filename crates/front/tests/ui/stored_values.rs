use verdigris::prelude::*;

#[value]
#[repr(u32)]
#[derive(Clone, Copy)]
enum Op {
    Push(i64),
    Stop,
}

#[derive(Clone, Copy)]
struct Unmarked(i64);

#[gc]
struct Cells {
    five: Cell<(i64, i64, i64, i64, i64)>,
    option: Cell<Option<(i64, i64)>>,
    value: Cell<Option<Op>>,
    result: Cell<Result<Unmarked, bool>>,
    pair: (i64, i64),
    plain: Option<i64>,
    array: Cell<[i64; 2]>,
}

#[gc]
struct Code {
    ops: GcArray<Op>,
    first: Op,
}

#[portal]
fn run(code: Gc<Code>, cells: Option<Gc<Cells>>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, code], reds = [cells, acc]);
        let ops = GcArray::<Op>::new(3, Op::Stop);
        let made = Gc::new(Code { ops, first: Op::Push(1) });
        match made.ops[pc] {
            Op::Push(n) => acc += n,
            Op::Stop => return acc,
        }
        pc += 1;
        can_enter_jit!();
    }
}
