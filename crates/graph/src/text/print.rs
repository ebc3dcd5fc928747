//! Prints graphs.

use crate::ir::{
    BlockId, Graph, GraphConst, GraphDescr, GraphOp, GraphProgram, Pos, Target, Term, Val,
};
use std::fmt::Write;
use verdigris_ops::text::{float, name, result_types};

/// Prints a whole program.
pub fn print_program(program: &GraphProgram) -> String {
    let mut out = program.descrs.print();
    for (object, classes) in &program.objects {
        out += &program.descrs.print_object(object, classes);
    }
    for graph in program.graphs.values() {
        out.push_str(&print(program, graph));
    }
    let portal = &program.graphs[program.portal].name;
    let _ = writeln!(out, "portal {}", name(portal));
    out
}

/// Prints one graph, its blocks in their order.
pub fn print(program: &GraphProgram, graph: &Graph) -> String {
    let mut out = format!("graph {}", name(&graph.name));
    out += &result_types(&graph.ret);
    if !graph.file.is_empty() {
        let _ = write!(out, " in {:?}", graph.file);
    }
    out.push_str(" {\n");
    for (id, block) in &graph.blocks {
        let params: Vec<Val> = block.params.iter().map(|&p| Val::Value(p)).collect();
        let _ = writeln!(out, "{id}{}:", args(graph, &params));
        for op in &block.ops {
            line(&mut out, &print_op(program, graph, op), op.pos);
        }
        line(&mut out, &print_term(program, graph, id), block.pos);
    }
    out.push_str("}\n");
    out
}

fn line(out: &mut String, text: &str, pos: Pos) {
    let _ = match pos.line {
        0 => writeln!(out, "  {text}"),
        line => writeln!(out, "  {text:44} #{line}:{}", pos.column),
    };
}

/// Prints an operation.
pub fn print_op(program: &GraphProgram, graph: &Graph, op: &GraphOp) -> String {
    let mut out = String::new();
    if !op.dsts.is_empty() {
        let dsts: Vec<Val> = op.dsts.iter().map(|&d| Val::Value(d)).collect();
        let _ = write!(out, "{} = ", vals(graph, &dsts));
    }
    out += op.code.name();
    if let GraphDescr::Graph(_) | GraphDescr::Fn(_) = op.descr {
        let _ = write!(
            out,
            " {}({})",
            descr(program, op.descr),
            vals(graph, &op.args)
        );
        return out;
    }
    for &arg in &op.args {
        let _ = write!(out, " {}", print_val(graph, arg));
    }
    if op.descr != GraphDescr::None {
        let _ = write!(out, " {}", descr(program, op.descr));
    }
    out
}

fn descr(program: &GraphProgram, descr: GraphDescr) -> String {
    let descrs = &program.descrs;
    let known = match descr {
        GraphDescr::None => None,
        GraphDescr::Field(f) => descrs.fields.get(f).map(|_| descrs.field_name(f)),
        GraphDescr::Class(c) => descrs.classes.get(c).map(|c| c.name.clone()),
        GraphDescr::Fn(f) => descrs.fns.get(f).map(|f| f.name.clone()),
        GraphDescr::Graph(g) => program.graphs.get(g).map(|g| g.name.clone()),
    };
    known.map_or("?".to_string(), |known| name(&known))
}

/// Prints the end of a block.
pub fn print_term(program: &GraphProgram, graph: &Graph, block: BlockId) -> String {
    let params = &graph.blocks[block].params;
    let term = &graph.blocks[block].term;
    let mut out = term.control().name().to_string();
    for operand in term.operands() {
        if !matches!(term, Term::Panic(..)) {
            let _ = write!(out, " {}", print_val(graph, *operand));
        }
    }
    match term {
        Term::Goto(t) => out += &format!(" {}", target(graph, t)),
        Term::Branch { then, other, .. } => {
            out += &format!(" {} {}", target(graph, then), target(graph, other));
        }
        Term::Switch { cases, default, .. } => {
            out += " [";
            for (key, case) in cases {
                let _ = write!(out, "{key}: {}, ", target(graph, case));
            }
            out += &format!("else {}]", target(graph, default));
        }
        Term::ClassSwitch { cases, .. } => {
            let cases: Vec<String> = cases
                .iter()
                .map(|(class, case)| {
                    let class = descr(program, GraphDescr::Class(*class));
                    format!("{class}: {}", target(graph, case))
                })
                .collect();
            out += &format!(" [{}]", cases.join(", "));
        }
        Term::Return(_) => {}
        Term::Panic(kind, list) => out += &format!(" {}({})", kind.text(), vals(graph, list)),
        Term::MergePoint { greens, next } => {
            let params: Vec<Val> = params.iter().map(|&p| Val::Value(p)).collect();
            let (greens, reds) = params.split_at((*greens).min(params.len()));
            let (greens, reds) = (vals(graph, greens), vals(graph, reds));
            out += &format!(" ({greens}) ({reds}) {}", target(graph, next));
        }
    }
    out
}

fn target(graph: &Graph, target: &Target) -> String {
    format!("{}{}", target.block, args(graph, &target.args))
}

fn args(graph: &Graph, list: &[Val]) -> String {
    match list {
        [] => String::new(),
        _ => format!("({})", vals(graph, list)),
    }
}

fn vals(graph: &Graph, list: &[Val]) -> String {
    let list: Vec<String> = list.iter().map(|&v| print_val(graph, v)).collect();
    list.join(" ")
}

/// Prints an operand.
pub fn print_val(graph: &Graph, val: Val) -> String {
    match val {
        Val::Value(v) => {
            let letter = graph.values.get(v).map_or('?', |ty| ty.letter());
            format!("{letter}{}", v.as_u32())
        }
        Val::Const(GraphConst::Int(v)) => v.to_string(),
        Val::Const(GraphConst::Float(bits)) => float(bits),
        Val::Const(GraphConst::Null) => "null".to_string(),
        Val::Const(GraphConst::Nothing) => "nothing".to_string(),
    }
}
