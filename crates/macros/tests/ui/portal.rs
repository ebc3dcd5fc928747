#[portal]
fn none(pc: usize) { loop { can_enter_jit!(); } }
#[portal]
fn two(mut pc: usize) {
    loop { merge_point!(greens = [pc], reds = []); pc += 1; can_enter_jit!(); }
    loop { merge_point!(greens = [pc], reds = []); pc += 1; }
}
#[portal]
fn misplaced(mut pc: usize) {
    loop { pc += 1; merge_point!(greens = [pc], reds = []); }
}
#[portal]
fn in_while(mut pc: usize) {
    while pc > 0 { merge_point!(greens = [pc], reds = []); }
}
#[portal]
fn names(mut pc: usize, a: i64) {
    { let gone = 1; }
    loop {
        merge_point!(greens = [pc, gone, pc], reds = [a, later, a]);
        let later = 1;
        can_enter_jit!(pc);
    }
}
#[portal]
fn outside(mut pc: usize) {
    can_enter_jit!();
    loop {
        merge_point!(greens = [pc], reds = []);
        let jump = || can_enter_jit!();
        dispatch!(pc => can_enter_jit!());
    }
}
#[portal]
fn forms(mut pc: usize) { loop { merge_point!(greens = [pc + 1], reds = []); } }
#[portal]
fn forms(mut pc: usize) { loop { merge_point!(reds = [pc], greens = []); } }
#[portal]
fn forms(mut pc: usize) { loop { merge_point!(greens = [], reds = [pc], more = []); } }
#[portal]
fn forms(mut pc: usize) { loop { merge_point!(greens = []); } }
#[portal]
fn forms(mut pc: usize) { loop { merge_point!(); } }
#[portal(jit)]
const fn signature<T>(code: &[u8]) -> T { loop { merge_point!(greens = [code]); } }
impl Interpreter {
    #[portal]
    fn run(&self, pc: usize) { loop { merge_point!(greens = [pc], reds = []); } }
}
#[portal(can_never_inline = rare, can_inline = rare, can_never_inline = 3)]
fn options(mut pc: usize) { loop { merge_point!(greens = [pc], reds = []); } }
#[portal(tier = 3, tier = fast, tier = |pc| fast(pc))]
fn tiers(mut pc: usize) { loop { merge_point!(greens = [pc], reds = []); } }
#[portal(location = 3, location = "here", location = crate::here)]
fn locations(mut pc: usize) { loop { merge_point!(greens = [pc], reds = []); } }
#[portal(tier(fast))]
fn tiers(mut pc: usize) { loop { merge_point!(greens = [pc], reds = []); } }
