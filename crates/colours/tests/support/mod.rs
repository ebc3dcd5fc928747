//! Small interpreters, their coloured source and their diagnostics.

use cranelift_entity::PrimaryMap;
use verdigris_colours::{ColourInput, ColourReport, analyse, findings};
use verdigris_front::tast::FuncId;
use verdigris_front::{Diagnostics, check_source};
use verdigris_graph::Annotated;

/// The coloured source and the complaints.
pub fn colour(source: &str) -> (ColourReport, Diagnostics) {
    colour_changed(source, |_| {})
}

/// The same, with a change to the graphs.
pub fn colour_changed(
    source: &str,
    change: impl FnOnce(&mut PrimaryMap<FuncId, Annotated>),
) -> (ColourReport, Diagnostics) {
    let program = check_source(&[("main.rs", source)]).unwrap_or_else(|e| panic!("{e}"));
    let built = verdigris_graph::build_annotated(&program);
    let Ok(mut built) = built else {
        panic!("the graphs cannot be built");
    };
    change(&mut built.annotated);
    let analysis = analyse(ColourInput {
        source: &program,
        descrs: &built.program.descrs,
        graphs: &built.annotated,
    });
    let mut diagnostics = Diagnostics::new(program.files.clone());
    findings(&analysis)
        .into_iter()
        .for_each(|d| diagnostics.push(d));
    (ColourReport::new(&analysis), diagnostics)
}
