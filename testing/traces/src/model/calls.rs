//! The functions that the optimiser does not look into, in the model machine. A function reads and
//! writes no more than its effects say; what it reads shows in the log.

use super::layout::{LEAN, extended, is_virtualizable, lean_word, place};
use super::{Machine, STACK_LEN};
use std::fmt::Write;
use verdigris_ops::{ClassKind, Descrs, Effects, FnId, FnKind, Places, Ty};

impl Machine {
    /// `sum`, `split` and `lean` add, for all of their results. The opaque functions log what they
    /// may read, then change what they may write.
    pub(super) fn call(&mut self, descrs: &Descrs, function: FnId, args: &[u64]) -> u64 {
        let info = &descrs.fns[function];
        if matches!(info.name.as_str(), "sum" | "split" | "lean") {
            return args.iter().copied().fold(0, u64::wrapping_add);
        }
        if info.kind == FnKind::Readonly {
            // An object, and a number.
            return self.observed(descrs, &info.effects.reads, args[0], args[1]);
        }
        if info.effects == Effects::all() {
            self.anything(descrs, args);
        } else {
            self.log_what_is_read(descrs, &info.effects.reads, args);
            self.change(descrs, &info.effects, args);
        }
        0
    }

    /// A number that depends on the arguments and on all that a function may read, and no log: it
    /// may be called less often.
    pub(super) fn observed(
        &mut self,
        descrs: &Descrs,
        reads: &Places,
        object: u64,
        number: u64,
    ) -> u64 {
        let log = std::mem::take(&mut self.log);
        self.log_what_is_read(descrs, reads, &[object]);
        let seen = std::mem::replace(&mut self.log, log);
        let mix = |hash: u64, byte: u8| hash.wrapping_mul(31).wrapping_add(byte.into());
        seen.bytes().fold(number, mix) & 3
    }

    /// Logs the readable places of the objects that a function gets hold of.
    pub(super) fn log_what_is_read(&mut self, descrs: &Descrs, reads: &Places, args: &[u64]) {
        let roots = (1..=self.initial as u64).chain(args.iter().copied());
        let mut queue: Vec<u64> = Vec::new();
        for w in roots {
            meet(&mut queue, w);
        }
        let mut i = 0;
        while i < queue.len() {
            let object = self.at(queue[i]).clone();
            write!(self.log, "  {i} {}", descrs.classes[object.class].name).expect("a string");
            for (j, &w) in object.words.iter().enumerate() {
                let (ty, visible, _) = place(descrs, object.class, j, reads);
                let ty = match ty {
                    Ty::Word => lean_word(object.words[j - 1]),
                    ty => Some(ty),
                };
                let shown = match ty {
                    _ if !visible => "_".to_owned(),
                    Some(Ty::Ref) => meet(&mut queue, w),
                    Some(_) => (w as i64).to_string(),
                    None => "?".to_owned(),
                };
                write!(self.log, " {shown}").expect("a string");
            }
            self.log.push('\n');
            i += 1;
        }
    }

    /// Changes the writable places of the initial objects and the arguments. What is written
    /// depends on nothing that cannot be read.
    pub(super) fn change(&mut self, descrs: &Descrs, effects: &Effects, args: &[u64]) {
        let mut objects: Vec<u64> = (1..=self.initial as u64).collect();
        for &w in args {
            meet(&mut objects, w);
        }
        for w in objects {
            let class = self.at(w).class;
            for j in 0..self.at(w).words.len() {
                let (ty, _, readable) = place(descrs, class, j, &effects.reads);
                let (_, _, writable) = place(descrs, class, j, &effects.writes);
                let word = &mut self.objects[w as usize - 1].words[j];
                match ty {
                    _ if !writable => {}
                    Ty::Ref => *word = args.last().copied().unwrap_or(0),
                    _ if readable => *word = word.wrapping_add(1),
                    _ => *word = 7,
                }
            }
        }
    }

    /// Whether opaque functions do not look at virtualizable places.
    pub(super) fn is_blind(&self) -> bool {
        self.until_taken.is_some_and(|until| until > 0)
    }

    /// Logs everything within reach and counts up the integers of the initial objects; who takes
    /// virtualizable places moves what they hold.
    pub(super) fn anything(&mut self, descrs: &Descrs, args: &[u64]) {
        let seen: Vec<(u16, Ty, u64)> = (1..=self.initial as u64)
            .chain(args.iter().copied())
            .map(|w| (0, Ty::Ref, w))
            .collect();
        let shown = self.show(descrs, &[(0, 0, seen)]);
        self.log.push_str(&shown);
        let (takes, blind) = (self.until_taken == Some(0), self.is_blind());
        for i in 0..self.initial {
            let object = &mut self.objects[i];
            let kept = is_virtualizable(descrs, object.class, 0);
            if takes && kept && object.words.len() == STACK_LEN {
                object.words.rotate_left(1);
            }
            match descrs.classes[object.class].name.as_str() {
                "Union" | "Unions" => {
                    // The number 7.
                    let values = object.words.chunks_exact_mut(3);
                    values.for_each(|value| value.copy_from_slice(&[1, 7, 0]));
                    continue;
                }
                "Links" if !(blind && kept) => {
                    let numbers = object.words.iter_mut().step_by(2);
                    numbers.for_each(|word| *word = word.wrapping_add(1));
                }
                _ => {}
            }
            if descrs.classes[object.class].name.starts_with("Lean") {
                let values = object.words.chunks_exact_mut(LEAN);
                values.for_each(|value| value.copy_from_slice(&[1, 7]));
                continue;
            }
            if let ClassKind::Struct { fields } = &descrs.classes[object.class].kind {
                for (word, &f) in object.words.iter_mut().zip(fields) {
                    let info = &descrs.fields[f];
                    let hidden = blind && info.virtualizable;
                    if info.ty == Ty::Int && !info.immutable && !hidden {
                        *word = extended(info.layout, word.wrapping_add(1));
                    }
                }
            }
        }
    }
}

/// The number of an object among those met so far, which it joins.
fn meet(queue: &mut Vec<u64>, reference: u64) -> String {
    if reference == 0 {
        return "null".to_owned();
    }
    let known = queue.iter().position(|&w| w == reference);
    let n = known.unwrap_or_else(|| {
        queue.push(reference);
        queue.len() - 1
    });
    format!("#{n}")
}
