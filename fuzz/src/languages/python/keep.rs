//! Programs that keep objects. In: a tape, and how often something is kept. Out: the program.
//! Invariant: it can only end by getting to its end, or for want of memory.

use crate::language::Program;
use fuzz_tape::Tape;

/// A program that keeps something this many times.
pub fn program(tape: &mut Tape<'_>, count: i64) -> Program {
    let size = 1 << tape.below(12);
    let item = match tape.below(9) {
        0 => "[i]".to_string(),
        1 => "{'i': i, 'name': 'n' + str(i % 50)}".to_string(),
        2 => "(lambda: i)".to_string(),
        3 => "str(i) + 'th'".to_string(),
        4 => "(i, [i], {i, (i, i)})".to_string(),
        5 => "Node(i)".to_string(),
        6 => "made(i)".to_string(),
        7 => format!("'x' * ({size} + i % 7)"),
        _ => format!("list(range({size}))"),
    };
    // What is kept weighs about the same, however large the items are.
    let count = match item.contains(&size.to_string()) && size > 64 {
        true => 1 + count * 64 / size,
        false => count,
    };
    let keep = tape.pick(&[
        "kept.append(ITEM)",
        "kept = [kept, ITEM]",
        "table['k' + str(i)] = ITEM",
        "gone = [i]; table[i] = ITEM",
        "kept += [ITEM, i ** 20]",
    ]);
    let keep = keep.replace("ITEM", &item);
    let step = 1 + tape.below(500);
    let text = format!(
        "import sys\n\n\nclass Node:\n    def __init__(self, n):\n        self.n = n\n        self.same = self\n\n\n\
         def made(n):\n    yield n\n\n\n\
         kept, table = [], {{}}\nfor i in range(int(sys.argv[1])):\n    {keep}\n    \
         if i % {step} == 0:\n        print(i)\nprint('done')\n"
    );
    Program {
        text,
        args: vec![count],
    }
}
