//! The program, as optimiser and backend see it while they are recorded. In: what answers them.
//! Out: the same answers, and a line for each in the recording. Invariant: a line is in the file
//! before the answer is used, so that it is there when optimiser or backend panic.

use crate::questions::{Answer, Question};
use crate::recorder::Recorder;
use verdigris_backend::Callees;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId, FnInfo};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// What the optimiser asks.
pub struct AskedHost<'a> {
    /// Who answers.
    pub inner: &'a mut dyn Host,
    /// Who writes it down.
    pub recorder: &'a Recorder,
    /// What names are of.
    pub descrs: &'a Descrs,
}

impl AskedHost<'_> {
    fn note(&self, question: Question, answer: Answer) {
        self.recorder.asked(self.descrs, question, answer);
    }
}

impl Host for AskedHost<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        let word = self.inner.load(op, args, descr);
        self.note(Question::Load(op, descr, args.into()), Some(vec![word]));
        word
    }

    fn assume(&mut self, object: u64, field: FieldId) -> bool {
        let may = self.inner.assume(object, field);
        self.note(Question::Assume(object, field), Some(vec![may.into()]));
        may
    }

    fn keeps_virtualizables(&self) -> bool {
        let keeps = self.inner.keeps_virtualizables();
        self.note(Question::Keeps, Some(vec![keeps.into()]));
        keeps
    }

    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>> {
        let words = self.inner.call(function, args);
        self.note(Question::Call(function, args.into()), words.clone());
        words
    }

    fn may_specialise(&mut self, greens: &[u64]) -> bool {
        let may = self.inner.may_specialise(greens);
        self.note(Question::Specialises(greens.into()), Some(vec![may.into()]));
        may
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        let class = self.inner.class_of(object);
        let answer = class.map(|class| vec![class.as_u32().into()]);
        self.note(Question::Class(object), answer);
        class
    }
}

/// What the backend asks.
pub struct AskedCallees<'a> {
    /// Who answers.
    pub inner: &'a dyn Callees,
    /// Who writes it down.
    pub recorder: &'a Recorder,
    /// What names are of.
    pub descrs: &'a Descrs,
}

impl Callees for AskedCallees<'_> {
    fn greens(&self) -> usize {
        self.inner.greens()
    }

    fn code_of(&self, greens: &[u64]) -> u64 {
        let word = self.inner.code_of(greens);
        let question = Question::Code(greens.into());
        self.recorder.asked(self.descrs, question, Some(vec![word]));
        word
    }

    fn entrance(&self, function: &FnInfo) -> Option<u64> {
        let word = self.inner.entrance(function);
        // Functions have unique names.
        if let Some(id) = self.descrs.fn_by_name(&function.name) {
            let answer = word.map(|word| vec![word]);
            self.recorder
                .asked(self.descrs, Question::Entrance(id), answer);
        }
        word
    }
}
