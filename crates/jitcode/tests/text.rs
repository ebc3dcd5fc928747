//! The text form: what it looks like, that it round-trips, and how mistakes are reported.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use verdigris_jitcode::{
    CallTarget, CodeConst, CodeId, Insn, JitCode, Opnd, Pc, Question, Reg, SwitchTable, Unit,
    liveness, parse, print_unit, verify,
};
use verdigris_ops::{ClassId, DataOp, DescrKind, FieldId, FnId, PanicKind, Ty};

const HAND_WRITTEN: &str = r#"
    class Program { code: ref }
    class Int { value: int }
    class GcArray<u8> [int]
    object Obj [Int, Program]
    fn fail(int) -> int opaque

    code run(i0 r1 i2) -> int in "src/main.rs" {
      loop: merge_point (i0 r1) (i2) #14
      r3 = getfield_r r1 Program.code
      i4 = arraylen r3 GcArray<u8>
      i5 = uint_lt i0 i4
      branch_false i5 @bounds
      i4 = getitem_i r3 i0 GcArray<u8>
      i0 = int_add i0 1
      switch i4 [1: @zero, 0: @loop, else @done]
    zero:
      i0 = 0
      loop_header
      goto @loop
    done:
      i2 = call helper(i2, r1)
      i2 = call_fn fail(i2)
      return i2
    bounds: panic index_out_of_bounds(i0, i4)
    }
    code helper(i0 r1) -> int {
      i0 = promote i0
      class_switch r1 [Int: @a, else @b]
      a: return 7
      b: panic "no \"such\" class"()
    }
    portal run @0
"#;

fn check(text: &str, expect: Expect) {
    let unit = parse(text).expect("parses");
    verify(&unit).expect("verifies");
    let printed = print_unit(&unit);
    expect.assert_eq(&printed);
    assert_eq!(parse(&printed).expect("parses again"), unit);
    assert_eq!(
        Unit::from_bytes(&unit.to_bytes()).expect("deserialises"),
        unit
    );
}

#[test]
fn hand_written_text_becomes_canonical() {
    check(
        HAND_WRITTEN,
        expect![[r#"
        class Program { code: ref }
        class Int { value: int }
        class GcArray<u8> [int]
        fn fail(int) -> int opaque
        object Obj [Int, Program]
        code run(i0 r1 i2) -> int in "src/main.rs" {
          regs i0 r1 i2 r3 i4 i5
            0: merge_point (i0 r1) (i2)                 {i0 r1 i2} #14
            1: r3 = getfield_r r1 Program.code          {i0 r1 i2}
            2: i4 = arraylen r3 GcArray<u8>             {i0 r1 i2 r3}
            3: i5 = uint_lt i0 i4                       {i0 r1 i2 r3 i4}
            4: branch_false i5 @14                      {i0 r1 i2 r3 i4 i5}
            5: i4 = getitem_i r3 i0 GcArray<u8>         {i0 r1 i2 r3}
            6: i0 = int_add i0 1                        {i0 r1 i2 i4}
            7: switch i4 [0: @0, 1: @8, else @11]       {i0 r1 i2 i4}
            8: i0 = 0                                   {r1 i2}
            9: loop_header                              {i0 r1 i2}
           10: goto @0                                  {i0 r1 i2}
           11: i2 = call helper(i2 r1)                  {r1 i2}
           12: i2 = call_fn fail(i2)                    {i2}
           13: return i2                                {i2}
           14: panic index_out_of_bounds(i0 i4)         {i0 i4}
        }
        code helper(i0 r1) -> int {
          regs i0 r1
            0: i0 = promote i0                          {i0 r1}
            1: class_switch r1 [Int: @2, else @3]       {r1}
            2: return 7                                 {}
            3: panic "no \"such\" class"()              {}
        }
        portal run @0
    "#]],
    );
}

#[test]
fn mistakes_name_their_line() {
    let message = |text: &str| parse(text).expect_err("refused").to_string();
    let code = |body: &str| message(&format!("code f(i0) {{\n{body}\nreturn\n}}\nportal f @0"));
    expect!["line 2: `int_ad` is no instruction"].assert_eq(&code("int_ad i0 1"));
    expect!["line 2: `r0` was `i0` before"].assert_eq(&code("i0 = ptr_eq r0 null"));
    expect!["line 2: there is no label `away`"].assert_eq(&code("goto @away"));
    expect!["line 2: there is no class `A`"].assert_eq(&code("r1 = new A"));
    expect!["line 2: this is instruction 0, not 1"].assert_eq(&code("1: loop_header"));
    expect!["line 2: there is no code `g`"].assert_eq(&code("call g()"));
    expect!["line 2: expected the end of the line, found `3`"].assert_eq(&code("i0 = 1 3"));
    expect!["line 1: there is no `portal` line"].assert_eq(&message("fn f() opaque"));
}

/// The choices for one instruction.
type Seed = (u8, Vec<u16>, Option<i64>, bool);

struct Gen<'a> {
    unit: &'a Unit,
    regs: Vec<Ty>,
    consts: Vec<CodeConst>,
    switches: Vec<SwitchTable>,
    count: u32,
}

impl Gen<'_> {
    fn reg(&self, n: u16) -> Reg {
        Reg(n % self.regs.len() as u16)
    }

    fn opnd(&mut self, n: u16, constant: Option<i64>) -> Opnd {
        let Some(value) = constant else {
            return Opnd::Reg(self.reg(n));
        };
        let constant = match n % 3 {
            0 => CodeConst::Int(value),
            1 => CodeConst::Float(value as u64),
            _ => CodeConst::Null,
        };
        let known = self.consts.iter().position(|c| *c == constant);
        Opnd::Const(known.unwrap_or_else(|| {
            self.consts.push(constant);
            self.consts.len() - 1
        }) as u16)
    }

    fn pc(&self, n: u16) -> Pc {
        Pc(u32::from(n) % self.count)
    }

    fn table(&mut self, ns: &[u16], classes: bool) -> u16 {
        let mut cases: Vec<(i64, Pc)> = ns
            .iter()
            .map(|&n| (i64::from(n % if classes { 3 } else { 50 }), self.pc(n)))
            .collect();
        cases.sort();
        cases.dedup_by_key(|c| c.0);
        let default = self.pc(ns[0]);
        self.switches.push(SwitchTable { cases, default });
        self.switches.len() as u16 - 1
    }

    fn insn(&mut self, (kind, ns, constant, flag): &Seed) -> Insn {
        let (n, constant) = (ns[0], *constant);
        match kind % 16 {
            0..=4 => {
                let op = DataOp::ALL[usize::from(ns[1]) % DataOp::ALL.len()];
                let count = op.params().len();
                let args: Vec<Opnd> = (0..count).map(|i| self.opnd(ns[i], constant)).collect();
                let descr = match op.descr_kind() {
                    DescrKind::None => 0,
                    DescrKind::Field => u32::from(n) % self.unit.descrs.fields.len() as u32,
                    _ => u32::from(n) % self.unit.descrs.classes.len() as u32,
                };
                Insn::data(op, &args, descr, flag.then(|| self.reg(n)))
            }
            5 if *flag => Insn::Ask {
                dst: self.reg(ns[1]),
                question: match n % 2 {
                    0 => Question::IsConstant,
                    _ => Question::IsVirtual,
                },
                src: self.opnd(n, constant),
            },
            5 => Insn::Move {
                dst: self.reg(ns[1]),
                src: self.opnd(n, constant),
            },
            6 => Insn::Promote {
                dst: self.reg(ns[1]),
                src: self.opnd(n, constant),
            },
            7 => Insn::Goto { target: self.pc(n) },
            8 => Insn::BranchFalse {
                cond: self.opnd(n, constant),
                target: self.pc(ns[1]),
            },
            9 => Insn::Switch {
                value: self.opnd(n, constant),
                table: self.table(ns, false),
            },
            10 => Insn::ClassSwitch {
                value: self.opnd(n, constant),
                table: self.table(ns, true),
            },
            11 => {
                let args = ns.iter().map(|&n| self.opnd(n, constant)).collect();
                let target = match flag {
                    true => CallTarget::Code(CodeId::from_u32(u32::from(n) % 2)),
                    false => CallTarget::Fn(FnId::from_u32(0)),
                };
                let dsts = (0..n % 3).map(|more| self.reg(n + more)).collect();
                Insn::Call { target, args, dsts }
            }
            12 => Insn::Return {
                values: ns
                    .iter()
                    .filter(|_| *flag)
                    .map(|&n| self.opnd(n, constant))
                    .collect(),
            },
            13 => {
                let args = ns.iter().map(|&n| self.opnd(n, constant)).collect();
                let kind = match flag {
                    true => PanicKind::Message(format!("{constant:?} \"\\\n")),
                    false => PanicKind::RemainderOverflow,
                };
                Insn::Panic { kind, args }
            }
            14 => Insn::MergePoint {
                greens: ns.iter().map(|&n| self.reg(n)).collect(),
                reds: Vec::new(),
            },
            _ => Insn::LoopHeader,
        }
    }
}

fn generate(unit: &Unit, regs: &[u8], seeds: &[Seed]) -> JitCode {
    let types = regs
        .iter()
        .map(|n| [Ty::Int, Ty::Ref, Ty::Float][usize::from(n % 3)]);
    let mut generator = Gen {
        unit,
        regs: types.collect(),
        consts: Vec::new(),
        switches: Vec::new(),
        count: seeds.len() as u32,
    };
    let insns: Vec<Insn> = seeds.iter().map(|s| generator.insn(s)).collect();
    let mut code = JitCode {
        name: "f<A, (B)> x".to_string(),
        params: vec![Reg(0)],
        ret: regs
            .iter()
            .take(seeds.len() % 3)
            .map(|_| Ty::Float)
            .collect(),
        regs: generator.regs,
        consts: generator.consts,
        switches: generator.switches,
        live: Vec::new(),
        lines: seeds.iter().map(|s| u32::from(s.1[0])).collect(),
        file: "src/\"a\".rs".to_string(),
        insns,
    };
    code.live = liveness(&code);
    code
}

proptest! {
    #[test]
    fn parse_reads_what_print_wrote(
        regs in prop::collection::vec(any::<u8>(), 1..20),
        seeds in prop::collection::vec(
            (any::<u8>(), prop::collection::vec(any::<u16>(), 3..6), any::<Option<i64>>(), any::<bool>()),
            1..40,
        ),
    ) {
        let mut unit = parse(HAND_WRITTEN).expect("parses");
        let code = generate(&unit, &regs, &seeds);
        unit.codes.push(code);
        let printed = print_unit(&unit);
        let again = parse(&printed).map_err(|e| TestCaseError::fail(format!("{e}\n{printed}")))?;
        prop_assert_eq!(again, unit, "{}", printed);
    }
}

#[test]
fn ids_in_text_are_names() {
    let unit = parse(HAND_WRITTEN).expect("parses");
    let program = unit.descrs.class_by_name("Program").expect("known");
    assert_eq!(program, ClassId::from_u32(0));
    let field = unit.descrs.field_by_name("Program.code").expect("known");
    assert_eq!(field, FieldId::from_u32(0));
}
