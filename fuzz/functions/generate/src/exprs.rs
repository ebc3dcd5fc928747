//! Expressions of any type. In: a type, how deep it may go. Out: text that can stand anywhere an
//! operand can. Invariant: which rule writes it is the tape's choice; one that does not fit the
//! type or the scope leaves it to a variable or a constant.

use crate::maker::{Loop, Maker, Rule};
use crate::scalars;
use crate::types::{Function, Ty, USIZE};

/// The choices for each type, with weights.
const ANY: &[(u16, Rule)] = &[
    (3, new),
    (3, choice),
    (2, matched),
    (2, block),
    (4, called),
    (2, from_option),
    (2, item),
    (1, left_loop),
    (1, left_block),
    (1, by_table),
    (2, by_closure),
    (1, generic),
    (1, changing_closure),
    (1, promoted),
];

impl Maker<'_> {
    /// An expression.
    pub fn expr(&mut self, ty: &Ty, depth: u32) -> String {
        self.spend(1);
        if depth == 0 || self.left == 0 || self.tape.is_empty() {
            return self.leaf(ty);
        }
        let own = scalars::rules(ty);
        let weights: Vec<u16> = [2]
            .into_iter()
            .chain(own.iter().chain(ANY).map(|r| r.0))
            .collect();
        let rule = match self.tape.weighted(&weights) {
            0 => return self.leaf(ty),
            n => own.iter().chain(ANY).nth(n - 1).expect("a rule").1,
        };
        let written = rule(self, ty, depth - 1);
        written.unwrap_or_else(|| self.leaf(ty))
    }

    /// A condition.
    pub fn condition(&mut self, depth: u32) -> String {
        self.expr(&Ty::Bool, depth.max(1))
    }

    /// An index for this many items: sometimes out of range, unless nothing may panic.
    pub fn index(&mut self, len: usize, depth: u32) -> String {
        let index = self.expr(&Ty::Int(USIZE), depth);
        match self.tape.weighted(&[3, 2, 1]) {
            2 if !self.scope.is_pure => format!("({index} & 7)"),
            1 if len.is_power_of_two() => format!("({index} & {})", len - 1),
            _ => format!("({index} % {len})"),
        }
    }

    /// An index for an array with this name; on the heap, if the length is 0.
    pub fn index_of(&mut self, array: &str, len: usize, depth: u32) -> String {
        match len {
            0 if self.tape.chance(1, 3) => {
                format!("({} & 3)", self.expr(&Ty::Int(USIZE), depth))
            }
            0 => format!("({} % {array}.len())", self.expr(&Ty::Int(USIZE), depth)),
            len => self.index(len, depth),
        }
    }

    /// Forbids to change variables.
    pub fn freeze(&mut self) {
        self.scope
            .vars
            .iter_mut()
            .for_each(|var| var.is_mut = false);
    }

    /// What a closure that returns this can see, and can do.
    pub fn enter_closure(&mut self, ret: &Ty) {
        self.freeze();
        self.scope.loops.clear();
        self.scope.ret = ret.clone();
    }

    /// Arguments for parameters that are not lent, and for those that are; nothing if there is
    /// nothing to lend.
    pub fn arguments(&mut self, function: &Function, depth: u32) -> Option<Vec<String>> {
        let outer = self.scope.vars.clone();
        let mut texts = vec![String::new(); function.params.len()];
        for (n, param) in function.params.iter().enumerate().filter(|p| p.1.is_lent) {
            let mut fitting = self.targets();
            fitting.retain(|(_, _, ty)| *ty == param.ty);
            if fitting.is_empty() {
                self.scope.vars = outer;
                return None;
            }
            let (index, text, _) = fitting.swap_remove(self.tape.below(fitting.len()));
            // What is lent cannot be looked at meanwhile.
            self.scope.vars.remove(index);
            texts[n] = format!("&mut {text}");
        }
        for (n, param) in function.params.iter().enumerate().filter(|p| !p.1.is_lent) {
            texts[n] = self.expr(&param.ty, depth);
        }
        self.scope.vars = outer;
        Some(texts)
    }

    /// A call of a function of this module.
    pub fn call(&mut self, function: &Function, depth: u32) -> Option<String> {
        self.spend(function.cost);
        let lends = function.params.iter().any(|param| param.is_lent);
        let args = self.arguments(function, depth)?;
        self.note(if lends { "&mut argument" } else { "call" });
        Some(match function.name.strip_prefix('.') {
            Some(method) => {
                self.note("method");
                let receiver = args[0].trim_start_matches("&mut ");
                format!("({receiver}).{method}({})", args[1..].join(", "))
            }
            None => format!("{}({})", function.name, args.join(", ")),
        })
    }

    /// The functions that can be called here and of which this is true.
    pub fn callable(&self, wanted: impl Fn(&Function) -> bool) -> Vec<Function> {
        let functions = self.items.functions.iter();
        let fits =
            |f: &&Function| (f.is_pure || !self.scope.is_pure) && self.affords(f.cost) && wanted(f);
        functions.filter(fits).cloned().collect()
    }
}

fn new(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    Some(maker.make(ty, depth))
}

fn choice(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("if");
    let condition = maker.condition(depth);
    let (yes, no) = (maker.block_of(ty, depth), maker.block_of(ty, depth));
    Some(format!("(if {condition} {yes} else {no})"))
}

fn matched(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let of = maker.ty();
    let value = maker.expr(&of, depth);
    let arms = maker.arms(&of, depth, |maker, depth| maker.expr(ty, depth));
    Some(format!("(match {value} {{ {arms} }})"))
}

fn block(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("block");
    Some(maker.block_of(ty, depth))
}

fn called(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let mut fitting = maker.callable(|function| function.ret == *ty);
    if fitting.is_empty() {
        return None;
    }
    let function = fitting.swap_remove(maker.tape.below(fitting.len()));
    maker.call(&function, depth)
}

fn from_option(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let option = Ty::Option(Box::new(ty.clone()));
    let kind = maker.tape.weighted(&[3, 2, 2, 1, 1, 1]);
    if kind > 3 {
        let err = maker.scalar();
        let result = Ty::Result(Box::new(ty.clone()), Box::new(err));
        let value = maker.expr(&result, depth);
        maker.note("method of Result");
        return Some(format!("{value}.unwrap_or({})", maker.expr(ty, depth)));
    }
    let value = maker.expr(&option, depth);
    maker.note("method of Option");
    Some(match kind {
        0 => format!("{value}.unwrap_or({})", maker.expr(ty, depth)),
        1 => maker.inside(|maker| {
            maker.enter_closure(ty);
            format!("{value}.unwrap_or_else(|| {})", maker.expr(ty, depth))
        }),
        2 => maker.inside(|maker| {
            let default = maker.expr(ty, depth);
            maker.enter_closure(ty);
            let name = maker.name("p");
            maker.declare(&name, ty, false);
            format!(
                "{value}.map_or({default}, |{name}| {})",
                maker.expr(ty, depth)
            )
        }),
        _ if maker.scope.is_pure => format!("{value}.unwrap_or({})", maker.expr(ty, depth)),
        _ => format!("{value}.expect(\"a value\")"),
    })
}

/// An item of a local or constant array, or of one on the heap.
fn item(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let mut arrays = Vec::new();
    for var in &maker.scope.vars {
        match &var.ty {
            Ty::Array(item, len) if **item == *ty => arrays.push((var.text.clone(), *len, "")),
            Ty::Items(item) if **item == *ty => arrays.push((var.text.clone(), 0, "")),
            Ty::Cells(item) if **item == *ty => arrays.push((var.text.clone(), 0, ".get()")),
            _ => {}
        }
    }
    if arrays.is_empty() || maker.scope.is_pure {
        return None;
    }
    let (array, len, get) = arrays.swap_remove(maker.tape.below(arrays.len()));
    // An index must not change what it is an index of.
    let index = maker.inside(|maker| {
        maker.freeze();
        maker.index_of(&array, len, depth)
    });
    maker.note("index");
    Some(format!("{array}[{index}]{get}"))
}

/// `loop { .. break value; }`
fn left_loop(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    if !maker.affords(20) {
        return None;
    }
    maker.note("break with a value");
    maker.has_loop = true;
    let (counter, label) = (maker.name("n"), maker.name("'l"));
    Some(maker.inside(|maker| {
        let limit = maker.tape.within(1, 3);
        // What the loop is left with when its turns are used up must not go on with another turn.
        maker.scope.loops.push(Loop {
            label: label.clone(),
            value: Some(ty.clone()),
            turns: false,
        });
        maker.declare(&counter, &Ty::I64, false);
        let last = maker.expr(ty, depth);
        maker.scope.loops.last_mut().expect("it is there").turns = true;
        maker.scope.turns *= limit + 1;
        let count = 1 + maker.tape.below(2);
        let body = maker.statements(count, depth);
        let early = format!("if {} {{ break ({}); }}", maker.condition(depth), maker.expr(ty, depth));
        format!(
            "{{ let mut {counter}: i64 = 0; {label}: loop {{ {counter} += 1; if {counter} > {limit} {{ break {label} ({last}); }} \
             {body} {early} }} }}"
        )
    }))
}

fn left_block(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("labelled block");
    let label = maker.name("'b");
    Some(maker.inside(|maker| {
        maker.scope.loops.push(Loop {
            label: label.clone(),
            value: Some(ty.clone()),
            turns: false,
        });
        let condition = maker.condition(depth);
        let early = maker.expr(ty, depth);
        let body = maker.statements(1, depth);
        let value = maker.expr(ty, depth);
        format!("{label}: {{ if {condition} {{ break {label} ({early}); }} {body} {value} }}")
    }))
}

/// A function from a table of pointers.
pub fn by_table(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let mut tables = maker.items.tables.clone();
    tables.retain(|table| table.ret == *ty && maker.affords(table.cost));
    if tables.is_empty() || maker.scope.is_pure {
        return None;
    }
    let table = tables.swap_remove(maker.tape.below(tables.len()));
    maker.spend(table.cost);
    maker.note("function pointer");
    let index = maker.index(table.len, depth);
    let args = maker.exprs(&table.params, depth);
    Some(match maker.tape.chance(1, 3) {
        true => {
            let (name, types) = (maker.name("t"), crate::types::texts(&table.params));
            let ret = ty.text();
            format!(
                "{{ let {name}: fn({types}) -> {ret} = {}[{index}]; {name}({args}) }}",
                table.name
            )
        }
        false => format!("({}[{index}])({args})", table.name),
    })
}

fn by_closure(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let mut closures = maker.scope.closures.clone();
    closures.retain(|closure| closure.ret == *ty && maker.affords(closure.cost));
    if closures.is_empty() {
        return None;
    }
    let closure = closures.swap_remove(maker.tape.below(closures.len()));
    maker.note("closure");
    maker.call(&closure, depth)
}

/// A generic function for this type.
fn generic(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("generic function");
    let (x, y) = (maker.expr(ty, depth), maker.expr(ty, depth));
    Some(match maker.tape.below(3) {
        1 if maker.items.has_order(ty) => format!("super::larger::<{}>({x}, {y})", ty.text()),
        2 => format!("super::pick({}, ({x}, {y})).0", maker.condition(depth)),
        _ => format!("super::either({}, {x}, {y})", maker.condition(depth)),
    })
}

/// A closure that changes a variable while it exists.
fn changing_closure(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    if !maker.items.has_order(ty) {
        return None;
    }
    let mut owned: Vec<usize> = (0..maker.scope.vars.len()).collect();
    owned.retain(|&n| {
        let var = &maker.scope.vars[n];
        var.is_mut && !var.is_lent && var.text != "self"
    });
    if owned.is_empty() {
        return None;
    }
    let changed = owned[maker.tape.below(owned.len())];
    maker.note("closure that changes a variable");
    let (name, param) = (maker.name("k"), maker.name("p"));
    let var = maker.scope.vars[changed].clone();
    let of = maker.scalar();
    let body = maker.inside(|maker| {
        maker.enter_closure(ty);
        maker.declare(&param, &of, false);
        let value = maker.expr(&var.ty, depth);
        let result = maker.expr(ty, depth);
        format!("{{ {} = {value}; {result} }}", var.text)
    });
    // The closure has the variable, and what it reads must not be changed while it is there.
    let (first, second) = maker.inside(|maker| {
        maker.scope.vars.remove(changed);
        maker.freeze();
        (maker.expr(&of, depth), maker.expr(&of, depth))
    });
    Some(format!(
        "{{ let mut {name} = |{param}: {}| -> {} {body}; super::pick({name}({first}) == {name}({second}), ({name}({first}), 0u8)).0 }}",
        of.text(),
        ty.text()
    ))
}

fn promoted(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let Ty::Int(int) = ty else { return None };
    if maker.scope.is_pure {
        return None;
    }
    maker.note("promote");
    Some(format!(
        "promote({} & 1{})",
        maker.expr(ty, depth),
        int.name
    ))
}
