//! The colours of jitcode: for each result of an instruction its colours and its source.
//!
//! The report is about annotated graphs, jitcode comes from clean ones. So the clean graphs are
//! made a second time with operation numbers in place of lines, which the jitcode keeps; it must
//! equal the jitcode that the build script ships.

use crate::lower::lower;
use crate::translate::{build_graphs, collected, input, internal, on_big_stack};
use std::collections::BTreeMap;
use std::path::Path;
use verdigris_colours::{ColourRange, analyse};
use verdigris_front::tast::TypedProgram;
use verdigris_front::{Cfg, Diagnostics, check_configured};
use verdigris_graph::{Annotated, OpSource, build_numbered};
use verdigris_jitcode::{CodeId, Insn, Pc};
use verdigris_ops::Ty;

/// The colours of a result of an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownColours {
    /// Its colours.
    pub colours: ColourRange,
    /// The function, and the piece of source that the instruction comes from.
    pub place: String,
}

/// The colours of what the instructions of a crate give: by jitcode, instruction, and number of the
/// result. The root file of the crate is `root`, and it has these conditions of its own, as in
/// [`translate_configured`](crate::translate_configured). Words of values are left out, which are
/// never constants.
///
/// # Errors
/// With all diagnostics of the stages before.
pub fn colour_code(
    root: &Path,
    cfgs: &[(&str, Cfg)],
) -> Result<BTreeMap<(CodeId, Pc, usize), ShownColours>, Diagnostics> {
    let program = check_configured(root, cfgs)?;
    let files = program.files.clone();
    on_big_stack(files, move || {
        let (program, built) = build_graphs(program)?;
        let colours = analyse(input(&program, &built)).results();
        let (numbered, origins) = match build_numbered(&program) {
            Ok(numbered) => numbered,
            Err(list) => return Err(collected(program.files, list)),
        };
        let (shipped, numbered) = (lower(&built.program), lower(&numbered));
        let mut shown = BTreeMap::new();
        for (id, code) in numbered.codes.iter() {
            if code.insns != shipped.codes[id].insns {
                let what = format!("the numbers of operations have changed `{}`", code.name);
                return Err(internal(program.files, &what));
            }
            for (n, insn) in code.insns.iter().enumerate() {
                let number = (code.lines[n] as usize).checked_sub(1);
                let Some(origin) = number.map(|number| &origins[number]) else {
                    continue;
                };
                let results = insn.dsts().iter().zip(&origin.dsts);
                for (result, (dst, &value)) in results.enumerate() {
                    let colours = colours.get(&(origin.func, value));
                    let colours = colours.filter(|_| code.regs[usize::from(dst.0)] != Ty::Word);
                    if let Some(&colours) = colours {
                        let place = place(&program, &built.annotated[origin.func], origin, insn);
                        let key = (id, Pc(n as u32), result);
                        shown.insert(key, ShownColours { colours, place });
                    }
                }
            }
        }
        Ok(shown)
    })
}

/// The operation of an instruction and its source, for people.
fn place(source: &TypedProgram, annotated: &Annotated, origin: &OpSource, insn: &Insn) -> String {
    let does = match insn {
        Insn::Data { op, .. } => op.name(),
        Insn::Call { .. } => "call",
        Insn::Promote { .. } => "promote",
        Insn::Ask { question, .. } => question.name(),
        _ => "move",
    };
    let spans = &annotated.notes.ops[origin.block];
    let text = spans.get(origin.op).and_then(|span| {
        let text = &source.files.get(span.file)?.text;
        text.get(span.lo as usize..span.hi as usize)
    });
    let words: Vec<&str> = text.unwrap_or("?").split_whitespace().collect();
    let func = &source.funcs[origin.func].name;
    format!("{func}: `{}` ({does})", words.join(" "))
}
