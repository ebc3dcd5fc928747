//! Traces with more values than registers, and operations that need registers of their own. Each
//! test checks that its path through the register allocator was taken, and that no value was lost.

use std::fmt::Write;
use verdigris_heap::HeapOptions;
use verdigris_traces::vm::{Vm, oracle, run_script, x64};

/// Runs a trace with these inputs by the oracle and by machine code.
fn agree(text: &str, inputs: &[u64]) {
    let script = |vm: &mut Vm| {
        vm.compile(text);
        vm.enter(0, inputs);
    };
    let expected = run_script(oracle(), HeapOptions::default(), &script);
    let log = run_script(x64(), HeapOptions::default(), &script);
    assert!(expected.starts_with("finish "), "{expected}");
    assert_eq!(expected, log, "{text}");
}

/// A trace in the making: inputs `letter 0`, `letter 1`, ..., then operations whose results are
/// numbered on.
struct Writer {
    text: String,
    values: usize,
}

impl Writer {
    fn new(inputs: &str) -> Writer {
        let names: Vec<String> = inputs
            .chars()
            .enumerate()
            .map(|(n, c)| format!("{c}{n}"))
            .collect();
        let list = names.join(", ");
        Writer {
            text: format!("[{list}]\nlabel L0({list})\n"),
            values: names.len(),
        }
    }

    /// An operation, with `{}` of its text filled in; gives its result.
    fn op(&mut self, letter: char, operation: &str) -> String {
        let name = format!("{letter}{}", self.values);
        let _ = writeln!(self.text, "{name} = {operation}");
        self.values += 1;
        name
    }

    /// The sum of values, by `add`.
    fn sum(&mut self, letter: char, add: &str, values: &[String]) -> String {
        let (first, rest) = values.split_first().expect("a value");
        rest.iter().fold(first.clone(), |sum, value| {
            self.op(letter, &format!("{add}({sum}, {value})"))
        })
    }

    fn finish(mut self, value: &str) -> String {
        let _ = writeln!(self.text, "finish({value})");
        self.text
    }
}

fn names(letter: char, range: std::ops::Range<usize>) -> Vec<String> {
    range.map(|n| format!("{letter}{n}")).collect()
}

fn integers(count: usize) -> Vec<u64> {
    (0..count as u64).map(|n| n * n + 3).collect()
}

fn doubles(count: usize) -> Vec<u64> {
    (0..count)
        .map(|n| (n as f64 * 1.5 - 4.0).to_bits())
        .collect()
}

#[test]
fn integers_that_do_not_fit_go_to_slots_and_come_back() {
    cov_mark::check!(general_register_is_spilled);
    cov_mark::check!(operand_stays_in_its_slot);
    cov_mark::check!(general_register_is_reloaded);
    let mut writer = Writer::new(&"i".repeat(14));
    let products: Vec<String> = (0..13)
        .map(|n| writer.op('i', &format!("int_mul(i{n}, i{})", n + 1)))
        .collect();
    // Registers are free behind this, and the inputs are wanted twice more.
    let first = writer.sum('i', "int_add", &products);
    let second = writer.sum('i', "int_xor", &names('i', 0..14));
    let third = writer.sum('i', "int_add", &names('i', 0..14));
    let sum = writer.sum('i', "int_mul", &[first, second, third]);
    agree(&writer.finish(&sum), &integers(14));
}

#[test]
fn a_value_that_has_a_slot_is_not_stored_again() {
    cov_mark::check!(evicted_value_has_a_slot);
    let mut writer = Writer::new(&"i".repeat(14));
    // Each round wants all inputs again.
    let rounds: Vec<String> = (0..3)
        .map(|round| {
            let mixed: Vec<String> = (0..14)
                .map(|n| writer.op('i', &format!("int_xor(i{n}, i{})", (n + round + 1) % 14)))
                .collect();
            writer.sum('i', "int_add", &mixed)
        })
        .collect();
    let sum = writer.sum('i', "int_mul", &rounds);
    agree(&writer.finish(&sum), &integers(14));
}

#[test]
fn doubles_that_do_not_fit_go_to_slots_and_come_back() {
    cov_mark::check!(double_is_spilled);
    cov_mark::check!(double_is_reloaded);
    cov_mark::check!(double_operand_stays_in_its_slot);
    let mut writer = Writer::new(&"f".repeat(18));
    let products: Vec<String> = (0..17)
        .map(|n| writer.op('f', &format!("float_mul(f{n}, f{})", n + 1)))
        .collect();
    let all = [products, names('f', 0..18)].concat();
    let sum = writer.sum('f', "float_add", &all);
    let bits = writer.op('i', &format!("float_bits({sum})"));
    agree(&writer.finish(&bits), &doubles(18));
}

#[test]
fn a_division_moves_what_is_in_its_registers() {
    cov_mark::check!(taken_register_is_moved);
    let mut writer = Writer::new("iiii");
    let quotient = writer.op('i', "int_div(i3, i2)");
    let all = [names('i', 0..4), vec![quotient]].concat();
    let sum = writer.sum('i', "int_add", &all);
    agree(&writer.finish(&sum), &integers(4));
}

#[test]
fn a_division_saves_what_is_in_its_registers_if_all_are_full() {
    cov_mark::check!(taken_register_is_saved);
    let mut writer = Writer::new(&"i".repeat(6));
    let products: Vec<String> = (0..14)
        .map(|n| {
            writer.op(
                'i',
                &format!("int_mul(i{}, i{})", n % 6, (n + 1 + n / 6) % 6),
            )
        })
        .collect();
    let quotient = writer.op('i', &format!("int_div({}, {})", products[13], products[0]));
    let all = [names('i', 0..6), products, vec![quotient]].concat();
    let sum = writer.sum('i', "int_add", &all);
    agree(&writer.finish(&sum), &integers(6));
}

#[test]
fn a_double_whose_bits_are_in_a_register_needs_no_slot() {
    cov_mark::check!(evicted_value_stays_in_the_other_file);
    let mut writer = Writer::new(&("i".repeat(11) + "f"));
    let bits = writer.op('i', "float_bits(f11)");
    let mixed = writer.op('i', &format!("int_xor({bits}, i0)"));
    let products: Vec<String> = (0..10)
        .map(|n| writer.op('i', &format!("int_mul(i{n}, i{})", n + 1)))
        .collect();
    let all = [products, names('i', 0..11), vec![mixed]].concat();
    let sum = writer.sum('i', "int_add", &all);
    let double = writer.op('f', "float_mul(f11, 3.0)");
    let last = writer.op('i', &format!("float_bits({double})"));
    let sum = writer.op('i', &format!("int_add({sum}, {last})"));
    let inputs = [integers(11), vec![2.5f64.to_bits()]].concat();
    agree(&writer.finish(&sum), &inputs);
}
