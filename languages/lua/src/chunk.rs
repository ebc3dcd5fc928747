//! Chunks, compiled from what they come as. In: a text, or the bytes of a dumped function. Out: a
//! [`CompiledChunk`], which is Rust data. Invariant: whichever it was, its code has been made from
//! a text here and now.

use crate::asking::Asks;
use crate::chunk_name::ChunkName;
use crate::compile::{self, Code};
use crate::dump::{self, Dumped};
use crate::lexer::SyntaxError;
use std::borrow::Cow;

/// A function that is compiled and not on the heap yet: a whole chunk, or one that was dumped.
#[derive(Clone, PartialEq, Debug)]
pub struct CompiledChunk<'t> {
    /// Its code.
    pub code: Code,
    /// What its chunk is called.
    pub name: ChunkName,
    /// The text of its chunk.
    pub text: Cow<'t, [u8]>,
    /// Its number among the functions of the chunk, in the order in which they begin.
    pub place: u32,
    /// Whether its lines and names are gone.
    pub stripped: bool,
    /// What it may ask for.
    pub asks: Asks,
}

impl<'t> CompiledChunk<'t> {
    /// Compiles a text, or a function that was dumped; with an environment of its own if that is
    /// wanted. A dumped function has the name of its chunk.
    ///
    /// # Errors
    /// The first error, as `file:line: message`, or why the bytes are none of a function.
    pub fn compile(
        text: &'t [u8],
        name: ChunkName,
        environment: bool,
    ) -> Result<CompiledChunk<'t>, String> {
        if text.first() != Some(&dump::FIRST) {
            let whole = Dumped {
                name: &[],
                text,
                place: 0,
                stripped: false,
            };
            return CompiledChunk::of(whole, name, environment);
        }
        let dumped = Dumped::read(text).map_err(|error| bad_format(&name, error))?;
        CompiledChunk::of(dumped, ChunkName::new(dumped.name), environment)
    }

    fn of(
        from: Dumped<'t>,
        name: ChunkName,
        environment: bool,
    ) -> Result<CompiledChunk<'t>, String> {
        let in_file = |error: SyntaxError| error.in_file(&name.short);
        let code = compile::text(from.text, &name.long, environment).map_err(in_file)?;
        let code = dump::function_at(code, from.place);
        let mut code = code.ok_or_else(|| bad_format(&name, "corrupted chunk"))?;
        if from.stripped {
            dump::strip(&mut code);
        }
        Ok(CompiledChunk {
            code,
            name,
            text: Cow::Borrowed(from.text),
            place: from.place,
            stripped: from.stripped,
            asks: Asks::of(from.text),
        })
    }

    /// The same with a text of its own.
    pub fn into_owned(self) -> CompiledChunk<'static> {
        CompiledChunk {
            text: Cow::Owned(self.text.into_owned()),
            ..self
        }
    }
}

/// That bytes are not those of a function.
fn bad_format(name: &ChunkName, error: &str) -> String {
    let what = match name.source.first() {
        Some(&dump::FIRST) => "binary string",
        _ => &name.long,
    };
    format!("{what}: bad binary format ({error})")
}
