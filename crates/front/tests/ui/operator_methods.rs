use std::cmp::Ordering;
use std::ops::{AddAssign, Index, IndexMut};
use verdigris::prelude::*;

#[derive(Clone, Copy)]
struct Plain { x: i64 }
#[derive(Clone, Copy)]
struct Same { x: i64 }
impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        self.x & 1 == other.x & 1
    }
}
struct Regs { items: [i64; 4] }
impl Regs {
    fn slot(&mut self, n: usize) -> &mut i64 {
        &mut self.items[n]
    }
}
impl Index<usize> for Regs {
    type Output = i64;
    fn index(&self, n: usize) -> &i64 {
        &self.items[n]
    }
}
impl IndexMut<usize> for Regs {
    fn index_mut(&mut self, n: usize) -> &mut i64 {
        self.slot(n)
    }
}
trait Bump {
    fn bump(&mut self);
}
impl Bump for i64 {
    fn bump(&mut self) {
        *self += 1;
    }
}
fn change(x: &mut i64) {
    *x += 1;
}

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    let mut plain = Plain { x };
    let same = Same { x };
    let mut regs = Regs { items: [x; 4] };
    let mut array = [1, x];
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        plain += plain;
        if plain < plain { return x; }
        if same < same { return x; }
        let order = plain.cmp(&plain);
        if plain == plain { return x; }
        regs[pc] = x;
        regs[pc].bump();
        change(&mut regs[pc]);
        let item = &mut array[pc];
        *item += 1;
        let y = plain[0];
        plain[0] = 3;
    }
}
