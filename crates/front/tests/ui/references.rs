use verdigris::prelude::*;

pub struct Vm {
    out: Vec<String>,
    count: i64,
}

#[opaque]
fn print(vm: &mut Vm, text: &str) {}
#[opaque]
fn show(vm: &Vm) -> i64 {
    vm.count
}
#[opaque]
fn name(text: &String) {}
#[opaque]
fn out(lines: &Vec<String>) {}

fn helper(vm: &mut Vm) -> i64 {
    print(vm, "helper");
    show(&*vm)
}

#[portal]
fn run(vm: &mut Vm, bytes: &[u8], mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, bytes], reds = [x, vm]);
        pc += 1;
        x = helper(vm) + vm.count;
        vm.out.push(1);
        print(vm, bytes);
        name("text");
        print(&x, "x");
        promote(bytes);
    }
}
