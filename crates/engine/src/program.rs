//! A translated interpreter: as the binary carries it, and linked.
//!
//! Invariant: after linking, every class has its word and every function its address, so no later
//! stage looks at names.

use crate::errors::VmError;
use rustc_hash::FxHashMap;
use std::any::TypeId;
use verdigris_heap::{
    ClassDescr, Context, FnDescr, Location, StateShape, Tier, Words, class_of_word, class_word_of,
    link, link_types,
};
use verdigris_jitcode::{Unit, verify};
use verdigris_ops::{ClassId, Effects, FnId, FnInfo, FnKind, Ty};

/// The portal as rustc has compiled it. Its address identifies a program.
#[derive(Debug)]
pub struct Portal {
    name: &'static str,
    tier: Option<fn(Words) -> Tier>,
    location: Option<fn(Words) -> Location>,
}

impl Portal {
    /// The portal of this path.
    pub const fn new(name: &'static str) -> Portal {
        Portal {
            name,
            tier: None,
            location: None,
        }
    }

    /// Adds the function that says which compiler may make the code of a place. It takes the greens
    /// of the merge point.
    pub const fn with_tier(self, tier: fn(Words) -> Tier) -> Portal {
        Portal {
            tier: Some(tier),
            ..self
        }
    }

    /// Adds the function that says where in the guest program a place is. It takes the greens of
    /// the merge point.
    pub const fn with_location(self, location: fn(Words) -> Location) -> Portal {
        Portal {
            location: Some(location),
            ..self
        }
    }
}

/// A translated interpreter, with the descriptors that the attribute macros emitted: the result of
/// `jit::program()`, which `include_jit!` defines.
#[derive(Clone, Copy)]
pub struct Program(ProgramParts);

/// The parts of a [`Program`], for generated code alone: only names and types show whether jitcode
/// and descriptors belong together.
#[derive(Clone, Copy)]
pub struct ProgramParts {
    /// The function that was translated.
    pub portal: &'static Portal,
    /// The jitcode ([`Unit::to_bytes`]).
    pub unit: &'static [u8],
    /// The flow graphs, as text, for the log.
    pub graphs: &'static str,
    /// Why the choice of the instruction is red, so that the interpreter cannot be specialised;
    /// empty if it is not.
    pub red_dispatch: &'static str,
    /// The classes that jitcode mentions.
    pub classes: &'static [fn() -> &'static ClassDescr],
    /// The functions that jitcode calls.
    pub fns: &'static [fn() -> FnDescr],
    /// The declarations of classes, objects and values: as rustc has compiled them, and as the
    /// translator has read them.
    pub types: &'static [(&'static str, &'static str)],
    /// Where functions and fields are declared, as `src/main.rs:12`, by their names in jitcode; for
    /// functions of the glue that read plain values, what they read.
    pub places: &'static [(&'static str, &'static str)],
    /// What functions say to the author of a guest program, by their names in jitcode.
    pub advice: &'static [(&'static str, &'static str)],
}

impl ProgramParts {
    pub const fn program(self) -> Program {
        Program(self)
    }
}

impl Program {
    /// The flow graphs, as text, for the log.
    pub(crate) fn graphs(&self) -> &'static str {
        self.0.graphs
    }

    /// Checks that its instructions are known before the program runs.
    ///
    /// # Errors
    /// If they are not.
    pub(crate) fn check_dispatch(&self) -> Result<(), VmError> {
        match self.0.red_dispatch {
            "" => Ok(()),
            why => Err(VmError::RedDispatch(why)),
        }
    }
}

/// A unit that is ready to run.
pub(crate) struct LinkedProgram {
    pub(crate) unit: Unit,
    portal: &'static Portal,
    /// The types of the merge point's greens.
    pub(crate) greens: Vec<Ty>,
    /// The types of the merge point's reds.
    pub(crate) reds: Vec<Ty>,
    /// The types of the words of the portal's result.
    pub(crate) result: Vec<Ty>,
    /// The classes by the word in an object's header.
    classes: FxHashMap<i32, ClassId>,
    /// The classes of which there may be several descriptors, by the objects' type.
    types: FxHashMap<TypeId, ClassId>,
    places: &'static [(&'static str, &'static str)],
    advice: &'static [(&'static str, &'static str)],
    /// Why the interpreter cannot be specialised, if it cannot.
    pub(crate) red_dispatch: Option<&'static str>,
    /// The function that returns the record for greens, for threaded code.
    pub(crate) record_of: FnId,
    /// The function that runs threaded code to the end of an activation.
    pub(crate) run_thread: FnId,
}

impl LinkedProgram {
    /// Reads, checks and links a program.
    pub(crate) fn new(Program(program): &Program) -> Result<LinkedProgram, VmError> {
        let opened = Unit::open(program.unit);
        let (mut unit, shape) = opened.map_err(|e| VmError::Unit(e.to_string()))?;
        // The build script has verified the bytes, and the checksum says that they are the same. To
        // do it again takes longer than to read them.
        if cfg!(debug_assertions) {
            verify(&unit).map_err(|e| VmError::Unit(e.to_string()))?;
        }
        link_types(program.types)?;
        link(&mut unit.descrs, program.classes, program.fns)?;
        let shape = shape.ok_or_else(|| {
            VmError::Unit("the portal has no merge point where the unit says".to_string())
        })?;
        // They get their addresses with the engine.
        let mut own = |name: &str, params: Vec<Ty>, ret: Vec<Ty>, effects| {
            unit.descrs.fns.push(FnInfo {
                name: name.to_string(),
                params,
                ret,
                kind: FnKind::Opaque,
                effects,
                target: 0,
                thunk: 0,
                invoke: 0,
            })
        };
        let (greens, reds) = (&shape.greens, &shape.reds);
        let record = vec![Ty::Int];
        let record_of = own(
            "verdigris::record_of",
            greens.clone(),
            record.clone(),
            Effects::none(),
        );
        let state = [&greens[..], &record, reds].concat();
        let run_thread = own(
            "verdigris::run_thread",
            state,
            shape.result.clone(),
            Effects::all(),
        );
        let words = unit.descrs.classes.iter().map(|(id, c)| (c.word, id));
        let classes = words.collect();
        let ids = unit.descrs.classes.keys().zip(program.classes);
        let types = ids.filter_map(|(id, class)| Some((class().ty?, id)));
        let types = types.collect();
        Ok(LinkedProgram {
            unit,
            portal: program.portal,
            greens: shape.greens,
            reds: shape.reds,
            result: shape.result,
            classes,
            types,
            places: program.places,
            advice: program.advice,
            record_of,
            run_thread,
            red_dispatch: Some(program.red_dispatch).filter(|why| !why.is_empty()),
        })
    }

    /// Sets the functions by which threaded code finds records and runs places. They take this
    /// context in front of words in memory.
    pub(crate) fn set_threading(&mut self, ctx: *mut Context, [record_of, run_thread]: [usize; 2]) {
        for (function, invoke) in [(self.record_of, record_of), (self.run_thread, run_thread)] {
            let info = &mut self.unit.descrs.fns[function];
            info.target = ctx.expose_provenance();
            info.invoke = invoke;
        }
    }

    /// Whether the portal has a `tier` function.
    pub(crate) fn has_tiers(&self) -> bool {
        self.portal.tier.is_some()
    }

    /// The result of the `tier` function for these greens. Panics if it does.
    ///
    /// # Safety
    /// The greens are those of a merge point of this program, as `check_shape` has found that rustc
    /// has compiled it, and the objects among them live.
    pub(crate) unsafe fn ask_tier(&self, greens: &[u64]) -> Tier {
        match self.portal.tier {
            // SAFETY: the caller's promise; the macro compares what the function takes with the
            // greens of its portal.
            Some(tier) => tier(unsafe { Words::new(greens.as_ptr()) }),
            None => Tier::Any,
        }
    }

    /// Whether the portal has a `location` function.
    pub(crate) fn has_locations(&self) -> bool {
        self.portal.location.is_some()
    }

    /// The result of the `location` function for these greens. Panics if it does.
    ///
    /// # Safety
    /// As [`LinkedProgram::ask_tier`].
    pub(crate) unsafe fn ask_location(&self, greens: &[u64]) -> Option<Location> {
        // SAFETY: as there.
        let ask =
            |location: fn(Words) -> Location| location(unsafe { Words::new(greens.as_ptr()) });
        self.portal.location.map(ask)
    }

    /// Panics if another portal is called than the one that was translated.
    #[inline]
    pub(crate) fn check_portal(&self, called: &'static Portal) {
        if !std::ptr::eq(self.portal, called) {
            foreign(self.portal, called);
        }
    }

    /// Panics if the variables of the merge point are others than those that were translated.
    #[cold]
    #[inline(never)]
    pub(crate) fn check_shape(&self, compiled: &StateShape) {
        let read = [&self.greens, &self.reds, &self.result];
        let what = ["greens", "reds", "the words of the result"];
        for ((read, compiled), what) in read.into_iter().zip((compiled.types)()).zip(what) {
            assert!(
                *read == compiled,
                "the portal `{}` does not match its translation: {what} were {read:?} and are {compiled:?}; a condition such as `cfg(debug_assertions)`, which \
                 never holds for the translator, or a name that means something else to rustc has chosen other variables",
                self.portal.name
            );
        }
    }

    /// Where a function or field is declared, in parentheses behind a space, if that is known.
    pub(crate) fn place(&self, name: &str) -> String {
        let place = self.said_of(name);
        place.map_or(String::new(), |place| format!(" ({place})"))
    }

    /// What [`Program::places`] says of a name.
    pub(crate) fn said_of(&self, name: &str) -> Option<&'static str> {
        let found = self.places.iter().find(|(n, _)| *n == name);
        found.map(|(_, said)| *said)
    }

    /// What a function says to the author of a guest program.
    pub(crate) fn advice(&self, name: &str) -> Option<&'static str> {
        let found = self.advice.iter().find(|(n, _)| *n == name);
        found.map(|(_, words)| *words)
    }

    /// The class of a live object, if jitcode mentions it.
    ///
    /// # Safety
    /// `object` is the address of a live object.
    pub(crate) unsafe fn class_of(&self, object: u64) -> Option<ClassId> {
        // SAFETY: the caller's promise.
        let word = unsafe { class_word_of(object) };
        if let Some(&class) = self.classes.get(&word) {
            return Some(class);
        }
        // Another descriptor of a class that is known, if there may be several. SAFETY: a live
        // object's class word is one.
        let ty = unsafe { class_of_word(word) }.ty?;
        self.types.get(&ty).copied()
    }

    /// The objects among green values.
    pub(crate) fn objects<'a>(&'a self, greens: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        let typed = self.greens.iter().zip(greens);
        typed
            .filter(|(ty, word)| **ty == Ty::Ref && **word != 0)
            .map(|(_, word)| *word)
    }

    /// Greens as text: objects have no stable text form, so they print as `ref`.
    pub(crate) fn show_greens(&self, greens: &[u64]) -> String {
        let typed = self.greens.iter().zip(greens);
        let words = typed.map(|(ty, word)| match ty {
            Ty::Int => (*word as i64).to_string(),
            Ty::Float => format!("{:?}", f64::from_bits(*word)),
            Ty::Ref if *word == 0 => "null".to_string(),
            // A word is never green.
            Ty::Ref | Ty::Word => "ref".to_string(),
        });
        format!("({})", words.collect::<Vec<_>>().join(", "))
    }
}

/// The engine would mistake the variables of the one portal for those of the other.
#[cold]
#[inline(never)]
fn foreign(own: &Portal, called: &Portal) -> ! {
    panic!(
        "the portal `{called}` is called in a VM that was made of the program of `{own}`: enter a VM made of the program that `{called}` \
         belongs to (`Vm::new` with the `jit::program()` of its crate) around the call",
        own = own.name,
        called = called.name
    )
}
