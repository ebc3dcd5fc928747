//! Expressions of scalars, and of what has methods of its own. In: a type, how deep it may go. Out:
//! text. Invariant: what is written has one meaning: the sign of a NaN, and which of two zeros is
//! the larger, is never asked for.

use crate::maker::{Maker, Rule};
use crate::types::{I64, Int, Ty, U32};

/// The choices for a type besides those for all.
pub fn rules(ty: &Ty) -> &'static [(u16, Rule)] {
    match ty {
        Ty::Int(_) => INT,
        Ty::Bool => BOOL,
        Ty::Char => CHAR,
        Ty::Float => FLOAT,
        Ty::Option(_) => OPTION,
        Ty::Result(..) => RESULT,
        _ => &[],
    }
}

const INT: &[(u16, Rule)] = &[
    (16, arithmetic),
    (4, division),
    (5, shift),
    (8, cast),
    (6, method),
    (4, checked),
    (3, overflowing),
    (2, unary),
    (2, bits),
];

const BOOL: &[(u16, Rule)] = &[(14, comparison), (6, logic), (3, asked), (3, matches)];

const CHAR: &[(u16, Rule)] = &[(8, char_of)];

const FLOAT: &[(u16, Rule)] = &[(12, float_arithmetic), (5, float_cast), (5, float_method)];

const OPTION: &[(u16, Rule)] = &[(8, option), (3, mapped)];

const RESULT: &[(u16, Rule)] = &[(6, result)];

fn int(ty: &Ty) -> Option<Int> {
    match ty {
        Ty::Int(int) => Some(*int),
        _ => None,
    }
}

fn arithmetic(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("arithmetic");
    let operator = maker.tape.pick(&["+", "-", "*", "&", "|", "^"]);
    let (x, y) = (maker.expr(ty, depth), maker.expr(ty, depth));
    Some(format!("({x} {operator} {y})"))
}

fn division(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let name = int(ty)?.name;
    let operator = maker.tape.pick(&["/", "%"]);
    let (x, y) = (maker.expr(ty, depth), maker.expr(ty, depth));
    let kind = maker.tape.weighted(&[2, 2, 1]);
    if kind == 2 && !maker.scope.is_pure {
        maker.note("division that may panic");
        return Some(format!("({x} {operator} {y})"));
    }
    maker.note("division");
    // Neither 0 nor -1.
    Some(match kind {
        0 => format!("({x} {operator} (({y} & 7{name}) + 1{name}))"),
        _ => format!(
            "{x}.wrapping_{}(({y} & 7{name}) | 1{name})",
            if operator == "/" { "div" } else { "rem" }
        ),
    })
}

fn shift(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("shift");
    let of = Ty::Int(maker.int());
    let operator = maker.tape.pick(&["<<", ">>"]);
    let (x, y) = (maker.expr(ty, depth), maker.expr(&of, depth));
    Some(format!("({x} {operator} {y})"))
}

fn cast(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("cast");
    let from = maker.scalar();
    Some(format!("({} as {})", maker.expr(&from, depth), ty.text()))
}

fn method(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let int = int(ty)?;
    maker.note("method of an integer");
    let x = maker.expr(ty, depth);
    let with_one =
        |name: &str, maker: &mut Maker<'_>| format!("{x}.{name}({})", maker.expr(ty, depth));
    Some(match maker.tape.below(18) {
        0 => with_one("wrapping_add", maker),
        1 => with_one("wrapping_sub", maker),
        2 => with_one("wrapping_mul", maker),
        3 => with_one("saturating_add", maker),
        4 => with_one("saturating_sub", maker),
        5 => with_one("saturating_mul", maker),
        6 => with_one("min", maker),
        7 => with_one("max", maker),
        8 => format!("{x}.wrapping_pow({} & 7)", maker.expr(&Ty::Int(U32), depth)),
        9 => format!("{x}.pow({} & 3)", maker.expr(&Ty::Int(U32), depth)),
        10 => format!("{x}.rotate_left({})", maker.expr(&Ty::Int(U32), depth)),
        11 => format!("{x}.swap_bytes()"),
        12 => format!("{x}.reverse_bits()"),
        13 => format!("{x}.wrapping_shl({})", maker.expr(&Ty::Int(U32), depth)),
        14 if int.signed => format!("{x}.wrapping_abs().signum()"),
        15 if int.signed => format!("{x}.wrapping_neg()"),
        16 if !maker.scope.is_pure => with_one("rem_euclid", maker),
        17 if !int.signed => format!("{x}.isqrt()"),
        _ => format!("{x}.clamp(2{0}, 100{0})", int.name),
    })
}

fn checked(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("checked arithmetic");
    let option = Ty::Option(Box::new(ty.clone()));
    let value = option_of_int(maker, &option, depth)?;
    Some(format!("{value}.unwrap_or({})", maker.expr(ty, depth)))
}

/// `checked_add` and its like.
fn option_of_int(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let Ty::Option(inner) = ty else { return None };
    let int = int(inner)?;
    let x = maker.expr(inner, depth);
    let names = [
        "add",
        "sub",
        "mul",
        "div",
        "rem",
        "div_euclid",
        "shl",
        "shr",
        "neg",
        "pow",
    ];
    let name = maker.tape.pick(&names);
    Some(match name {
        "shl" | "shr" | "pow" => {
            format!("{x}.checked_{name}({})", maker.expr(&Ty::Int(U32), depth))
        }
        "neg" => format!("{x}.checked_neg()"),
        "div_euclid" if int.signed && maker.tape.chance(1, 2) => format!("{x}.checked_abs()"),
        _ => format!("{x}.checked_{name}({})", maker.expr(inner, depth)),
    })
}

fn overflowing(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    int(ty)?;
    maker.note("overflowing arithmetic");
    let name = maker.tape.pick(&["add", "sub", "mul"]);
    let (x, y) = (maker.expr(ty, depth), maker.expr(ty, depth));
    let (value, flag) = (maker.name("v"), maker.name("o"));
    Some(maker.inside(|maker| {
        maker.declare(&value, ty, false);
        maker.declare(&flag, &Ty::Bool, false);
        let result = maker.expr(ty, depth);
        format!("{{ let ({value}, {flag}) = {x}.overflowing_{name}({y}); if {flag} {{ {result} }} else {{ {value} }} }}")
    }))
}

fn unary(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("unary operator");
    let signed = int(ty)?.signed && maker.tape.chance(1, 2);
    Some(format!(
        "({}{})",
        if signed { "-" } else { "!" },
        maker.expr(ty, depth)
    ))
}

fn bits(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    if int(ty)? == U32 {
        maker.note("count of bits");
        let of = Ty::Int(maker.int());
        let name = maker.tape.pick(&[
            "count_ones",
            "leading_zeros",
            "trailing_zeros",
            "leading_ones",
        ]);
        return Some(format!("{}.{name}()", maker.expr(&of, depth)));
    }
    if int(ty)? == I64 {
        maker.note("bits of a float");
        return Some(format!("super::bits({})", maker.expr(&Ty::Float, depth)));
    }
    maker.note("try_from");
    let from = Ty::Int(maker.int());
    let value = maker.expr(&from, depth);
    Some(format!(
        "{}::try_from({value}).unwrap_or({})",
        ty.text(),
        maker.expr(ty, depth)
    ))
}

fn comparison(maker: &mut Maker<'_>, _: &Ty, depth: u32) -> Option<String> {
    let mut of = match maker.tape.chance(1, 4) {
        true => maker.ty(),
        false => maker.scalar(),
    };
    if !maker.items.has_order(&of) {
        of = maker.scalar();
    }
    maker.note(if of.is_scalar() {
        "comparison"
    } else {
        "comparison of values"
    });
    let (x, y) = (maker.expr(&of, depth), maker.expr(&of, depth));
    // Operators of values borrow their operands, and the second one may change what the first one
    // is.
    let x = if of.is_scalar() {
        x
    } else {
        format!("{{ {x} }}")
    };
    Some(match maker.tape.below(8) {
        6 => format!("matches!({{ {x} }}.partial_cmp(&({y})), Some(core::cmp::Ordering::Less))"),
        7 => format!("({{ {x} }}.ge(&({y})))"),
        n => format!("({x} {} {y})", ["<", "==", "!=", "<=", ">", ">="][n]),
    })
}

fn logic(maker: &mut Maker<'_>, _: &Ty, depth: u32) -> Option<String> {
    maker.note("logic");
    let x = maker.condition(depth);
    let operator = match maker.tape.below(6) {
        5 => return Some(format!("(!{x})")),
        n => ["&&", "||", "&", "|", "^"][n],
    };
    Some(format!("({x} {operator} {})", maker.condition(depth)))
}

fn asked(maker: &mut Maker<'_>, _: &Ty, depth: u32) -> Option<String> {
    maker.note("question");
    let inner = Box::new(maker.scalar());
    let option = Ty::Option(inner.clone());
    Some(match maker.tape.below(8) {
        0 => format!("{}.is_some()", maker.expr(&option, depth)),
        1 => format!("{}.is_none()", maker.expr(&option, depth)),
        2 => format!("{}.is_nan()", maker.expr(&Ty::Float, depth)),
        3 => format!("{}.is_finite()", maker.expr(&Ty::Float, depth)),
        4 => format!("{}.is_alphabetic()", maker.expr(&Ty::Char, depth)),
        5 => format!("{}.is_ascii_digit()", maker.expr(&Ty::Char, depth)),
        6 => {
            let result = Ty::Result(inner.clone(), inner);
            format!("{}.is_ok()", maker.expr(&result, depth))
        }
        _ => {
            let of = Ty::Int(maker.int());
            let (low, high) = (maker.expr(&of, depth), maker.expr(&of, depth));
            format!("({low}..{high}).contains(&{})", maker.expr(&of, depth))
        }
    })
}

fn matches(maker: &mut Maker<'_>, _: &Ty, depth: u32) -> Option<String> {
    maker.note("matches!");
    let of = maker.ty();
    let value = maker.expr(&of, depth);
    Some(maker.inside(|maker| {
        let pattern = maker.pattern(&of, 2);
        maker.freeze();
        let guard = match maker.tape.chance(1, 3) {
            true => format!(" if {}", maker.condition(depth)),
            false => String::new(),
        };
        format!("matches!({value}, {pattern}{guard})")
    }))
}

fn char_of(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("char");
    let byte = Ty::Int(crate::types::INTS[1]);
    Some(match maker.tape.below(5) {
        0 => format!("({} as char)", maker.expr(&byte, depth)),
        1 => {
            let number = maker.expr(&Ty::Int(U32), depth);
            format!(
                "char::from_u32({number}).unwrap_or({})",
                maker.expr(ty, depth)
            )
        }
        2 => format!("{}.to_ascii_uppercase()", maker.expr(ty, depth)),
        3 => {
            let number = maker.expr(&Ty::Int(U32), depth);
            format!(
                "char::from_digit({number}, 16).unwrap_or({})",
                maker.expr(ty, depth)
            )
        }
        _ => format!("char::from({})", maker.expr(&byte, depth)),
    })
}

fn float_arithmetic(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("arithmetic of floats");
    let operator = maker.tape.pick(&["+", "-", "*", "/", "%"]);
    let (x, y) = (maker.expr(ty, depth), maker.expr(ty, depth));
    Some(format!("({x} {operator} {y})"))
}

fn float_cast(maker: &mut Maker<'_>, _: &Ty, depth: u32) -> Option<String> {
    maker.note("cast to a float");
    let from = Ty::Int(maker.int());
    let value = maker.expr(&from, depth);
    Some(match maker.tape.chance(1, 4) {
        true => format!("f64::from_bits({value} as u64)"),
        false => format!("({value} as f64)"),
    })
}

fn float_method(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    maker.note("method of a float");
    let x = maker.expr(ty, depth);
    let names = [
        "floor",
        "ceil",
        "trunc",
        "round",
        "abs",
        "sqrt",
        "fract",
        "round_ties_even",
        "recip",
    ];
    Some(match maker.tape.below(names.len() + 5) {
        9 => format!("(-{x})"),
        10 => format!("{x}.max(1.5f64)"),
        11 => format!("{x}.min(-2.25f64)"),
        12 => format!("{x}.clamp(-3.5f64, 1e18f64)"),
        13 => {
            let (y, z) = (maker.expr(ty, depth), maker.expr(ty, depth));
            format!("{x}.mul_add({y}, {z})")
        }
        n => format!("{x}.{}()", names[n]),
    })
}

fn option(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let Ty::Option(inner) = ty else { return None };
    if matches!(**inner, Ty::Int(_)) && maker.tape.chance(1, 2) {
        maker.note("checked arithmetic");
        return option_of_int(maker, ty, depth);
    }
    maker.note("method of Option");
    Some(match maker.tape.below(7) {
        0 => format!("{}.or({})", maker.expr(ty, depth), maker.expr(ty, depth)),
        1 => format!("{}.xor({})", maker.expr(ty, depth), maker.expr(ty, depth)),
        2 => format!(
            "{}.then_some({})",
            maker.condition(depth),
            maker.expr(inner, depth)
        ),
        3 => {
            let error = maker.scalar();
            let result = Ty::Result(inner.clone(), Box::new(error));
            format!("{}.ok()", maker.expr(&result, depth))
        }
        4 => {
            let value = maker.expr(ty, depth);
            maker.inside(|maker| {
                maker.enter_closure(ty);
                format!("{value}.or_else(|| {})", maker.expr(ty, depth))
            })
        }
        5 => {
            let value = maker.expr(ty, depth);
            maker.inside(|maker| {
                maker.enter_closure(&Ty::Bool);
                let name = maker.name("p");
                maker.declare(&name, inner, false);
                format!("{value}.filter(|&{name}| {})", maker.condition(depth))
            })
        }
        _ => format!(
            "{}.then_some({}).flatten()",
            maker.condition(depth),
            maker.expr(ty, depth)
        ),
    })
}

fn mapped(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let Ty::Option(inner) = ty else { return None };
    maker.note("closure as an argument");
    let from = maker.scalar();
    let value = maker.expr(&Ty::Option(Box::new(from.clone())), depth);
    let flat = maker.tape.chance(1, 3);
    let ret = if flat { ty } else { inner };
    Some(maker.inside(|maker| {
        maker.enter_closure(ret);
        let name = maker.name("p");
        maker.declare(&name, &from, false);
        let body = maker.block_of(ret, depth);
        let method = if flat { "and_then" } else { "map" };
        format!("{value}.{method}(|{name}| -> {} {body})", ret.text())
    }))
}

fn result(maker: &mut Maker<'_>, ty: &Ty, depth: u32) -> Option<String> {
    let Ty::Result(ok, err) = ty else { return None };
    maker.note("method of Result");
    Some(match maker.tape.below(3) {
        0 => {
            let option = maker.expr(&Ty::Option(ok.clone()), depth);
            format!("{option}.ok_or({})", maker.expr(err, depth))
        }
        1 => format!("{}.or({})", maker.expr(ty, depth), maker.expr(ty, depth)),
        _ => {
            let from = maker.scalar();
            let value = maker.expr(&Ty::Result(ok.clone(), Box::new(from.clone())), depth);
            maker.inside(|maker| {
                maker.enter_closure(err);
                let name = maker.name("p");
                maker.declare(&name, &from, false);
                let body = maker.block_of(err, depth);
                format!("{value}.map_err(|{name}| -> {} {body})", err.text())
            })
        }
    })
}
