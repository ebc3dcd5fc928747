//! The program, as optimiser and backend see it in a replay. In: the answers that were recorded for
//! a piece. Out: the same. Invariant: what was not asked when it was recorded has no answer: then
//! the piece ends with a panic whose payload says so, which the replay catches.

use crate::questions::{Answer, Question, print};
use rustc_hash::FxHashMap;
use std::panic::resume_unwind;
use verdigris_backend::Callees;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId, FnInfo};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// A question without an answer.
pub(crate) struct Unanswered(pub String);

/// The answers for a piece.
pub(crate) struct Answers<'a> {
    pub descrs: &'a Descrs,
    pub answers: &'a FxHashMap<Question, Answer>,
    /// The classes of objects that any piece mentions. An address may come to be another object's,
    /// so the piece's own answers count more.
    pub classes: &'a FxHashMap<u64, ClassId>,
    /// How many greens a merge point has.
    pub greens: usize,
}

impl Answers<'_> {
    fn answer(&self, question: Question) -> &Answer {
        match self.answers.get(&question) {
            Some(answer) => answer,
            None => {
                let line = print(self.descrs, &question, &None);
                let line = line.trim_end_matches(" = none");
                resume_unwind(Box::new(Unanswered(line.to_string())))
            }
        }
    }

    /// The answer of a question that has one word as its answer, as the reader of the file has made
    /// sure.
    fn word(&self, question: Question) -> u64 {
        let answer = self.answer(question);
        answer.iter().flatten().next().copied().unwrap_or(0)
    }
}

impl Host for Answers<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        self.word(Question::Load(op, descr, args.into()))
    }

    fn assume(&mut self, object: u64, field: FieldId) -> bool {
        self.word(Question::Assume(object, field)) != 0
    }

    fn keeps_virtualizables(&self) -> bool {
        self.word(Question::Keeps) != 0
    }

    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>> {
        self.answer(Question::Call(function, args.into())).clone()
    }

    fn may_specialise(&mut self, greens: &[u64]) -> bool {
        self.word(Question::Specialises(greens.into())) != 0
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        let question = Question::Class(object);
        if !self.answers.contains_key(&question)
            && let Some(&class) = self.classes.get(&object)
        {
            return Some(class);
        }
        let answer = self.answer(question).as_ref()?;
        answer.first().map(|&id| ClassId::from_u32(id as u32))
    }
}

impl Callees for Answers<'_> {
    fn greens(&self) -> usize {
        self.greens
    }

    fn code_of(&self, greens: &[u64]) -> u64 {
        self.word(Question::Code(greens.into()))
    }

    fn entrance(&self, function: &FnInfo) -> Option<u64> {
        let id = self.descrs.fn_by_name(&function.name)?;
        let answer = self.answer(Question::Entrance(id)).as_ref()?;
        answer.first().copied()
    }
}
