//! The machine code of small traces, as text: registers, fused comparisons, exits and moves are as
//! the design promises.

use expect_test::{Expect, expect};
use verdigris_backend::{Backend, BackendError, CompileOutput, Env};
use verdigris_heap::HeapOptions;
use verdigris_trace::OptimisedTrace;
use verdigris_traces::vm::{Vm, env, x64};

/// The code of a loop or entry trace, without the code of its exits if they are not asked for.
fn check(text: &str, expected: Expect) {
    check_with(text, expected, |backend, env, trace| {
        backend.compile_loop(env, trace)
    });
}

/// The code of a trace that records name.
fn check_stencil(text: &str, expected: Expect) {
    check_with(text, expected, |backend, env, trace| {
        backend.compile_stencil(env, trace)
    });
}

fn check_with(
    text: &str,
    expected: Expect,
    compile: impl FnOnce(
        &mut dyn Backend,
        &Env<'_>,
        &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError>,
) {
    let mut vm = Vm::new(x64(), HeapOptions::default());
    let trace = vm.parse(text, &[]);
    let mut env = env(&vm.descrs);
    env.dump_asm = true;
    let compiled = compile(&mut *vm.backend, &env, &trace).unwrap();
    expected.assert_eq(&without_addresses(&compiled.asm.unwrap()));
}

/// Addresses and class words are different in every build.
fn without_addresses(asm: &str) -> String {
    let line = |line: &str| match line.rsplit_once([' ']) {
        Some((rest, last)) if last.len() > 9 && last.starts_with("0x") => format!("{rest} address"),
        Some((rest, last)) if last.len() > 5 && last.parse::<i64>().is_ok() => {
            format!("{rest} class")
        }
        _ => line.to_owned(),
    };
    asm.lines().map(|l| line(l) + "\n").collect()
}

#[test]
fn a_loop_keeps_its_values_where_they_are() {
    check(
        "[i0, i1]
         label L0(i0, i1)
         i2 = int_gt(i0, 0)
         guard_true(i2) g0 -> [i0, i1] @
         i3 = int_sub(i0, 1)
         i4 = int_add(i1, i0)
         jump L0(i3, i4)",
        expect![[r#"
            ; L0
            .0:
            ; i2 = int_gt(i0, 0)
            ; guard_true(i2) g0
              test rax, rax
              jle .1
            ; i3 = int_sub(i0, 1)
              lea rdx, qword [rax - 0x1]
            ; i4 = int_add(i1, i0)
              add rcx, rax
            ; jump L0(i3, i4)
              mov rax, rdx
              jmp .0
            ; exit of guard_true(i2) g0
            .1:
              call outside
        "#]],
    );
}

#[test]
fn an_overflow_is_taken_back_in_the_exit() {
    check(
        "[i0, i1]
         label L0(i0, i1)
         i2 = int_add_overflows(i0, i1)
         guard_false(i2) g0 -> [i0, i1] @
         i3 = int_add(i0, i1)
         jump L0(i3, i1)",
        expect![[r#"
            ; L0
            .0:
            ; i2 = int_add_overflows(i0, i1)
            ; guard_false(i2) g0
              add rax, rcx
              jo .1
            ; i3 = int_add(i0, i1)
            ; jump L0(i3, i1)
              jmp .0
            ; exit of guard_false(i2) g0
            .1:
              sub rax, rcx
              call outside
        "#]],
    );
}

#[test]
fn an_entry_flows_into_its_loop() {
    check(
        "[i0, f1, p2]
         label L0(i0, f1, p2)
         i3 = getfield_i(p2) Node.value
         jump L1(i0, f1, p2, i3)
         label L1(i4, f5, p6, i7)
         i8 = int_lt(i4, i7)
         guard_true(i8) g0 -> [f5] @
         i9 = int_add(i4, 1)
         f10 = float_mul(f5, 0.5)
         setfield_f(p6, f10) Node.weight
         jump L1(i9, f10, p6, i7)",
        expect![[r#"
            ; L0
            .0:
            ; i3 = getfield_i(p2) Node.value
              mov rdx, qword [rax + 0x8]
            ; jump L1(i0, f1, p2, i3)
            ; L1
            .1:
            ; i8 = int_lt(i4, i7)
            ; guard_true(i8) g0
              cmp rcx, rdx
              jge .2
            ; i9 = int_add(i4, 1)
              add rcx, 1
            ; f10 = float_mul(f5, 0.5)
              mulsd xmm0, qword [data + 0]
            ; setfield_f(p6, f10) Node.weight
              movsd qword [rax + 0x18], xmm0
            ; jump L1(i9, f10, p6, i7)
              jmp .1
            ; exit of guard_true(i8) g0
            .2:
              call outside
        "#]],
    );
}

#[test]
fn items_are_addressed_in_the_instruction() {
    check(
        "[p0, i1, i2]
         label L0(p0, i1, i2)
         i3 = getitem_i(p0, i1) Ints
         setitem_i(p0, i2, i3) Ints
         i4 = arraylen(p0) Ints
         i5 = int_eq(i4, 3)
         finish(i5)",
        expect![[r#"
            ; L0
            .0:
            ; i3 = getitem_i(p0, i1) Ints
              mov rsi, qword [rax + rcx*8 + 0x10]
            ; setitem_i(p0, i2, i3) Ints
              mov qword [rax + rdx*8 + 0x10], rsi
            ; i4 = arraylen(p0) Ints
            ; i5 = int_eq(i4, 3)
              cmp qword [rax + 0x8], 3
              sete cl
              movzx ecx, cl
            ; finish(i5)
              mov qword [r15 + 0x78], rcx
              jmp outside
        "#]],
    );
}

#[test]
fn what_lives_across_a_call_is_kept_by_the_callee_or_in_the_frame() {
    check(
        "[i0, i1, f2]
         label L0(i0, i1, f2)
         i3 = call(i0, 5) add
         guard_no_panic() g0 -> [i1, f2] @
         i4 = int_mul(i3, i1)
         setfield_f(null, f2) Node.weight
         finish(i4)",
        expect![[r#"
            ; L0
            .0:
            ; i3 = call(i0, 5) add
              movsd qword [rbp - 0x8], xmm0
              mov rdx, 0x5
              mov rsi, rax
              mov rdi, address
              mov rax, address
              call rax
            ; guard_no_panic() g0
              cmp dword [r15 + 0x10], 0
              jne .1
            ; i4 = int_mul(i3, i1)
              imul rax, rbx
            ; setfield_f(null, f2) Node.weight
              mov rcx, 0x0
              mov rdx, qword [rbp - 0x8]
              mov qword [rcx + 0x18], rdx
            ; finish(i4)
              mov qword [r15 + 0x78], rax
              jmp outside
            ; exit of guard_no_panic() g0
            .1:
              call outside
        "#]],
    );
}

/// The runtime is told of a write only where an address of the group is watched.
#[test]
fn who_relies_on_a_field_is_asked_for_before_the_runtime_is() {
    check(
        "[p0, i1]
         label L0(p0, i1)
         setfield_i(p0, i1) Node.value
         invalidate(p0) Node.value
         finish(p0)",
        expect![[r#"
            ; L0
            .0:
            ; setfield_i(p0, i1) Node.value
              mov qword [rax + 0x8], rcx
            ; invalidate(p0) Node.value
              lea r11, qword [rax + 0x8]
              shr r11, 3
              and r11d, 255
              cmp dword [r15 + r11*4 + 0x2178], 0
              jne .1
            .2:
            ; finish(p0)
              mov qword [r15 + 0x78], rax
              jmp outside
            ; slow path of invalidate(p0) Node.value
            .1:
              lea r11, qword [rax + 0x8]
              push r11
              call outside
              jmp .2
        "#]],
    );
}

#[test]
fn objects_are_made_inline() {
    check(
        "[i0]
         label L0(i0)
         p1 = new() Node
         p2 = new() Node
         setfield_r(p1, p2) Node.next
         setfield_i(p2, i0) Node.value
         finish(p1)",
        expect![[r#"
            ; L0
            .0:
            ; p1 = new() Node
              mov rcx, qword [r15]
              lea r11, qword [rcx + 0x40]
              cmp r11, qword [r15 + 0x8]
              ja .1
              mov qword [r15], r11
              mov dword [rcx], class
            .2:
              lea rdx, qword [rcx + 0x20]
              mov dword [rcx + 0x20], class
            ; p2 = new() Node
            ; setfield_r(p1, p2) Node.next
              mov qword [rcx + 0x10], rdx
            ; setfield_i(p2, i0) Node.value
              mov qword [rdx + 0x8], rax
            ; finish(p1)
              mov qword [r15 + 0x78], rcx
              jmp outside
            ; slow path of p1 = new() Node
            .1:
              push class
              push 64
              call outside
              test r11, r11
              je .3
              mov rcx, r11
              jmp .2
            ; slow path of p1 = new() Node
            .3:
              jmp outside
        "#]],
    );
}

#[test]
fn a_logical_operation_tests_its_result() {
    check(
        "[i0, i1]
         label L0(i0, i1)
         i2 = int_and(i0, 7)
         guard_true(i2) g0 -> [i0] @
         i3 = int_xor(i1, i2)
         i4 = int_lt(i3, 0)
         guard_false(i4) g1 -> [] @
         finish(i3)",
        expect![[r#"
            ; L0
            .0:
            ; i2 = int_and(i0, 7)
              mov rdx, rax
              and rdx, 7
            ; guard_true(i2) g0
              je .1
            ; i3 = int_xor(i1, i2)
              xor rcx, rdx
            ; i4 = int_lt(i3, 0)
            ; guard_false(i4) g1
              jl .2
            ; finish(i3)
              mov qword [r15 + 0x78], rcx
              jmp outside
            ; exit of guard_true(i2) g0
            .1:
              call outside
            ; exit of guard_false(i4) g1
            .2:
              call outside
        "#]],
    );
}

#[test]
fn a_side_takes_the_values_where_they_are() {
    check(
        "[i0, i1]
         label L0(i0, i1)
         i2 = int_and(i0, 1)
         guard_true(i2) => L1(i0, i1)
         i3 = int_gt(i0, 0)
         guard_true(i3) => L1(i1, i0)
         i4 = int_sub_overflows(i0, 3)
         guard_false(i4) => L1(i0, i4)
         i5 = int_sub(i0, 3)
         jump L0(i5, i1)
         label L1(i6, i7)
         i8 = int_add(i6, i7)
         guard_true(i8) g0 -> [] @
         jump L0(i7, i8)",
        expect![[r#"
            ; L0
            .0:
            ; i2 = int_and(i0, 1)
              mov rdx, rax
              and rdx, 1
            ; guard_true(i2) => L1(i0, i1)
              je .2
            ; i3 = int_gt(i0, 0)
            ; guard_true(i3) => L1(i1, i0)
              test rax, rax
              jle .3
            ; i4 = int_sub_overflows(i0, 3)
            ; guard_false(i4) => L1(i0, i4)
              sub rax, 3
              jo .4
            ; i5 = int_sub(i0, 3)
            ; jump L0(i5, i1)
              jmp .0
            ; L1
            .1:
            ; i8 = int_add(i6, i7)
              lea rdx, qword [rax + rcx*1]
            ; guard_true(i8) g0
              test rdx, rdx
              je .5
            ; jump L0(i7, i8)
              mov rax, rcx
              mov rcx, rdx
              jmp .0
            .2 is .1
            ; exit of guard_true(i3) => L1(i1, i0)
            .3:
              mov r11, rax
              mov rax, rcx
              mov rcx, r11
              jmp .1
            ; exit of guard_false(i4) => L1(i0, i4)
            .4:
              add rax, 3
              mov rcx, 0x1
              jmp .1
            ; exit of guard_true(i8) g0
            .5:
              call outside
        "#]],
    );
}

#[test]
fn a_section_that_ends_by_leaving_is_a_stub() {
    check(
        "[i0]
         label L0(i0)
         i1 = int_gt(i0, 0)
         guard_true(i1) => L1(i0)
         i2 = int_sub(i0, 1)
         jump L0(i2)
         label L1(i3)
         i4 = int_neg(i3)
         leave() g0 -> [i4] @",
        expect![[r#"
            ; L0
            .0:
            ; i1 = int_gt(i0, 0)
            ; guard_true(i1) => L1(i0)
              test rax, rax
              jle .2
            ; i2 = int_sub(i0, 1)
              add rax, -1
            ; jump L0(i2)
              jmp .0
            ; L1
            .1:
            ; i4 = int_neg(i3)
              neg rax
            ; leave() g0
              jmp .3
            .2 is .1
            ; exit of leave() g0
            .3:
              call outside
        "#]],
    );
}

/// A hole that only exits ask for is not loaded, and does not part a comparison from its guard.
#[test]
fn a_stencil_is_as_short_as_it_can_be() {
    check_stencil(
        "[i0, i1, f2]
         label L0(i0, i1, f2)
         guard_count(i0) g0 -> [i1, f2] @
         i3 = hole(i0, 2)
         i4 = int_lt(i1, i3)
         p5 = hole(i0, 3)
         f6 = hole(i0, 4)
         guard_true(i4) g1 -> [p5, i1, f6, i3] @
         f7 = float_add(f2, f6)
         i8 = int_add(i1, 1)
         i9 = hole(i0, 5)
         thread(i9, i8, f7)",
        expect![[r#"
            ; L0
            .0:
              lea rsp, [rbp - frame]
            ; guard_count(i0) g0
              sub qword [rbx + 0x8], 1
              je .1
            ; i3 = hole(i0, 2)
              mov rax, qword [rbx + 0x10]
            ; i4 = int_lt(i1, i3)
            ; p5 = hole(i0, 3)
            ; f6 = hole(i0, 4)
            ; guard_true(i4) g1
              cmp r12, rax
              movsd xmm1, qword [rbx + 0x20]
              jge .2
            ; f7 = float_add(f2, f6)
              addsd xmm0, xmm1
            ; i8 = int_add(i1, 1)
              add r12, 1
            ; i9 = hole(i0, 5)
              mov rax, qword [rbx + 0x28]
            ; thread(i9, i8, f7)
              mov rbx, rax
              jmp qword [rbx]
            ; exit of guard_count(i0) g0
            .1:
              call outside
            ; exit of guard_true(i4) g1
            .2:
              call outside
        "#]],
    );
}

#[test]
fn holes_that_exits_ask_for_are_not_loaded() {
    check_stencil(
        "[i0, i1]
         label L0(i0, i1)
         i2 = hole(i0, 2)
         i3 = int_lt(i1, 5)
         p4 = hole(i0, 3)
         f5 = hole(i0, 4)
         guard_true(i3) g1 -> [p4, i1, f5, i2] @
         i6 = int_add_overflows(i1, 7)
         i7 = hole(i0, 5)
         guard_false(i6) g2 -> [i7, i1] @
         i8 = int_add(i1, 7)
         finish(i8)",
        expect![[r#"
            ; L0
            .0:
              lea rsp, [rbp - frame]
            ; i3 = int_lt(i1, 5)
            ; p4 = hole(i0, 3)
            ; f5 = hole(i0, 4)
            ; guard_true(i3) g1
              cmp r12, 5
              jge .1
            ; i6 = int_add_overflows(i1, 7)
            ; i7 = hole(i0, 5)
            ; guard_false(i6) g2
              add r12, 7
              jo .2
            ; i8 = int_add(i1, 7)
            ; finish(i8)
              mov qword [r15 + 0x78], r12
              jmp outside
            ; exit of guard_true(i3) g1
            .1:
              call outside
            ; exit of guard_false(i6) g2
            .2:
              sub r12, 7
              call outside
        "#]],
    );
}

/// More than six integers, or eight doubles, are in slots: so all code that records name agrees on
/// where they are.
#[test]
fn a_stencil_takes_most_in_registers_and_the_rest_in_slots() {
    check_stencil(
        "[i0, i1, i2, i3, i4, i5, i6, i7]
         label L0(i0, i1, i2, i3, i4, i5, i6, i7)
         i8 = hole(i0, 2)
         thread(i8, i7, i1, i2, i3, i4, i5, i6)",
        expect![[r#"
            ; L0
            .0:
              lea rsp, [rbp - frame]
            ; i8 = hole(i0, 2)
              mov rdx, qword [rbx + 0x10]
            ; thread(i8, i7, i1, i2, i3, i4, i5, i6)
              mov rbx, rdx
              mov r11, r12
              mov r12, qword [rbp - 0x10]
              movsd xmm15, qword [rbp - 0x8]
              movsd qword [rbp - 0x10], xmm15
              mov qword [rbp - 0x8], rcx
              mov rcx, rax
              mov rax, r14
              mov r14, r13
              mov r13, r11
              jmp qword [rbx]
        "#]],
    );
}
