//! Statements. In: how many, how deep they may go. Out: their text; what they declare is in scope
//! then. Invariant: what has been spent counts each of them as often as it is executed.

use crate::exprs;
use crate::loops;
use crate::maker::Maker;
use crate::types::{Function, Param, Ty};

/// A way to write a statement. It answers nothing if it cannot.
type Rule = fn(&mut Maker<'_>, u32) -> Option<String>;

/// The choices with weights. The first is written when the tape is used up.
const ALL: &[(u16, Rule)] = &[
    (12, declaration),
    (9, result_of_call),
    (8, assignment),
    (6, compound),
    (5, store),
    (3, destructuring),
    (3, let_else),
    (5, condition),
    (3, if_let),
    (4, matching),
    (4, loops::counted),
    (3, loops::while_loop),
    (2, loops::while_let),
    (2, loops::endless),
    (2, loops::items_loop),
    (3, loops::leave),
    (2, early_return),
    (3, question),
    (3, ignored),
    (2, assertion),
    (3, named_closure),
    (4, exchange),
    (2, late),
    (2, alias),
];

impl Maker<'_> {
    /// `count` statements.
    pub fn statements(&mut self, count: usize, depth: u32) -> String {
        let mut text = String::new();
        for _ in 0..count {
            if self.left == 0 || (self.tape.is_empty() && !text.is_empty()) {
                break;
            }
            let weights: Vec<u16> = ALL.iter().map(|rule| rule.0).collect();
            let rule = ALL[self.tape.weighted(&weights)].1;
            self.spend(1);
            let written = rule(self, depth).or_else(|| declaration(self, depth));
            text += &(written.unwrap_or_default() + "\n");
        }
        text
    }

    /// A block with a value.
    pub fn block_of(&mut self, ty: &Ty, depth: u32) -> String {
        self.inside(|maker| {
            let count = if depth > 0 { maker.tape.below(3) } else { 0 };
            let body = maker.statements(count, depth.saturating_sub(1));
            format!("{{ {body}{} }}", maker.expr(ty, depth))
        })
    }

    /// A block without a value.
    pub fn body(&mut self, depth: u32) -> String {
        self.inside(|maker| {
            let count = 1 + maker.tape.below(3);
            format!("{{ {} }}", maker.statements(count, depth.saturating_sub(1)))
        })
    }

    /// A name for a new variable: sometimes one that hides another.
    fn variable(&mut self) -> String {
        let hidden: Vec<&str> = (self.scope.vars.iter())
            .filter(|var| !var.is_lent && var.text != "self" && var.text.starts_with('v'))
            .map(|var| &var.text[..])
            .collect();
        if !hidden.is_empty() && self.tape.chance(1, 8) {
            return hidden[self.tape.below(hidden.len())].to_string();
        }
        self.name("v")
    }
}

fn declaration(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let ty = maker.ty();
    let value = maker.expr(&ty, depth);
    let is_mut = maker.tape.chance(2, 3);
    let name = maker.variable();
    maker.declare(&name, &ty, is_mut);
    let mutable = if is_mut { "mut " } else { "" };
    Some(format!("let {mutable}{name}: {} = {value};", ty.text()))
}

fn assignment(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let mut targets = maker.targets();
    if targets.is_empty() {
        return None;
    }
    maker.note("assignment");
    let (_, text, ty) = targets.swap_remove(maker.tape.below(targets.len()));
    Some(format!("{text} = {};", maker.expr(&ty, depth)))
}

fn compound(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let mut targets = maker.targets();
    targets.retain(|(_, _, ty)| matches!(ty, Ty::Int(_) | Ty::Float | Ty::Bool));
    if targets.is_empty() {
        return None;
    }
    maker.note("compound assignment");
    let (_, text, ty) = targets.swap_remove(maker.tape.below(targets.len()));
    let operator = match ty {
        Ty::Int(_) => maker
            .tape
            .pick(&["+=", "-=", "*=", "^=", "|=", "&=", "<<=", ">>="]),
        Ty::Float => maker.tape.pick(&["+=", "-=", "*=", "/="]),
        _ => maker.tape.pick(&["^=", "|=", "&="]),
    };
    Some(format!("{text} {operator} {};", maker.expr(&ty, depth)))
}

/// To an item of a local array, or to a cell on the heap.
fn store(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    if maker.scope.is_pure {
        return None;
    }
    let mut stores = Vec::new();
    for var in &maker.scope.vars {
        let text = &var.text;
        match &var.ty {
            Ty::Array(item, len) if var.is_mut => {
                stores.push((text.clone(), Some(*len), (**item).clone(), true))
            }
            Ty::Cells(item) => stores.push((text.clone(), Some(0), (**item).clone(), false)),
            Ty::Object(class) => {
                for (n, (ty, _)) in maker.items.classes[*class]
                    .fields
                    .iter()
                    .enumerate()
                    .filter(|f| f.1.1)
                {
                    stores.push((format!("{text}.f{n}"), None, ty.clone(), false));
                }
            }
            _ => {}
        }
    }
    if stores.is_empty() {
        return None;
    }
    let (place, array, ty, is_local) = stores.swap_remove(maker.tape.below(stores.len()));
    let (value, index) = maker.inside(|maker| {
        maker.freeze();
        let value = maker.expr(&ty, depth);
        (value, array.map(|len| maker.index_of(&place, len, depth)))
    });
    // An item of a lent array can be written without the `*`, too.
    let name = place.strip_prefix("(*").and_then(|p| p.strip_suffix(')'));
    let name = name.filter(|_| is_local).map(str::to_string);
    let place = match name {
        Some(name) if maker.tape.chance(1, 2) => name,
        _ => place,
    };
    maker.note(if is_local {
        "store to an item"
    } else {
        "store to a cell"
    });
    let place = index.map_or(place.clone(), |index| format!("{place}[{index}]"));
    Some(match is_local {
        true => format!("{place} = {value};"),
        false => format!("{place}.set({value});"),
    })
}

fn destructuring(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("let with a pattern");
    let parts = vec![maker.ty(), maker.scalar()];
    let ty = Ty::Tuple(parts);
    let value = maker.expr(&ty, depth);
    let pattern = maker.certain_pattern(&ty, 2);
    Some(format!("let {pattern}: {} = {value};", ty.text()))
}

/// What leaves this place for good: it stands in front of code that is not executed then.
fn exit(maker: &mut Maker<'_>, depth: u32) -> String {
    if let (Some(found), true) = (maker.scope.loops.last().cloned(), maker.tape.chance(1, 2)) {
        let label = found.label;
        return match found.value {
            None if maker.tape.chance(1, 2) => format!("continue {label};"),
            None => format!("break {label};"),
            Some(ty) => format!("break {label} ({});", maker.expr(&ty, depth)),
        };
    }
    let ret = maker.scope.ret.clone();
    format!("return ({});", maker.expr(&ret, depth))
}

fn let_else(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("let else");
    let ty = maker.ty();
    let value = maker.expr(&ty, depth);
    let otherwise = maker.inside(|maker| exit(maker, depth));
    let pattern = maker.pattern(&ty, 3);
    // A pattern that fits everything is no mistake, only odd.
    Some(format!("let {pattern} = ({value}) else {{ {otherwise} }};"))
}

fn condition(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("if");
    let condition = maker.condition(depth);
    let yes = maker.body(depth);
    if maker.tape.chance(1, 2) {
        return Some(format!("if {condition} {yes}"));
    }
    Some(format!("if {condition} {yes} else {}", maker.body(depth)))
}

fn if_let(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("if let");
    let ty = maker.ty();
    let value = maker.expr(&ty, depth);
    let (chain, yes) = maker.inside(|maker| {
        let mut chain = format!("let {} = ({value})", maker.pattern(&ty, 3));
        if maker.tape.chance(1, 3) {
            maker.note("let chain");
            chain += &format!(" && {}", maker.condition(depth));
        }
        (chain, maker.body(depth))
    });
    Some(format!("if {chain} {yes} else {}", maker.body(depth)))
}

fn matching(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let ty = maker.ty();
    let value = maker.expr(&ty, depth);
    let arms = maker.arms(&ty, depth, |maker, depth| maker.body(depth));
    Some(format!("match ({value}) {{ {arms} }}"))
}

fn early_return(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("return");
    let ret = maker.scope.ret.clone();
    let condition = maker.condition(depth);
    Some(format!(
        "if {condition} {{ return ({}); }}",
        maker.expr(&ret, depth)
    ))
}

fn question(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let ty = maker.ty();
    let of = match maker.scope.ret.clone() {
        Ty::Option(_) => Ty::Option(Box::new(ty.clone())),
        Ty::Result(_, err) => Ty::Result(Box::new(ty.clone()), err),
        _ => return None,
    };
    maker.note("?");
    let value = maker.expr(&of, depth);
    let name = maker.variable();
    maker.declare(&name, &ty, false);
    Some(format!("let {name}: {} = {value}?;", ty.text()))
}

/// A variable for what a function, a table's function or a closure returns. What it wants to be
/// lent is declared if it is not there.
fn result_of_call(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let mut functions = maker.callable(|_| true);
    let closures = maker.scope.closures.iter();
    functions.extend(closures.filter(|k| maker.affords(k.cost)).cloned());
    let tables = if maker.scope.is_pure {
        0
    } else {
        maker.items.tables.len()
    };
    if functions.len() + tables == 0 {
        return None;
    }
    let chosen = maker.tape.below(functions.len() + tables);
    if chosen >= functions.len() {
        let ret = maker.items.tables[chosen - functions.len()].ret.clone();
        let value = exprs::by_table(maker, &ret, depth)?;
        return Some(declared(maker, &ret, value));
    }
    let function = functions.swap_remove(chosen);
    let mut text = String::new();
    for param in function.params.iter().filter(|param| param.is_lent) {
        if !maker.targets().iter().any(|(_, _, ty)| *ty == param.ty) {
            let name = maker.name("v");
            let value = maker.expr(&param.ty, depth);
            maker.declare(&name, &param.ty, true);
            text += &format!("let mut {name}: {} = {value};\n", param.ty.text());
        }
    }
    // What was declared is there, even if two parameters want to be lent the same.
    let Some(value) = maker.call(&function, depth) else {
        return Some(text);
    };
    Some(text + &declared(maker, &function.ret, value))
}

/// A new variable with this value.
fn declared(maker: &mut Maker<'_>, ty: &Ty, value: String) -> String {
    let name = maker.name("v");
    maker.declare(&name, ty, true);
    format!("let mut {name}: {} = {value};", ty.text())
}

/// A call for what it does.
fn ignored(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let mut lending = maker.callable(|function| function.params.iter().any(|p| p.is_lent));
    if lending.is_empty() {
        return None;
    }
    let function = lending.swap_remove(maker.tape.below(lending.len()));
    Some(format!("let _ = {};", maker.call(&function, depth)?))
}

fn assertion(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    if maker.scope.is_pure {
        return None;
    }
    maker.note("assertion");
    // Mostly true.
    let condition = format!(
        "{} || {} || {}",
        maker.condition(depth),
        maker.condition(1),
        maker.condition(1)
    );
    Some(match maker.tape.below(4) {
        // rustc lays the text of a condition out anew for the message, so it is a short one.
        0 => format!("let holds: bool = {condition}; assert!(holds);"),
        1 => format!("assert!({condition}, \"not so\");"),
        2 => format!("if !({condition}) {{ panic!(\"no way\"); }}"),
        _ => format!("if !({condition}) {{ unreachable!(); }}"),
    })
}

fn named_closure(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("closure");
    let (ret, param) = (maker.ty(), maker.scalar());
    let name = maker.name("k");
    let before = maker.left;
    let (body, p) = maker.inside(|maker| {
        // What a closure uses cannot be changed as long as it is there.
        maker.scope.vars.retain(|var| !var.is_mut);
        maker.enter_closure(&ret);
        let p = maker.name("p");
        maker.declare(&p, &param, false);
        (maker.block_of(&ret, depth.min(2)), p)
    });
    let text = format!(
        "let {name} = |{p}: {}| -> {} {body};",
        param.text(),
        ret.text()
    );
    maker.scope.closures.push(Function {
        name,
        params: vec![Param {
            ty: param,
            is_lent: false,
        }],
        ret,
        cost: (before - maker.left) / maker.scope.turns + 1,
        is_pure: true,
    });
    Some(text)
}

fn exchange(maker: &mut Maker<'_>, _: u32) -> Option<String> {
    let targets = maker.targets();
    let pairs: Vec<(&str, &str)> = (targets.iter().enumerate())
        .flat_map(|(n, x)| targets[n + 1..].iter().map(move |y| (x, y)))
        .filter(|(x, y)| x.0 != y.0 && x.2 == y.2)
        .map(|(x, y)| (&x.1[..], &y.1[..]))
        .collect();
    if pairs.is_empty() {
        return None;
    }
    let (x, y) = pairs[maker.tape.below(pairs.len())];
    maker.note("exchange");
    Some(match maker.tape.below(3) {
        0 => format!("({x}, {y}) = ({y}, {x});"),
        1 => format!("std::mem::swap(&mut {x}, &mut {y});"),
        _ => format!("{x} = std::mem::replace(&mut {y}, {x});"),
    })
}

/// A variable that gets its value later.
fn late(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    maker.note("late initialisation");
    let ty = maker.ty();
    let (condition, yes, no) = (
        maker.condition(depth),
        maker.expr(&ty, depth),
        maker.expr(&ty, depth),
    );
    let name = maker.name("v");
    maker.declare(&name, &ty, true);
    Some(format!(
        "let mut {name}: {}; if {condition} {{ {name} = {yes}; }} else {{ {name} = {no}; }}",
        ty.text()
    ))
}

/// A name for a place, and changes through it.
fn alias(maker: &mut Maker<'_>, depth: u32) -> Option<String> {
    let mut targets = maker.targets();
    targets.retain(|(_, text, _)| !text.contains('['));
    if targets.is_empty() {
        return None;
    }
    maker.note("&mut with a name");
    let (index, text, ty) = targets.swap_remove(maker.tape.below(targets.len()));
    let name = maker.name("r");
    let body = maker.inside(|maker| {
        maker.scope.vars.remove(index);
        let param = Param {
            ty: ty.clone(),
            is_lent: true,
        };
        maker.parameter(&name, &param);
        maker.statements(1, depth) + &format!("*{name} = {};", maker.expr(&ty, depth))
    });
    Some(format!("{{ let {name} = &mut {text}; {body} }}"))
}
