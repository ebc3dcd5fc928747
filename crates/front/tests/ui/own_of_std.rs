use verdigris::prelude::*;

trait Extra {
    fn strict_add(self, other: u64) -> u64;
    fn from_be(x: u64) -> u64;
    fn carrying_add(self, other: u64, carry: bool) -> u64;
    fn unbounded_shl(&self, n: u32) -> u64;
}
impl Extra for u64 {
    fn strict_add(self, other: u64) -> u64 {
        self ^ other
    }
    fn from_be(x: u64) -> u64 {
        x + 1
    }
    fn carrying_add(self, other: u64, carry: bool) -> u64 {
        other + carry as u64
    }
    fn unbounded_shl(&self, n: u32) -> u64 {
        *self + n as u64
    }
}

#[portal]
fn run(mut x: u64) -> u64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let y = x.carrying_add(3, false);
        x = x.unbounded_shl(3) ^ u64::from_be(y);
    }
}
