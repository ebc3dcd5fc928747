//! The verifier of jitcode: what passes can be executed without checks of types, indices or
//! liveness, and its text parses back to it.

use crate::code::{CallTarget, CodeId, Insn, JitCode, Opnd, Pc, Question, Reg, SwitchTable};
use crate::flow::liveness;
use crate::text::print_insn;
use crate::unit::Unit;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::Hash;
use verdigris_ops::{
    ClassId, ClassKind, DataOp, DescrKind, Descrs, Effects, FieldId, FnKind, MAX_RESULTS, Places,
    Ty,
};

/// An error in a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JitCodeVerifyError {
    /// The code's name; empty if it is the unit as a whole.
    pub code: String,
    /// The instruction, if it is one.
    pub pc: Option<Pc>,
    /// The message.
    pub message: String,
}

impl fmt::Display for JitCodeVerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.code.is_empty() {
            write!(f, "{}: ", self.code)?;
        }
        if let Some(pc) = self.pc {
            write!(f, "@{}: ", pc.0)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for JitCodeVerifyError {}

type Check = Result<(), String>;

/// Checks a unit.
///
/// # Errors
/// With the first violation.
pub fn verify(unit: &Unit) -> Result<(), JitCodeVerifyError> {
    let whole = |message| JitCodeVerifyError {
        code: String::new(),
        pc: None,
        message,
    };
    let in_code = |code: &JitCode, pc, message| JitCodeVerifyError {
        code: code.name.clone(),
        pc,
        message,
    };
    descrs(&unit.descrs).map_err(whole)?;
    portal(unit).map_err(whole)?;
    // All of them first: a call looks at the registers of what it calls.
    for code in unit.codes.values() {
        tables(code).map_err(|m| in_code(code, None, m))?;
    }
    for (id, code) in unit.codes.iter() {
        let at = |pc, message| in_code(code, pc, message);
        for (pc, insn) in code.insns.iter().enumerate() {
            let pc = Pc(pc as u32);
            check_insn(unit, id, pc, insn).map_err(|message| {
                let text = print_insn(code, unit, pc);
                at(Some(pc), format!("{message} in `{text}`"))
            })?;
        }
        check_order(code).map_err(|m| at(None, m))?;
        check_liveness(code).map_err(|(pc, m)| at(pc, m))?;
    }
    Ok(())
}

fn ensure(ok: bool, message: impl FnOnce() -> String) -> Check {
    if ok { Ok(()) } else { Err(message()) }
}

fn distinct<T: Hash + Eq>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = FxHashSet::default();
    items.into_iter().all(|item| seen.insert(item))
}

fn descrs(descrs: &Descrs) -> Check {
    let mut next = 0;
    for (id, class) in &descrs.classes {
        if let ClassKind::Struct { fields } = &class.kind {
            for &field in fields {
                ensure(field.index() == next, || {
                    format!("the fields of {} are not numbered in order", class.name)
                })?;
                ensure(
                    descrs.fields.get(field).is_some_and(|f| f.class == id),
                    || format!("{} has a field of another class", class.name),
                )?;
                next += 1;
            }
        }
    }
    ensure(next == descrs.fields.len(), || {
        "a field is not in the list of its class".to_string()
    })?;
    components(descrs)?;
    ensure(descrs.has_found_parts(), || {
        "the words of a value are not those that its names say".to_string()
    })?;
    for info in descrs.fns.values() {
        let Effects {
            reads,
            writes,
            suspects,
        } = &info.effects;
        ensure(
            [reads, writes, suspects]
                .into_iter()
                .all(|p| exist(descrs, p)),
            || format!("the effects of {} name what does not exist", info.name),
        )?;
    }
    ensure(distinct(descrs.classes.values().map(|c| &c.name)), || {
        "two classes have one name".to_string()
    })?;
    ensure(distinct(descrs.fns.values().map(|f| &f.name)), || {
        "two functions have one name".to_string()
    })
}

/// Whether all places of a set exist.
fn exist(descrs: &Descrs, places: &Places) -> bool {
    let Places::Of { fields, items } = places else {
        return true;
    };
    let is_array = |class: &ClassId| {
        let kind = descrs.classes.get(*class).map(|c| &c.kind);
        matches!(kind, Some(ClassKind::Array { .. }))
    };
    fields.iter().all(|&f| descrs.fields.get(f).is_some()) && items.iter().all(is_array)
}

/// A component's tag is an integer that lies in front of it in the same object.
fn components(descrs: &Descrs) -> Check {
    for (&field, by) in &descrs.used_fields {
        let pair = (descrs.fields.get(field), descrs.fields.get(by.tag));
        let fits = matches!(pair, (Some(field), Some(tag)) if field.class == tag.class);
        ensure(
            fits && by.tag < field && descrs.fields[by.tag].ty == Ty::Int,
            || format!("the tag of field {} is not one", field.index()),
        )?;
    }
    for (&class, by) in &descrs.used_items {
        let tag = descrs.classes.get(by.tag).map(|c| &c.kind);
        let is_int = matches!(tag, Some(ClassKind::Array { item: Ty::Int, .. }));
        let is_array = matches!(
            descrs.classes.get(class).map(|c| &c.kind),
            Some(ClassKind::Array { .. })
        );
        ensure(is_int && is_array && by.tag < class, || {
            format!("the tag of the items of class {} is not one", class.index())
        })?;
    }
    Ok(())
}

fn portal(unit: &Unit) -> Check {
    ensure(distinct(unit.codes.values().map(|c| &c.name)), || {
        "two codes have one name".to_string()
    })?;
    for (object, classes) in &unit.objects {
        let known = |c: &ClassId| unit.descrs.classes.get(*c).is_some();
        ensure(classes.iter().all(known), || {
            format!("object {object} has an unknown class")
        })?;
    }
    let insn = unit
        .codes
        .get(unit.portal)
        .and_then(|code| code.insns.get(unit.merge_point.0 as usize));
    let Some(Insn::MergePoint { greens, .. }) = insn else {
        return Err(format!(
            "the portal has no merge point @{}",
            unit.merge_point.0
        ));
    };
    // Whether the registers exist is asked with the instruction.
    let regs = &unit.portal().regs;
    let types: Vec<_> = greens
        .iter()
        .filter_map(|reg| regs.get(usize::from(reg.0)).copied())
        .collect();
    for (policy, function) in unit.descrs.policies.iter() {
        let fits = unit.descrs.fns.get(function).is_some_and(|f| {
            let called = matches!(
                f.kind,
                FnKind::Opaque | FnKind::Conditional | FnKind::Elidable | FnKind::Readonly
            );
            called && f.params == types && f.ret == [Ty::Int]
        });
        ensure(fits, || {
            format!("policy {policy} does not take the greens, or does not return an integer")
        })?;
    }
    Ok(())
}

fn tables(code: &JitCode) -> Check {
    ensure(code.regs.len() <= usize::from(u16::MAX), || {
        "there are too many registers".to_string()
    })?;
    let exists = |r: &Reg| usize::from(r.0) < code.regs.len();
    ensure(
        code.params.iter().all(exists) && distinct(&code.params),
        || "the parameters are not distinct registers".to_string(),
    )?;
    ensure(distinct(&code.consts), || {
        "a constant is there twice".to_string()
    })?;
    let count = code.insns.len();
    ensure(
        code.live.len() == count && code.lines.len() == count,
        || "live sets and lines are not one per instruction".to_string(),
    )?;
    ensure(
        code.insns.last().is_some_and(|i| !i.falls_through()),
        || "execution runs off the end".to_string(),
    )?;
    for SwitchTable { cases, .. } in &code.switches {
        ensure(cases.is_sorted_by(|a, b| a.0 < b.0), || {
            "the keys of a switch are not sorted".to_string()
        })?;
    }
    Ok(())
}

/// Constants and switch tables stand in the order of their first use, which the text form relies
/// on.
fn check_order(code: &JitCode) -> Check {
    let (mut consts, mut switches) = (0, 0);
    for insn in &code.insns {
        for opnd in insn.operands() {
            if let Opnd::Const(c) = opnd {
                let c = usize::from(c);
                ensure(c <= consts, || "constants are out of order".to_string())?;
                consts = consts.max(c + 1);
            }
        }
        if let Insn::Switch { table, .. } | Insn::ClassSwitch { table, .. } = insn {
            ensure(usize::from(*table) == switches, || {
                "switch tables are out of order or shared".to_string()
            })?;
            switches += 1;
        }
    }
    ensure(
        consts == code.consts.len() && switches == code.switches.len(),
        || "a constant or a switch table is not used".to_string(),
    )
}

fn check_liveness(code: &JitCode) -> Result<(), (Option<Pc>, String)> {
    let list = |regs: &[Reg]| {
        let names = regs.iter().map(|r| {
            let ty = code.regs[usize::from(r.0)];
            format!("{}{}", ty.letter(), r.0)
        });
        names.collect::<Vec<_>>().join(" ")
    };
    let live = liveness(code);
    for (pc, (want, got)) in live.iter().zip(&code.live).enumerate() {
        if want != got {
            let message = format!("live are {{{}}}, not the ones recorded", list(want));
            return Err((Some(Pc(pc as u32)), message));
        }
    }
    let undefined: Vec<Reg> = live[0]
        .iter()
        .filter(|r| !code.params.contains(r))
        .copied()
        .collect();
    if !undefined.is_empty() {
        let message = format!("{} can be read before being written", list(&undefined));
        return Err((None, message));
    }
    for (pc, insn) in code.insns.iter().enumerate() {
        if let Insn::MergePoint { greens, reds } = insn {
            let behind = &live[pc + 1];
            let listed = |r: &&Reg| greens.contains(r) || reds.contains(r);
            let missing: Vec<Reg> = behind.iter().filter(|r| !listed(r)).copied().collect();
            if !missing.is_empty() {
                let message = format!(
                    "{} live behind the merge point but not in it",
                    list(&missing)
                );
                return Err((Some(Pc(pc as u32)), message));
            }
        }
    }
    Ok(())
}

fn check_insn(unit: &Unit, id: CodeId, pc: Pc, insn: &Insn) -> Check {
    let code = &unit.codes[id];
    for opnd in insn.operands() {
        let exists = match opnd {
            Opnd::Reg(r) => usize::from(r.0) < code.regs.len(),
            Opnd::Const(c) => usize::from(c) < code.consts.len(),
        };
        ensure(exists, || "an operand does not exist".to_string())?;
    }
    let exists = |r: &Reg| usize::from(r.0) < code.regs.len();
    ensure(insn.dsts().iter().all(exists), || {
        "a destination does not exist".to_string()
    })?;
    ensure(distinct(insn.dsts()), || {
        "a register is a destination twice".to_string()
    })?;
    let in_range = |t: Pc| (t.0 as usize) < code.insns.len();
    ensure(insn.targets(code).all(in_range), || {
        "a target does not exist".to_string()
    })?;
    match insn {
        Insn::Data { op, descr, dst, .. } => {
            wants(code, insn, op.params())?;
            results(code, dst.as_slice(), op.ret().as_slice())?;
            data_descr(&unit.descrs, *op, *descr)
        }
        Insn::Move { dst, src } | Insn::Promote { dst, src } => {
            results(code, &[*dst], &[code.ty(*src)])
        }
        Insn::Ask { dst, question, src } => {
            if *question == Question::IsVirtual {
                ensure(code.ty(*src) == Ty::Ref, || {
                    "only objects can be virtual".to_string()
                })?;
            }
            results(code, &[*dst], &[Ty::Int])
        }
        Insn::Goto { .. } => Ok(()),
        Insn::BranchFalse { .. } => wants(code, insn, &[Ty::Int]),
        Insn::Switch { table, .. } => {
            wants(code, insn, &[Ty::Int])?;
            switch_table(code, *table).map(|_| ())
        }
        Insn::ClassSwitch { table, .. } => {
            wants(code, insn, &[Ty::Ref])?;
            let classes = unit.descrs.classes.len() as i64;
            let table = switch_table(code, *table)?;
            let known = table.cases.iter().all(|c| (0..classes).contains(&c.0));
            ensure(known, || "a class does not exist".to_string())
        }
        Insn::Call { target, dsts, .. } => {
            let (params, ret) = signature(unit, *target)?;
            wants(code, insn, &params)?;
            results(code, dsts, &ret)
        }
        Insn::Return { .. } => {
            let portal = id == unit.portal;
            ensure(!portal || code.ret.len() <= MAX_RESULTS, || {
                "the portal has too many results".to_string()
            })?;
            wants(code, insn, &code.ret)
        }
        Insn::Panic { kind, .. } => wants(code, insn, &vec![Ty::Int; kind.arity()]),
        Insn::MergePoint { greens, reds } => {
            ensure(id == unit.portal && pc == unit.merge_point, || {
                "there is a merge point that is not the portal's".to_string()
            })?;
            ensure(distinct(greens.iter().chain(reds)), || {
                "a register is in the merge point twice".to_string()
            })
        }
        Insn::LoopHeader => ensure(id == unit.portal, || {
            "there is a loop header outside the portal".to_string()
        }),
    }
}

fn wants(code: &JitCode, insn: &Insn, types: &[Ty]) -> Check {
    let found: Vec<Ty> = insn.operands().map(|o| code.ty(o)).collect();
    ensure(found == types, || {
        format!("the operands are {found:?}, not {types:?}")
    })
}

fn results(code: &JitCode, dsts: &[Reg], types: &[Ty]) -> Check {
    let found = dsts.iter().map(|r| code.regs[usize::from(r.0)]);
    let found: Vec<Ty> = found.collect();
    ensure(found == types, || {
        format!("the destinations are {found:?}, not {types:?}")
    })
}

fn switch_table(code: &JitCode, table: u16) -> Result<&SwitchTable, String> {
    let table = code.switches.get(usize::from(table));
    table.ok_or_else(|| "the switch table does not exist".to_string())
}

fn signature(unit: &Unit, target: CallTarget) -> Result<(Vec<Ty>, Vec<Ty>), String> {
    let found = match target {
        CallTarget::Code(id) => unit.codes.get(id).map(|callee| {
            let params = callee.params.iter().map(|&p| callee.ty(Opnd::Reg(p)));
            (params.collect(), callee.ret.clone())
        }),
        CallTarget::Fn(id) => {
            let info = unit.descrs.fns.get(id);
            info.map(|info| (info.params.clone(), info.ret.clone()))
        }
    };
    found.ok_or_else(|| "the callee does not exist".to_string())
}

fn data_descr(descrs: &Descrs, op: DataOp, raw: u32) -> Check {
    // What the operation loads, stores or fills with: its result, or else its last parameter.
    let carried = op.ret().filter(|_| !op.name().starts_with("new"));
    let carried = carried.or(op.params().last().copied());
    let right = match op.descr_kind() {
        DescrKind::None => raw == 0,
        DescrKind::Field => descrs
            .fields
            .get(FieldId::from_u32(raw))
            .is_some_and(|f| op == DataOp::Invalidate || Some(f.ty) == carried),
        DescrKind::Class => matches!(
            descrs.classes.get(ClassId::from_u32(raw)).map(|c| &c.kind),
            Some(ClassKind::Struct { .. })
        ),
        DescrKind::Array => match descrs.classes.get(ClassId::from_u32(raw)).map(|c| &c.kind) {
            Some(ClassKind::Array { item, .. }) => {
                matches!(op, DataOp::ArrayLen | DataOp::NewArray) || Some(*item) == carried
            }
            _ => false,
        },
    };
    ensure(right, || {
        "the descriptor does not fit the operation".to_string()
    })
}
