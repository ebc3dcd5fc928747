//! Programs that keep objects, and some that catch that the heap is used up.

use crate::language::Program;
use fuzz_tape::Tape;

/// A program that keeps something this many times.
pub fn program(tape: &mut Tape<'_>, count: i64) -> Program {
    let size = 1 << tape.below(12);
    let item = match tape.below(7) {
        0 => "{i}".to_string(),
        1 => "{i, name = 'n' .. i % 50}".to_string(),
        2 => "function() return i end".to_string(),
        3 => "i .. 'th'".to_string(),
        4 => "{i, {i}, {i, {i}}}".to_string(),
        5 => format!("string.rep('x', {size} + i % 7)"),
        _ => {
            format!("(function() local t = {{}} for k = 1, {size} do t[k] = k end return t end)()")
        }
    };
    // What is kept weighs about the same, however large the items are.
    let count = match item.contains(&size.to_string()) && size > 64 {
        true => 1 + count * 64 / size,
        false => count,
    };
    let keep = tape.pick(&[
        "kept[#kept + 1] = ITEM",
        "kept = {before = kept, ITEM}",
        "kept['k' .. i] = ITEM",
        "local gone = {i} kept[i] = ITEM",
    ]);
    let keep = keep.replace("ITEM", &item);
    let step = 1 + tape.below(500);
    let text = match tape.chance(1, 2) {
        false => format!(
            "local kept, count = {{}}, tonumber((...))\nfor i = 1, count do\n  {keep}\n  if i % {step} == 0 then print(i) end\nend\nprint('done')\n"
        ),
        // If there is room for what is made behind the loop, there is for what the handler makes.
        true => format!(
            "local kept, count = {{}}, tonumber((...))\n\
             local function keep()\n  for i = 1, count do\n    {keep}\n  end\n  return #string.rep('room', 100000)\nend\n\
             local function again(n)\n  pcall(keep)\n  local texts = {{}}\n\
             \x20 for k = 1, 100 do texts[k] = {{'t' .. k, n}} end\n\
             \x20 print(n, #texts, texts[100][1])\n  kept = {{}}\nend\n\
             for n = 1, {} do again(n) end\n",
            2 + tape.below(4)
        ),
    };
    Program {
        text,
        args: vec![count],
    }
}
