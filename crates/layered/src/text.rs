//! Methods as text: each block with its id, label and arguments, its operations as a trace has
//! them, and behind what may leave the block how that is linked.

use crate::block_id::MethodBlockId;
use crate::method::{BlockEnd, GuardLink, Link, Method, MethodBlock};
use std::fmt;
use verdigris_backend::listing;
use verdigris_trace::{Opcode, OptimisedOp, print_section};

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "method {}", self.number())?;
        for (number, block) in (0..).zip(self.blocks()) {
            let id = MethodBlockId::new(self.number(), number);
            write!(f, "  block {id}")?;
            if let Some(label) = block.label {
                write!(f, " {label}")?;
            }
            self.write_block(f, block)?;
        }
        Ok(())
    }
}

impl Method {
    fn write_block(&self, f: &mut fmt::Formatter<'_>, block: &MethodBlock) -> fmt::Result {
        // What ends the block stands behind its operations, unless it is the last of them, or the
        // block only leads into a bridge that starts with a label.
        let leads_in = block.label.is_none() && block.ops.is_empty();
        let has_end = !leads_in && !matches!(block.end, BlockEnd::Leave);
        let ops = block.ops.start..block.ops.end + usize::from(has_end);
        let ops = self.trace().ops().slice(ops);
        let text = print_section(self.descrs(), self.trace(), &block.params, ops);
        writeln!(f, " {}", text.lines().next().unwrap_or_default())?;
        for (op, (_, line)) in ops.iter().zip(listing::heads(&text)) {
            writeln!(f, "    {line}{}", self.link_of(op, &block.end))?;
        }
        match leads_in {
            true => writeln!(f, "    jump{}", link_of_end(&block.end)),
            false => Ok(()),
        }
    }

    fn link_of(&self, op: OptimisedOp<'_>, end: &BlockEnd) -> String {
        match op.opcode() {
            opcode if opcode.is_guard() => match self.guard_link(op) {
                GuardLink::Side(link) => link_text(link),
                GuardLink::Switch(_) => " ; switch".into(),
            },
            opcode if opcode.ends_section() || opcode == Opcode::Label => link_of_end(end),
            _ => String::new(),
        }
    }
}

fn link_of_end(end: &BlockEnd) -> String {
    match end {
        BlockEnd::Goto(link, _) => link_text(*link),
        BlockEnd::Thread(_) => " ; external, to the block that the record says".into(),
        BlockEnd::Finish(_) | BlockEnd::Leave => String::new(),
    }
}

fn link_text(link: Link) -> String {
    match link {
        Link::Internal(block) => format!(" ; internal, to block {block}"),
        Link::External(block) => format!(" ; external, to {block}"),
    }
}
