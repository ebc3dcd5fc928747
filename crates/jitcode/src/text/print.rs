//! Prints jitcode.

use crate::code::{CallTarget, CodeConst, Insn, JitCode, Opnd, Pc, Reg, SwitchTable};
use crate::unit::Unit;
use std::fmt::Write;
use verdigris_ops::text::{float, name, result_types};
use verdigris_ops::{ClassId, DataOp, DescrKind, Descrs, FieldId};

/// Prints a whole unit: descriptors, objects, codes, portal.
pub fn print_unit(unit: &Unit) -> String {
    let mut out = unit.descrs.print();
    for (object, classes) in &unit.objects {
        out += &unit.descrs.print_object(object, classes);
    }
    for code in unit.codes.values() {
        out.push_str(&print(code, unit));
    }
    let portal = name(&unit.portal().name);
    let _ = writeln!(out, "portal {portal} @{}", unit.merge_point.0);
    out
}

/// Prints one code.
pub fn print(code: &JitCode, unit: &Unit) -> String {
    let mut out = format!("code {}({})", name(&code.name), regs(code, &code.params));
    out += &result_types(&code.ret);
    if !code.file.is_empty() {
        let _ = write!(out, " in {:?}", code.file);
    }
    out.push_str(" {\n");
    let all: Vec<Reg> = (0..code.regs.len()).map(|r| Reg(r as u16)).collect();
    let _ = writeln!(out, "  regs {}", regs(code, &all));
    for pc in 0..code.insns.len() {
        let text = print_insn(code, unit, Pc(pc as u32));
        let live = code.live.get(pc).map_or(String::new(), |l| regs(code, l));
        let _ = write!(out, "  {pc:3}: {text:40} {{{live}}}");
        match code.lines.get(pc) {
            Some(0) | None => out.push('\n'),
            Some(line) => {
                let _ = writeln!(out, " #{line}");
            }
        }
    }
    out.push_str("}\n");
    out
}

/// Prints the instruction at `pc`.
pub fn print_insn(code: &JitCode, unit: &Unit, pc: Pc) -> String {
    let opnd = |o: Opnd| operand(code, o);
    let opnds = |list: &[Opnd]| {
        let list: Vec<String> = list.iter().map(|&o| opnd(o)).collect();
        list.join(" ")
    };
    let insn = &code.insns[pc.0 as usize];
    let mut out = match insn.dsts() {
        [] => String::new(),
        dsts => format!("{} = ", regs(code, dsts)),
    };
    match insn {
        Insn::Data { op, descr, .. } => {
            out += op.name();
            for arg in insn.operands() {
                out += " ";
                out += &opnd(arg);
            }
            out += &data_descr(&unit.descrs, *op, *descr);
        }
        Insn::Move { src, .. } => out += &opnd(*src),
        Insn::Promote { src, .. } => out += &format!("promote {}", opnd(*src)),
        Insn::Ask { question, src, .. } => out += &format!("{} {}", question.name(), opnd(*src)),
        Insn::Goto { target } => out += &format!("goto @{}", target.0),
        Insn::BranchFalse { cond, target } => {
            out += &format!("branch_false {} @{}", opnd(*cond), target.0);
        }
        Insn::Switch { value, table } => {
            let table = switch(code, *table, |key| key.to_string());
            out += &format!("switch {} {table}", opnd(*value));
        }
        Insn::ClassSwitch { value, table } => {
            let table = switch(code, *table, |key| match u32::try_from(key) {
                Ok(raw) if raw != u32::MAX => class(&unit.descrs, ClassId::from_u32(raw)),
                _ => "?".to_string(),
            });
            out += &format!("class_switch {} {table}", opnd(*value));
        }
        Insn::Call { target, args, .. } => {
            let (word, callee) = match *target {
                CallTarget::Code(c) => ("call", unit.codes.get(c).map(|c| name(&c.name))),
                CallTarget::Fn(f) => ("call_fn", unit.descrs.fns.get(f).map(|f| name(&f.name))),
            };
            let callee = callee.unwrap_or_else(|| "?".to_string());
            out += &format!("{word} {callee}({})", opnds(args));
        }
        Insn::Return { values } => {
            out += "return";
            for value in values {
                out += " ";
                out += &opnd(*value);
            }
        }
        Insn::Panic { kind, args } => {
            out += &format!("panic {}({})", kind.text(), opnds(args));
        }
        Insn::MergePoint { greens, reds } => {
            let (greens, reds) = (regs(code, greens), regs(code, reds));
            out += &format!("merge_point ({greens}) ({reds})");
        }
        Insn::LoopHeader => out += "loop_header",
    }
    out
}

fn data_descr(descrs: &Descrs, op: DataOp, raw: u32) -> String {
    match op.descr_kind() {
        DescrKind::None => String::new(),
        DescrKind::Field => {
            let field = FieldId::from_u32(raw);
            match descrs.fields.get(field) {
                Some(_) => format!(" {}", name(&descrs.field_name(field))),
                None => " ?".to_string(),
            }
        }
        DescrKind::Class | DescrKind::Array => {
            format!(" {}", class(descrs, ClassId::from_u32(raw)))
        }
    }
}

fn class(descrs: &Descrs, class: ClassId) -> String {
    let info = descrs.classes.get(class);
    info.map_or("?".to_string(), |info| name(&info.name))
}

fn switch(code: &JitCode, table: u16, key: impl Fn(i64) -> String) -> String {
    let Some(SwitchTable { cases, default }) = code.switches.get(usize::from(table)) else {
        return "[?]".to_string();
    };
    let mut out = String::from("[");
    for (value, target) in cases {
        let _ = write!(out, "{}: @{}, ", key(*value), target.0);
    }
    let _ = write!(out, "else @{}]", default.0);
    out
}

fn reg(code: &JitCode, r: Reg) -> String {
    let letter = code.regs.get(usize::from(r.0)).map_or('?', |t| t.letter());
    format!("{letter}{}", r.0)
}

fn regs(code: &JitCode, list: &[Reg]) -> String {
    let list: Vec<String> = list.iter().map(|&r| reg(code, r)).collect();
    list.join(" ")
}

fn operand(code: &JitCode, opnd: Opnd) -> String {
    match opnd {
        Opnd::Reg(r) => reg(code, r),
        Opnd::Const(c) => match code.consts.get(usize::from(c)) {
            Some(CodeConst::Int(v)) => v.to_string(),
            Some(CodeConst::Float(bits)) => float(*bits),
            Some(CodeConst::Null) => "null".to_string(),
            None => "?".to_string(),
        },
    }
}
