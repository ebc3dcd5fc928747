//! Which machine code is where, and how the calls between its pieces lie on the native stack. In:
//! the backend's journal, and where the operations of traces are in the guest program. Out: for an
//! instruction, or for a stack, the activations of the guest program that compiled code was at.
//! Invariant: a piece that was freed is known until something else is at its address, so that
//! samples which wait still find it.
//!
//! Our own code keeps its frames by the frame pointer, above which the entry has put what the
//! caller wants back (`verdigris_x64`): from the place where compiled code was interrupted, each
//! frame leads to the next. Behind native functions, whose frames are not known here, the next
//! frame is found by its return address: a word that leads behind a call in compiled code. One that
//! was left over by an earlier call may be taken for that.

use std::collections::BTreeMap;
use std::rc::Rc;
use verdigris_backend::journal::{CodeEvent, CodeKind, MachineCode};
use verdigris_report::CompilerKind;

/// A place of the guest program, as the profile numbers them.
pub(crate) type PlaceId = u32;

/// The places of the activations that an operation is in, outermost first: of the one that the
/// trace belongs to, and of those that are inlined.
pub(crate) type Inlined = Rc<[PlaceId]>;

/// The words from a frame pointer to the return address.
const RETURN: u64 = 8 * 6;

/// The most compiled frames of one sample.
const MOST_FRAMES: usize = 512;

struct Piece {
    end: u64,
    bytes: Vec<u8>,
    below: Option<u32>,
    compiler: Option<CompilerKind>,
    /// From these offsets on, the operation.
    ops: Vec<(u32, u32)>,
    /// Where each operation is.
    places: Rc<[Inlined]>,
}

/// A frame of compiled code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CodeFrame {
    pub(crate) compiler: CompilerKind,
    /// Where it is; none of code that many places share.
    pub(crate) inlined: Option<Inlined>,
}

/// A part of a stack.
#[derive(Clone, Copy)]
pub(crate) struct Region<'a> {
    /// The address of the first word.
    pub(crate) base: u64,
    pub(crate) words: &'a [u64],
    /// Frames are looked for from here on,
    pub(crate) from: u64,
    /// and below this address.
    pub(crate) until: u64,
}

impl Region<'_> {
    fn word(&self, address: u64) -> Option<u64> {
        let offset = address.checked_sub(self.base)?;
        let is_inside = (self.from..self.until).contains(&address) && offset % 8 == 0;
        self.words
            .get((offset / 8) as usize)
            .filter(|_| is_inside)
            .copied()
    }
}

/// Where compiled code was interrupted.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub(crate) pc: u64,
    pub(crate) fp: u64,
}

/// All machine code of a VM.
#[derive(Default)]
pub(crate) struct CodeMap(BTreeMap<u64, Piece>);

impl CodeMap {
    /// Notes what has happened to code. What was made for a trace is by this compiler, with
    /// operations at these places.
    pub(crate) fn note(
        &mut self,
        events: &[CodeEvent],
        compiler: CompilerKind,
        places: &Rc<[Inlined]>,
    ) {
        for event in events {
            if let CodeEvent::Made(code) = event {
                self.add(code, compiler, places);
            }
        }
    }

    fn add(&mut self, code: &MachineCode, compiler: CompilerKind, places: &Rc<[Inlined]>) {
        let start = code.address as u64;
        let end = start + code.bytes.len() as u64;
        let overlaps = |map: &BTreeMap<u64, Piece>| {
            let (&at, piece) = map.range(..end).next_back()?;
            (piece.end > start).then_some(at)
        };
        while let Some(at) = overlaps(&self.0) {
            self.0.remove(&at);
        }
        let is_trace = matches!(code.what, CodeKind::Trace(_));
        let piece = Piece {
            end,
            bytes: code.bytes.clone(),
            below: code.below,
            compiler: is_trace.then_some(compiler),
            ops: code.ops.clone(),
            places: Rc::clone(places),
        };
        self.0.insert(start, piece);
    }

    fn find(&self, address: u64) -> Option<(u64, &Piece)> {
        let (&start, piece) = self.0.range(..=address).next_back()?;
        (address < piece.end).then_some((address - start, piece))
    }

    /// The frame of a trace whose code is at this address.
    fn frame(&self, address: u64) -> Option<(CodeFrame, &Piece)> {
        let (offset, piece) = self.find(address)?;
        let compiler = piece.compiler?;
        let op = piece
            .ops
            .partition_point(|&(from, _)| u64::from(from) <= offset);
        let op = op.checked_sub(1).map(|n| piece.ops[n].1 as usize);
        let inlined = op.and_then(|op| piece.places.get(op)).cloned();
        Some((CodeFrame { compiler, inlined }, piece))
    }

    /// The frame that a word at this address returns to, if it is behind a call in a trace.
    fn caller(&self, address: u64, word: u64) -> Option<(CodeFrame, &Piece)> {
        let (frame, piece) = self.frame(word.checked_sub(1)?)?;
        let (last, _) = self.find(word - 1)?;
        let before = &piece.bytes[..=last as usize];
        // `call rax`, in front of which the stack pointer is a multiple of 16.
        let is_far = before.ends_with(&[0xFF, 0xD0]) && (address + 8).is_multiple_of(16);
        (is_far || self.is_near_call(before, word)).then_some((frame, piece))
    }

    /// Whether code ends with a `call rel32`, but for the calls with which it is left: what is left
    /// over of these would be found behind every exit.
    fn is_near_call(&self, before: &[u8], end: u64) -> bool {
        let Some([0xE8, distance @ ..]) = before.last_chunk::<5>() else {
            return false;
        };
        let target = end.wrapping_add_signed(i32::from_le_bytes(*distance).into());
        // The handler of exits is the first one of the handlers.
        let exits = self
            .0
            .get(&target)
            .is_some_and(|piece| piece.compiler.is_none());
        !exits
    }

    /// The frames of compiled code in a part of a stack, innermost first. `at`: where compiled code
    /// was interrupted, if it was.
    pub(crate) fn frames(&self, region: Region<'_>, at: Option<At>) -> Vec<CodeFrame> {
        let mut frames = Vec::new();
        let mut from = region.from;
        if let Some((frame, piece)) = at.and_then(|at| self.frame(at.pc)) {
            frames.push(frame);
            if piece.below.is_some() {
                self.follow(region, at.map_or(0, |at| at.fp), &mut frames);
                return frames;
            }
        }
        while from < region.until && frames.len() < MOST_FRAMES {
            let Some(word) = region.word(from) else {
                break;
            };
            let found = self.caller(from, word);
            from += 8;
            if let Some((frame, piece)) = found {
                frames.push(frame);
                // What lies in its frame is no frame.
                from += piece.below.map_or(0, |below| u64::from(below) + RETURN);
            }
        }
        frames
    }

    /// From a frame pointer on, each frame leads to the one around it.
    fn follow(&self, region: Region<'_>, mut fp: u64, frames: &mut Vec<CodeFrame>) {
        while frames.len() < MOST_FRAMES {
            let at = fp.wrapping_add(RETURN);
            let Some(word) = region.word(at) else {
                return;
            };
            let Some((frame, piece)) = self.caller(at, word) else {
                return;
            };
            frames.push(frame);
            let Some(outer) = region.word(fp).filter(|&outer| outer > at) else {
                return;
            };
            if piece.below.is_none() {
                return;
            }
            fp = outer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x7000_0000;

    /// Two traces of 64 bytes, each with a near call at 16 and a far one at 32, whose operations 0,
    /// 1 and 2 begin at 0, 16 and 32.
    fn map() -> CodeMap {
        let mut map = CodeMap::default();
        for n in 0..2 {
            let mut bytes = vec![0x90; 64];
            bytes[16] = 0xE8;
            bytes[32..34].copy_from_slice(&[0xFF, 0xD0]);
            let places: Vec<Inlined> = (0..3).map(|op| [10 * n, op].into()).collect();
            let code = MachineCode {
                what: CodeKind::Trace(None),
                address: 0x1000 * (n as usize + 1),
                bytes,
                room: 0,
                frames: Vec::new(),
                below: Some(24),
                ops: vec![(0, 0), (16, 1), (32, 2)],
            };
            map.note(
                &[CodeEvent::Made(Box::new(code))],
                CompilerKind::Tracer,
                &places.into(),
            );
        }
        map
    }

    fn places(frames: &[CodeFrame]) -> Vec<&[u32]> {
        let inlined = frames.iter().map(|f| f.inlined.as_deref().unwrap());
        inlined.collect()
    }

    fn region(words: &[u64]) -> Region<'_> {
        Region {
            base: BASE,
            words,
            from: BASE,
            until: BASE + 8 * words.len() as u64,
        }
    }

    #[test]
    fn from_where_code_was_interrupted_frames_lead_outwards() {
        let map = map();
        let mut words = vec![0; 64];
        // The frame pointer is at word 3; it was word 20 in the caller, which has called from the
        // second trace.
        words[3] = BASE + 8 * 20;
        words[3 + 6] = 0x2000 + 34;
        // Garbage that looks like a return address.
        words[12] = 0x1000 + 21;
        // The caller was entered by native code.
        words[20 + 6] = 0x5555_0000;
        let at = At {
            pc: 0x1000 + 20,
            fp: BASE + 8 * 3,
        };
        let frames = map.frames(region(&words), Some(at));
        assert_eq!(places(&frames), [[0, 1], [10, 2]]);
    }

    #[test]
    fn behind_native_functions_frames_are_found_by_their_return_addresses() {
        let map = map();
        let mut words = vec![0; 64];
        // No calls end there, or not with the stack pointer like this.
        (words[1], words[2], words[4]) = (0x1000 + 20, 0x1000, 0x1000 + 34);
        words[7] = 0x1000 + 34;
        // In the frame: three words below the frame pointer, and six to the return address.
        words[9] = 0x1000 + 21;
        words[7 + 1 + 3 + 6 + 2] = 0x2000 + 21;
        let frames = map.frames(region(&words), None);
        assert_eq!(places(&frames), [[0, 2], [10, 1]]);
        let outside = At { pc: 0x999, fp: 0 };
        assert_eq!(map.frames(region(&words), Some(outside)), frames);
        let none = Region {
            until: BASE + 8 * 7,
            ..region(&words)
        };
        assert_eq!(map.frames(none, None), []);
    }

    #[test]
    fn what_was_freed_is_known_until_its_place_is_taken() {
        let mut map = map();
        map.note(
            &[CodeEvent::Freed(0x1000)],
            CompilerKind::Tracer,
            &Rc::default(),
        );
        assert!(map.frame(0x1000).is_some());
        let code = MachineCode {
            what: CodeKind::Shared("handlers"),
            address: 0x1030,
            bytes: vec![0; 32],
            room: 0,
            frames: Vec::new(),
            below: None,
            ops: Vec::new(),
        };
        map.note(
            &[CodeEvent::Made(Box::new(code))],
            CompilerKind::Tracer,
            &Rc::default(),
        );
        assert!(map.frame(0x1000).is_none() && map.frame(0x1030).is_none());
        assert!(map.frame(0x2000).is_some());
    }
}
