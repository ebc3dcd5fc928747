use verdigris::prelude::*;

mod code {
    use verdigris::prelude::*;

    #[value]
    #[repr(u32)]
    #[derive(Clone, Copy)]
    pub enum Op {
        Push(i64),
        Stop,
    }

    #[gc]
    pub struct Code {
        first: Op,
    }

    impl Code {
        pub fn first(&self) -> Op {
            self.first
        }
    }
}

#[portal]
fn run(code: Gc<code::Code>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, code], reds = [acc]);
        match code.first() {
            code::Op::Push(n) => acc += n,
            code::Op::Stop => return acc,
        }
        pc += 1;
        can_enter_jit!();
    }
}
