//! Expressions of one variable. In: a text, such as `x * x - 3 * (x + 1)`. Out: instructions for a
//! stack machine. Invariant: a program never takes more from its stack than is there, leaves one
//! number, and has at most [`ROOM`] numbers on the stack at once.

/// How many numbers the stack has room for.
pub const ROOM: usize = 16;

// ANCHOR: instructions
/// Puts the variable onto the stack.
pub const X: u8 = 0;
/// Puts the number in the next byte onto the stack.
pub const NUMBER: u8 = 1;
/// Takes two numbers from the stack, and puts one there.
pub const ADD: u8 = 2;
pub const SUB: u8 = 3;
pub const MUL: u8 = 4;
/// The result is on the stack.
pub const END: u8 = 5;
// ANCHOR_END: instructions

/// Compiles an expression.
///
/// # Errors
/// What is wrong with it, and where.
pub fn compile(text: &str) -> Result<Vec<u8>, String> {
    let mut compiler = Compiler {
        text: text.as_bytes(),
        at: 0,
        depth: 0,
        code: Vec::new(),
    };
    compiler.sum()?;
    match compiler.peek() {
        None => compiler.code.push(END),
        Some(_) => return Err(compiler.unexpected()),
    }
    Ok(compiler.code)
}

struct Compiler<'a> {
    text: &'a [u8],
    at: usize,
    /// How many numbers are on the stack here, and brackets open.
    depth: usize,
    code: Vec<u8>,
}

impl Compiler<'_> {
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn unexpected(&mut self) -> String {
        match self.peek() {
            None => "something is missing at the end".to_string(),
            Some(byte) => format!(
                "column {}: `{}` does not belong here",
                self.at + 1,
                byte as char
            ),
        }
    }

    /// One level deeper.
    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        match self.depth > ROOM {
            true => Err(format!("column {}: this is nested too deeply", self.at + 1)),
            false => Ok(()),
        }
    }

    fn sum(&mut self) -> Result<(), String> {
        self.product()?;
        while let Some(sign @ (b'+' | b'-')) = self.peek() {
            self.at += 1;
            self.product()?;
            self.code.push(if sign == b'+' { ADD } else { SUB });
            self.depth -= 1;
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), String> {
        self.simple()?;
        while self.peek() == Some(b'*') {
            self.at += 1;
            self.simple()?;
            self.code.push(MUL);
            self.depth -= 1;
        }
        Ok(())
    }

    fn simple(&mut self) -> Result<(), String> {
        match self.peek() {
            Some(b'x') => {
                self.at += 1;
                self.deeper()?;
                self.code.push(X);
            }
            Some(b'0'..=b'9') => {
                self.deeper()?;
                let number = self.number()?;
                self.code.extend([NUMBER, number]);
            }
            Some(b'(') => {
                self.at += 1;
                // A bracket counts as long as it is open, so that this function does not call
                // itself too deeply.
                self.deeper()?;
                self.sum()?;
                if self.peek() != Some(b')') {
                    return Err(self.unexpected());
                }
                self.at += 1;
                self.depth -= 1;
            }
            _ => return Err(self.unexpected()),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u8, String> {
        let column = self.at + 1;
        let mut number: u8 = 0;
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at) {
            let next = number.checked_mul(10);
            let next = next.and_then(|n| n.checked_add(digit - b'0'));
            number = next.ok_or_else(|| format!("column {column}: numbers go up to 255"))?;
            self.at += 1;
        }
        Ok(number)
    }
}
