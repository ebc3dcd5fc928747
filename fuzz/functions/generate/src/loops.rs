//! Loops, and how they are left. In: how deep they may go. Out: their text. Invariant: every loop
//! counts its turns in a variable that nothing else changes, and leaves when there are too many.

use crate::maker::{Loop, Maker};
use crate::types::Ty;

impl Maker<'_> {
    /// A loop's body that is executed so often at most; `first` stands in front of it.
    fn turns(&mut self, turns: u32, first: &str, depth: u32) -> Option<(String, String)> {
        if self.scope.turns * turns > 16 || !self.affords(turns * 8) {
            return None;
        }
        self.has_loop = true;
        let label = self.name("'l");
        Some(self.inside(|maker| {
            maker.scope.turns *= turns;
            maker.scope.loops.push(Loop {
                label: label.clone(),
                value: None,
                turns: true,
            });
            let body = maker.body(depth);
            (label, format!("{{ {first} {body} }}"))
        }))
    }
}

/// `for` over a range.
pub fn counted(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let ty = Ty::Int(maker.int());
    let number = ty.text();
    let turns = maker.tape.within(1, 4);
    let range = match maker.tape.below(6) {
        0 => format!("0..{turns}{number}"),
        1 => format!("({} & 1)..={turns}{number}", maker.expr(&ty, depth)),
        2 => format!(
            "(({} & 3)..({} & 3))",
            maker.expr(&ty, depth),
            maker.expr(&ty, depth)
        ),
        3 => format!("(({} & 1)..{turns}{number}).rev()", maker.expr(&ty, depth)),
        4 => format!("({number}::MAX - {turns})..={number}::MAX"),
        _ => format!("(0{number}..{}{number}).step_by({turns})", turns * 3),
    };
    let name = maker.name("i");
    let (label, body) = maker.inside(|maker| {
        maker.declare(&name, &ty, false);
        maker.turns(turns + 1, "", depth)
    })?;
    maker.note("for over a range");
    Some(format!("{label}: for {name} in {range} {body}"))
}

pub fn while_loop(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let turns = maker.tape.within(1, 4);
    let name = maker.name("n");
    let (condition, label, body) = maker.inside(|maker| {
        maker.declare(&name, &Ty::I64, false);
        let condition = maker.inside(|maker| {
            maker.scope.turns *= turns;
            maker.condition(depth)
        });
        let (label, body) = maker.turns(turns, &format!("{name} += 1;"), depth)?;
        Some((condition, label, body))
    })?;
    maker.note("while");
    Some(format!(
        "let mut {name}: i64 = 0; {label}: while {name} < {turns} && {condition} {body}"
    ))
}

pub fn while_let(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let turns = maker.tape.within(1, 4);
    let (name, ty) = (maker.name("n"), maker.ty());
    let value = maker.inside(|maker| {
        maker.scope.turns *= turns;
        maker.expr(&ty, depth)
    });
    let (pattern, label, body) = maker.inside(|maker| {
        let pattern = maker.pattern(&ty, 2);
        let first = format!("{name} += 1;");
        let (label, body) = maker.turns(turns, &first, depth)?;
        Some((pattern, label, body))
    })?;
    maker.note("while let");
    Some(format!(
        "let mut {name}: i64 = 0; {label}: while let ({pattern}, true) = ({value}, {name} < {turns}) {body}"
    ))
}

pub fn endless(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let turns = maker.tape.within(1, 3);
    let name = maker.name("n");
    let first = format!("if {name} >= {turns} {{ break; }} {name} += 1;");
    let (label, body) = maker.turns(turns, &first, depth)?;
    maker.note("loop");
    Some(format!("let mut {name}: i64 = 0; {label}: loop {body}"))
}

/// `for` over the items of a local array.
pub fn items_loop(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let mut arrays: Vec<(String, Ty, usize)> = Vec::new();
    for var in &maker.scope.vars {
        if let Ty::Array(item, len) = &var.ty {
            arrays.push((var.text.clone(), (**item).clone(), *len));
        }
    }
    if arrays.is_empty() {
        return None;
    }
    let (array, item, len) = arrays.swap_remove(maker.tape.below(arrays.len()));
    let (name, number) = (maker.name("i"), maker.name("i"));
    let kind = maker.tape.below(3);
    let (label, body) = maker.inside(|maker| {
        if kind > 0 {
            // The array is borrowed.
            maker
                .scope
                .vars
                .iter_mut()
                .filter(|var| var.text == array)
                .for_each(|var| var.is_mut = false);
        }
        maker.declare(&name, &item, false);
        if kind == 2 {
            maker.declare(&number, &Ty::Int(crate::types::USIZE), false);
        }
        maker.turns(len as u32, "", depth)
    })?;
    maker.note("for over items");
    Some(match kind {
        0 => format!("{label}: for {name} in {array} {body}"),
        1 => format!("{label}: for &{name} in {array}.iter() {body}"),
        _ => format!("{label}: for ({number}, &{name}) in {array}.iter().enumerate() {body}"),
    })
}

/// `break` and `continue` on a condition, also of outer loops.
pub fn leave(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    if maker.scope.loops.is_empty() {
        return None;
    }
    let which = maker.tape.below(maker.scope.loops.len());
    let found = maker.scope.loops[maker.scope.loops.len() - 1 - which].clone();
    let condition = maker.condition(depth);
    let label = &found.label;
    let leaves = match &found.value {
        _ if found.turns && maker.tape.chance(1, 3) => {
            maker.note("continue");
            format!("continue {label}")
        }
        Some(ty) => format!("break {label} ({})", maker.expr(ty, depth)),
        None => {
            maker.note("break");
            format!("break {label}")
        }
    };
    Some(format!("if {condition} {{ {leaves}; }}"))
}
