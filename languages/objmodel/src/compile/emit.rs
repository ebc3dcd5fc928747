//! Writes bytecode. In: instructions in order, jumps before their targets are known. Out: an
//! [`Image`]. Invariant: the height of the operand stack is known at every instruction, and every
//! function has slots for the highest.

use crate::image::{Const, FunctionInfo, Image};
use crate::lexer::{Fault, Pos};
use crate::opcode;
use std::collections::HashMap;

/// The most local variables that an operand can tell apart.
const MAX_LOCALS: usize = 256;

/// The code so far.
pub(super) struct Emitter {
    pub image: Image,
    /// The place in the source of the next instruction.
    pub pos: Pos,
    /// The first thing that did not fit in an operand.
    pub fault: Option<Fault>,
    consts: HashMap<Const, usize>,
    names: HashMap<String, usize>,
    texts: HashMap<String, usize>,
    height: usize,
    highest: usize,
}

impl Emitter {
    pub fn new(file: &str) -> Emitter {
        let image = Image {
            file: file.to_string(),
            ..Image::default()
        };
        Emitter {
            image,
            pos: Pos::default(),
            fault: None,
            consts: HashMap::new(),
            names: HashMap::new(),
            texts: HashMap::new(),
            height: 0,
            highest: 0,
        }
    }

    /// A new function, which has no code yet.
    pub fn function(&mut self, name: &str, arity: usize) -> usize {
        self.image.functions.push(FunctionInfo {
            name: name.to_string(),
            arity,
            ..FunctionInfo::default()
        });
        self.image.functions.len() - 1
    }

    /// The code that follows is that of a function.
    pub fn begin(&mut self, number: usize, locals: &[String]) {
        (self.height, self.highest) = (0, 0);
        let entry = self.here();
        let function = &mut self.image.functions[number];
        function.entry = entry;
        function.locals = locals.to_vec();
        if locals.len() > MAX_LOCALS {
            let message = format!("a function has at most {} variables", MAX_LOCALS - 1);
            self.refuse(message);
        }
    }

    /// The code of the function ends here.
    pub fn end(&mut self, number: usize) {
        debug_assert_eq!(self.height, 0, "a statement leaves nothing on the stack");
        let function = &mut self.image.functions[number];
        function.slots = function.locals.len() + self.highest;
    }

    /// Where the next instruction goes.
    pub fn here(&self) -> usize {
        self.image.code.len()
    }

    fn refuse(&mut self, message: String) {
        let pos = self.pos;
        self.fault.get_or_insert_with(|| Fault::new(pos, message));
    }

    /// An instruction, of whose operands the bytes follow.
    pub fn op(&mut self, op: u8) {
        let known = self.image.places.last().map(|&(_, pos)| pos);
        if known != Some(self.pos) {
            self.image.places.push((self.here(), self.pos));
        }
        self.image.code.push(op);
        let (taken, left) = opcode::by_number(op).map_or((0, 0), |row| row.effect);
        self.take(taken);
        self.height += left;
        self.highest = self.highest.max(self.height);
    }

    fn take(&mut self, count: usize) {
        debug_assert!(self.height >= count, "there are values to take");
        self.height -= count;
    }

    fn byte(&mut self, value: usize, what: &str) {
        let byte = u8::try_from(value).unwrap_or_else(|_| {
            self.refuse(format!("{what} is at most 255: {value} is too much"));
            0
        });
        self.image.code.push(byte);
    }

    fn word(&mut self, value: usize) {
        let word = u16::try_from(value).unwrap_or_else(|_| {
            self.refuse(
                "the program is too large: no more than 65536 bytes of code, names, constants"
                    .to_string(),
            );
            0
        });
        self.image.code.extend_from_slice(&word.to_le_bytes());
    }

    /// An instruction that names a local variable.
    pub fn byte_op(&mut self, op: u8, local: usize) {
        self.op(op);
        self.byte(local, "the number of a variable");
    }

    /// An instruction that takes this many values, and leaves what its row says.
    pub fn count_op(&mut self, op: u8, count: usize) {
        self.take(count);
        self.op(op);
        self.byte(count, "the number of arguments");
    }

    /// An instruction that names an attribute.
    pub fn name_op(&mut self, op: u8, name: &str) {
        self.op(op);
        let number = intern(&mut self.names, &mut self.image.names, name);
        self.word(number);
    }

    /// A method call.
    pub fn send(&mut self, name: &str, count: usize) {
        self.take(count);
        self.name_op(opcode::SEND, name);
        self.byte(count, "the number of arguments");
    }

    /// Pushes a constant.
    pub fn constant(&mut self, constant: Const) {
        self.op(opcode::CONST);
        let consts = &mut self.image.consts;
        let number = *self.consts.entry(constant.clone()).or_insert_with(|| {
            consts.push(constant);
            consts.len() - 1
        });
        self.word(number);
    }

    /// Pushes a text.
    pub fn text(&mut self, text: &str) {
        let number = intern(&mut self.texts, &mut self.image.texts, text);
        self.constant(Const::Text(number));
    }

    /// A jump forward; [`Emitter::land`] says where to.
    pub fn jump(&mut self, op: u8) -> usize {
        self.op(op);
        self.word(0);
        self.here() - 2
    }

    /// A jump goes here.
    pub fn land(&mut self, operand: usize) {
        let target = self.here();
        match u16::try_from(target) {
            Ok(word) => self.image.code[operand..operand + 2].copy_from_slice(&word.to_le_bytes()),
            Err(_) => self
                .refuse("the program is too large: no more than 65536 bytes of code".to_string()),
        }
    }

    /// A jump back.
    pub fn jump_back(&mut self, target: usize) {
        self.op(opcode::LOOP);
        self.word(target);
    }
}

/// The number of a string in a table, which it enters if it is new.
fn intern(known: &mut HashMap<String, usize>, table: &mut Vec<String>, text: &str) -> usize {
    if let Some(&number) = known.get(text) {
        return number;
    }
    table.push(text.to_string());
    known.insert(text.to_string(), table.len() - 1);
    table.len() - 1
}
