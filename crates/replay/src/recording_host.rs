//! The program, as optimiser and backend see it while they are recorded: each query is answered and
//! recorded. Its line is in the file before the answer is used, also if optimiser or backend panic.

use crate::queries::{Answer, Query};
use crate::recorder::Recorder;
use verdigris_backend::Callees;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId, FnInfo};
use verdigris_opt::Host;
use verdigris_trace::Descr;

/// Records the optimiser's queries.
pub struct RecordingHost<'a> {
    /// Answers the queries.
    pub inner: &'a mut dyn Host,
    /// Writes them down.
    pub recorder: &'a Recorder,
    /// The descriptors with the names.
    pub descrs: &'a Descrs,
}

impl RecordingHost<'_> {
    fn note(&self, question: Query, answer: Answer) {
        self.recorder.asked(self.descrs, question, answer);
    }
}

impl Host for RecordingHost<'_> {
    fn load(&mut self, op: DataOp, args: &[u64], descr: Descr) -> u64 {
        let word = self.inner.load(op, args, descr);
        self.note(Query::Load(op, descr, args.into()), Some(vec![word]));
        word
    }

    fn assume(&mut self, object: u64, field: FieldId) -> bool {
        let may = self.inner.assume(object, field);
        self.note(Query::Assume(object, field), Some(vec![may.into()]));
        may
    }

    fn keeps_virtualizables(&self) -> bool {
        let keeps = self.inner.keeps_virtualizables();
        self.note(Query::Keeps, Some(vec![keeps.into()]));
        keeps
    }

    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>> {
        let words = self.inner.call(function, args);
        self.note(Query::Call(function, args.into()), words.clone());
        words
    }

    fn is_object(&mut self, word: u64) -> bool {
        let is_one = self.inner.is_object(word);
        self.note(Query::Object(word), Some(vec![is_one.into()]));
        is_one
    }

    fn may_specialise(&mut self, greens: &[u64]) -> bool {
        let may = self.inner.may_specialise(greens);
        self.note(Query::Specialises(greens.into()), Some(vec![may.into()]));
        may
    }

    fn class_of(&self, object: u64) -> Option<ClassId> {
        let class = self.inner.class_of(object);
        let answer = class.map(|class| vec![class.as_u32().into()]);
        self.note(Query::Class(object), answer);
        class
    }
}

/// Records the backend's queries.
pub struct RecordingCallees<'a> {
    /// Answers the queries.
    pub inner: &'a dyn Callees,
    /// Writes them down.
    pub recorder: &'a Recorder,
    /// The descriptors with the names.
    pub descrs: &'a Descrs,
}

impl Callees for RecordingCallees<'_> {
    fn greens(&self) -> usize {
        self.inner.greens()
    }

    fn code_of(&self, greens: &[u64]) -> u64 {
        let word = self.inner.code_of(greens);
        let question = Query::Code(greens.into());
        self.recorder.asked(self.descrs, question, Some(vec![word]));
        word
    }

    fn entrance(&self, function: &FnInfo) -> Option<u64> {
        let word = self.inner.entrance(function);
        // Functions have unique names.
        if let Some(id) = self.descrs.fn_by_name(&function.name) {
            let answer = word.map(|word| vec![word]);
            self.recorder
                .asked(self.descrs, Query::Entrance(id), answer);
        }
        word
    }
}
