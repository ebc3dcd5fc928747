//! Step 1 of the tutorial: expressions of one variable, and a plain interpreter. In: the text of an
//! expression, and how often it is evaluated. Out: the sum of its values. Invariant: there is no
//! JIT yet.

#![forbid(unsafe_code)]

#[path = "../../common/expression.rs"]
mod expression;

use expression::{ADD, END, MUL, NUMBER, SUB, X};

// ANCHOR: evaluate
/// The value of an expression for this `x`.
fn evaluate(code: &[u8], x: i64) -> i64 {
    let mut stack = [0; expression::ROOM];
    let mut top = 0;
    let mut pc = 0;
    loop {
        let op = code[pc];
        pc += 1;
        match op {
            X => {
                stack[top] = x;
                top += 1;
            }
            NUMBER => {
                stack[top] = i64::from(code[pc]);
                top += 1;
                pc += 1;
            }
            END => return stack[0],
            _ => {
                let (left, right) = (stack[top - 2], stack[top - 1]);
                top -= 1;
                stack[top - 1] = match op {
                    ADD => left.wrapping_add(right),
                    SUB => left.wrapping_sub(right),
                    MUL => left.wrapping_mul(right),
                    _ => unreachable!(),
                };
            }
        }
    }
}
// ANCHOR_END: evaluate

// ANCHOR: sum
/// The sum of an expression's values for all `x` below `count`.
///
/// # Errors
/// What is wrong with the expression.
pub fn sum(text: &str, count: i64) -> Result<i64, String> {
    let code = expression::compile(text)?;
    Ok((0..count).fold(0, |sum, x| sum.wrapping_add(evaluate(&code, x))))
}
// ANCHOR_END: sum
