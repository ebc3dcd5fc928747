use verdigris::{Virtualizable, prelude::*};

#[gc]
struct Frame {
    pc: Virtualizable<usize>,
    locals: GcArray<Virtualizable<i64>>,
    inner: Cell<Virtualizable<i64>>,
    #[virtualizable]
    marked: Cell<i64>,
}

#[value]
#[derive(Clone, Copy)]
struct Pair {
    first: Virtualizable<i64>,
}

fn local(frame: Gc<Frame>) -> usize {
    let pc: Virtualizable<usize> = frame.pc;
    frame.pc.get()
}

#[portal]
fn run(mut x: i64, f: Gc<Frame>, p: Pair) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x, f]);
        pc = local(f);
        f.pc = pc;
        f.locals[pc].set(x);
        x += f.locals[pc];
        let other = Gc::new(Frame { pc: Cell::new(pc), locals: f.locals, inner: Cell::new(x), marked: Cell::new(x) });
    }
}
