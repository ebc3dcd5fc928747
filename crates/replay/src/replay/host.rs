//! The program, as optimiser and backend see it in a replay: the recorded answers of a job. A query
//! that was not recorded ends the job with a panic whose payload says so; the replay catches it.

use crate::queries::{Answer, Query, print};
use rustc_hash::FxHashMap;
use std::panic::resume_unwind;
use verdigris_backend::Callees;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId, FnInfo};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// A query without an answer.
pub(crate) struct UnansweredQuery(pub String);

/// The answers for a job.
pub(crate) struct ReplayHost<'a> {
    pub descrs: &'a Descrs,
    pub answers: &'a FxHashMap<Query, Answer>,
    /// The classes of objects that any job mentions. An address may later be another object's, so
    /// the job's own answers come first.
    pub classes: &'a FxHashMap<u64, ClassId>,
    /// The number of greens of the merge point.
    pub greens: usize,
}

impl ReplayHost<'_> {
    fn answer(&self, question: Query) -> &Answer {
        match self.answers.get(&question) {
            Some(answer) => answer,
            None => {
                let line = print(self.descrs, &question, &None);
                let line = line.trim_end_matches(" = none");
                resume_unwind(Box::new(UnansweredQuery(line.to_string())))
            }
        }
    }

    /// The answer to a query with one word as its answer, which the reader of the file has checked.
    fn word(&self, question: Query) -> u64 {
        let answer = self.answer(question);
        answer.iter().flatten().next().copied().unwrap_or(0)
    }
}

impl Host for ReplayHost<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        self.word(Query::Load(op, descr, args.into()))
    }

    fn assume(&mut self, object: u64, field: FieldId) -> bool {
        self.word(Query::Assume(object, field)) != 0
    }

    fn keeps_virtualizables(&self) -> bool {
        self.word(Query::Keeps) != 0
    }

    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>> {
        self.answer(Query::Call(function, args.into())).clone()
    }

    fn is_object(&mut self, word: u64) -> bool {
        self.word(Query::Object(word)) != 0
    }

    fn may_specialise(&mut self, greens: &[u64]) -> bool {
        self.word(Query::Specialises(greens.into())) != 0
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        let question = Query::Class(object);
        if !self.answers.contains_key(&question)
            && let Some(&class) = self.classes.get(&object)
        {
            return Some(class);
        }
        let answer = self.answer(question).as_ref()?;
        answer.first().map(|&id| ClassId::from_u32(id as u32))
    }
}

impl Callees for ReplayHost<'_> {
    fn greens(&self) -> usize {
        self.greens
    }

    fn code_of(&self, greens: &[u64]) -> u64 {
        self.word(Query::Code(greens.into()))
    }

    fn entrance(&self, function: &FnInfo) -> Option<u64> {
        let id = self.descrs.fn_by_name(&function.name)?;
        let answer = self.answer(Query::Entrance(id)).as_ref()?;
        answer.first().copied()
    }
}
