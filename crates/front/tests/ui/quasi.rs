use verdigris::prelude::*;

#[gc]
struct Function {
    code: Quasi<i64>,
    version: Cell<Quasi<i64>>,
    next: Cell<Option<Gc<Function>>>,
}

#[gc]
struct Marked {
    #[quasi_immutable]
    version: Cell<i64>,
}

#[value]
#[derive(Clone, Copy)]
struct Version {
    number: Quasi<i64>,
}

#[gc]
struct Holder {
    code: Quasi<i64>,
    plain: Cell<i64>,
}

fn local(holder: Gc<Holder>) -> i64 {
    let version: Quasi<i64> = holder.code;
    holder.code.get()
}

fn parameter(x: Quasi<i64>) -> i64 {
    1
}

#[portal]
fn run(mut x: i64, f: Gc<Function>, m: Gc<Marked>, v: Version, h: Gc<Holder>, a: GcArray<Quasi<i64>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x, f, m, h, a]);
        pc += 1;
        x += h.code;
        let other = Gc::new(Holder { code: Cell::new(x), plain: Quasi::new(x) });
        let third = Gc::new(Holder { code: x, plain: Cell::new(x) });
        h.code = x;
        x += local(h) + parameter(x) + f.code.get() + m.version.get() + v.number + a[0].get();
        let q = Quasi::new(x);
    }
}
