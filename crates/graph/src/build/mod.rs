//! Builds clean, canonical flow graphs from the typed program.
//!
//! SSA form is made while the tree is walked (Braun et al., "Simple and efficient construction of
//! static single assignment form"); needless parameters are removed by the clean-ups.

mod aggregate;
mod arith;
mod cast;
mod expr;
mod matches;
mod note;
mod place;
mod rows;
mod slots;
mod ssa;
mod view;

use crate::clean::clean;
use crate::ir::{BlockId, Graph, GraphDescr, GraphProgram, Pos, ValueId};
use crate::source::Annotated;
use cranelift_entity::{PrimaryMap, SecondaryMap};
use ssa::Builder;
use verdigris_front::tast::{self, FuncId};
use verdigris_front::{DiagCode, Diagnostic};
use verdigris_ops::{ClassKind, Descrs, FieldId, UsedBy};

/// Builds the graphs of everything reachable from the portal.
///
/// # Errors
/// With everything in the source that the graphs cannot express.
///
/// # Panics
/// If a graph does not pass the verifier, which is a bug in this crate.
pub fn build(source: &tast::TypedProgram) -> Result<GraphProgram, Vec<Diagnostic>> {
    build_annotated(source).map(|built| built.program)
}

/// The graphs of a typed program.
pub struct Built {
    /// The clean graphs.
    pub program: GraphProgram,
    /// The graph of every function of the typed program, with its number there.
    pub annotated: PrimaryMap<FuncId, Annotated>,
}

/// Builds the graphs of everything reachable from the portal, and keeps what they know of their
/// source.
///
/// # Errors
/// As [`build`].
///
/// # Panics
/// As [`build`].
pub fn build_annotated(source: &tast::TypedProgram) -> Result<Built, Vec<Diagnostic>> {
    build_marked(source, |_, _| {})
}

/// An operation of the graph that a function of the typed program has in [`Built::annotated`].
#[derive(Clone, Debug)]
pub struct OpSource {
    /// The function.
    pub func: FuncId,
    /// The block.
    pub block: BlockId,
    /// The number of the operation in the block.
    pub op: usize,
    /// Its results.
    pub dsts: Vec<ValueId>,
}

/// Builds the same graphs, but in the clean ones each operation has, in place of its line, the
/// number of where it comes from, from 1; blocks have no line.
///
/// # Errors
/// As [`build`].
///
/// # Panics
/// As [`build`].
pub fn build_numbered(
    source: &tast::TypedProgram,
) -> Result<(GraphProgram, Vec<OpSource>), Vec<Diagnostic>> {
    let mut origins = Vec::new();
    let built = build_marked(source, |func, graph| {
        for (id, block) in &mut graph.blocks {
            block.pos = Pos::default();
            for (n, op) in block.ops.iter_mut().enumerate() {
                origins.push(OpSource {
                    func,
                    block: id,
                    op: n,
                    dsts: op.dsts.to_vec(),
                });
                op.pos.line = origins.len() as u32;
            }
        }
    })?;
    Ok((built.program, origins))
}

/// Builds graphs, and changes them before they are cleaned, but not the annotated ones.
fn build_marked(
    source: &tast::TypedProgram,
    mut mark: impl FnMut(FuncId, &mut Graph),
) -> Result<Built, Vec<Diagnostic>> {
    let lines = place::Lines::new(source);
    let mut errors = Vec::new();
    let (descrs, fields) = number_fields(&source.descrs);
    let mut program = GraphProgram {
        descrs,
        objects: Vec::new(),
        graphs: PrimaryMap::new(),
        portal: source.portal,
    };
    for object in source.objects.values() {
        let classes = object.variants.iter().map(|v| v.1).collect();
        program.objects.push((object.name.clone(), classes));
    }
    let mut annotated = PrimaryMap::new();
    for (id, func) in &source.funcs {
        let (mut graph, notes) = Builder::new(source, &lines, func, &mut errors).build();
        rename_fields(&mut graph, &fields);
        annotated.push(Annotated::new(graph.clone(), notes));
        mark(id, &mut graph);
        clean(&mut graph);
        if id == source.portal && graph.merge_point().is_none() {
            let complaint = Diagnostic::new(DiagCode::NoMergePoint, func.span, &[&func.name]);
            errors.push(complaint.note("there is one in the source, but it cannot be reached"));
        }
        program.graphs.push(graph.canonical());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    prune(&mut program);
    if let Err(error) = crate::verify(&program) {
        panic!("the graph builder made a wrong graph: {error}");
    }
    Ok(Built { program, annotated })
}

/// The descriptors with fields numbered class by class, and the new number of every field.
fn number_fields(old: &Descrs) -> (Descrs, SecondaryMap<FieldId, FieldId>) {
    let mut descrs = old.clone();
    let mut renamed = SecondaryMap::with_default(FieldId::from_u32(0));
    descrs.fields.clear();
    for class in descrs.classes.values_mut() {
        if let ClassKind::Struct { fields } = &mut class.kind {
            for field in fields {
                let new = descrs.fields.push(old.fields[*field].clone());
                renamed[*field] = new;
                *field = new;
            }
        }
    }
    let used = old.used_fields.iter().map(|(field, by)| {
        let (tag, tags) = (renamed[by.tag], by.tags);
        (renamed[*field], UsedBy { tag, tags })
    });
    descrs.used_fields = used.collect();
    descrs.find_parts();
    for info in descrs.fns.values_mut() {
        info.effects.reads.renumber(|f| renamed[f]);
        info.effects.writes.renumber(|f| renamed[f]);
        info.effects.suspects.renumber(|f| renamed[f]);
    }
    (descrs, renamed)
}

fn rename_fields(graph: &mut Graph, renamed: &SecondaryMap<FieldId, FieldId>) {
    each_descr(graph, |descr| {
        if let GraphDescr::Field(id) = descr {
            *id = renamed[*id];
        }
    });
}

fn each_descr(graph: &mut Graph, mut f: impl FnMut(&mut GraphDescr)) {
    for block in graph.blocks.values_mut() {
        block.ops.iter_mut().for_each(|op| f(&mut op.descr));
    }
}

/// Drops the graphs that are no longer called.
fn prune(program: &mut GraphProgram) {
    let mut reached: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut work = vec![program.portal];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut reached[id], true) {
            continue;
        }
        work.extend(callees(&program.graphs[id]));
    }
    let mut renamed: SecondaryMap<FuncId, Option<FuncId>> = SecondaryMap::new();
    let mut kept = PrimaryMap::new();
    for (id, graph) in std::mem::take(&mut program.graphs) {
        if reached[id] {
            renamed[id] = Some(kept.push(graph));
        }
    }
    let rename = |id: FuncId| renamed[id].expect("called graphs are kept");
    for graph in kept.values_mut() {
        each_descr(graph, |descr| {
            if let GraphDescr::Graph(id) = descr {
                *id = rename(*id);
            }
        });
    }
    program.portal = rename(program.portal);
    program.graphs = kept;
}

fn callees(graph: &Graph) -> Vec<FuncId> {
    let ops = graph.blocks.values().flat_map(|b| &b.ops);
    let graphs = ops.filter_map(|op| match op.descr {
        GraphDescr::Graph(id) => Some(id),
        _ => None,
    });
    graphs.collect()
}
