use verdigris::prelude::*;
use std::ops::{AddAssign, Index, IndexMut};

#[value]
#[derive(Clone, Copy)]
struct Num(i64);
impl AddAssign for Num {
    fn add_assign(&mut self, other: Num) {
        self.0 += other.0;
    }
}

#[value]
#[derive(Clone, Copy)]
struct Regs {
    nums: [Num; 4],
    plain: [i64; 4],
}
impl Index<usize> for Regs {
    type Output = Num;
    fn index(&self, n: usize) -> &Num {
        &self.nums[n]
    }
}
impl IndexMut<usize> for Regs {
    fn index_mut(&mut self, n: usize) -> &mut Num {
        &mut self.nums[n]
    }
}
impl Index<u8> for Regs {
    type Output = i64;
    fn index(&self, n: u8) -> &i64 {
        &self.plain[n as usize]
    }
}
impl IndexMut<u8> for Regs {
    fn index_mut(&mut self, n: u8) -> &mut i64 {
        &mut self.plain[n as usize]
    }
}

fn next(x: i64) -> Num {
    Num(x)
}
fn same<T>(x: T) -> T {
    x
}
fn first(x: Option<i64>) -> Option<i64> {
    x
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    let mut regs = Regs { nums: [Num(x); 4], plain: [x; 4] };
    let mut plain = [x; 4];
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        regs[pc] += next(x);
        regs[1u8] += same(&x);
        plain[pc] += same(&x);
        plain[pc] += first(Some(x)).as_ref().unwrap();
        plain[pc] += { pc += 1; first(Some(x)).unwrap() };
        let y = x;
        plain[(x as u64 % 3) as usize] ^= y;
        plain = [7; 4];
        plain[{ x += 1; (x % 3) as usize }] ^= x;
    }
}
