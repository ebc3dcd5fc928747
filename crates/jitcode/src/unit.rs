//! A translated interpreter, and its bytes: a checksum, a head, and the bytes of each jitcode.
//!
//! Bytes with another checksum or of another format are refused before anything is read of them.

use crate::code::{CodeId, Insn, JitCode, Pc, Reg};
use crate::codes::Codes;
use serde::{Deserialize, Serialize};
use std::fmt;
use verdigris_ops::{ClassId, Descrs, FnId, FnKind, Ty};

/// The number of the format; another one with every change of what is serialised.
const FORMAT: u32 = 1;

/// Why bytes are no unit.
#[derive(Clone, PartialEq, Debug)]
pub enum UnitError {
    /// They are not what was written: the checksum is another one.
    Damaged,
    /// Another version has written them: the number of its format.
    Version(u32),
    /// They do not have the format.
    Format(postcard::Error),
    /// The jitcodes do not end where the bytes do.
    Length,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitError::Damaged => f.write_str("its checksum is wrong"),
            UnitError::Version(format) => write!(
                f,
                "it has format {format}, and this version reads {FORMAT}: use one version of all packages of Verdigris"
            ),
            UnitError::Format(error) => error.fmt(f),
            UnitError::Length => f.write_str("it has too few or too many bytes"),
        }
    }
}

impl std::error::Error for UnitError {}

impl From<postcard::Error> for UnitError {
    fn from(error: postcard::Error) -> UnitError {
        UnitError::Format(error)
    }
}

/// A translated interpreter: what `build.rs` produces and the engine loads.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// Classes, fields, called functions; unlinked.
    pub descrs: Descrs,
    /// All jitcodes.
    pub codes: Codes,
    /// The portal's jitcode.
    pub portal: CodeId,
    /// The pc of the portal's merge point.
    pub merge_point: Pc,
    /// The classes of each `#[object]` enum, by name, for text forms and statistics.
    pub objects: Vec<(String, Vec<ClassId>)>,
}

/// The types of what the portal takes and gives: what an engine asks of it before it traces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PortalShape {
    /// Those of the merge point's greens.
    pub greens: Vec<Ty>,
    /// Those of its reds.
    pub reds: Vec<Ty>,
    /// Those of the words of the result.
    pub result: Vec<Ty>,
}

/// The head of a unit, in front of the jitcodes.
#[derive(Serialize, Deserialize)]
struct Head {
    descrs: Descrs,
    portal: CodeId,
    merge_point: Pc,
    objects: Vec<(String, Vec<ClassId>)>,
    shape: Option<PortalShape>,
    /// The bytes of each jitcode.
    sizes: Vec<u32>,
}

impl Unit {
    /// The length of the checksum in front of a shipped unit.
    pub const CHECKSUM_BYTES: usize = 4;

    /// The shipped form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let written = |code: &JitCode| postcard::to_allocvec(code).expect("a jitcode serialises");
        let codes: Vec<Vec<u8>> = self.codes.values().map(written).collect();
        let size = |code: &Vec<u8>| u32::try_from(code.len()).expect("a jitcode is small");
        let head = Head {
            descrs: self.descrs.clone(),
            portal: self.portal,
            merge_point: self.merge_point,
            objects: self.objects.clone(),
            shape: self.shape(),
            sizes: codes.iter().map(size).collect(),
        };
        let head = postcard::to_allocvec(&(FORMAT, head)).expect("a head always serialises");
        let unit = [&[head][..], &codes].concat().concat();
        [&crc32fast::hash(&unit).to_le_bytes(), &*unit].concat()
    }

    /// Reads the shipped form, but each jitcode only when it is asked for.
    ///
    /// # Errors
    /// If the bytes are not as [`Unit::to_bytes`] of the same version has written them.
    pub fn open(bytes: &'static [u8]) -> Result<(Unit, Option<PortalShape>), UnitError> {
        let (mut unit, shape, codes) = Unit::split(Unit::checked(bytes)?)?;
        codes
            .into_iter()
            .for_each(|code| unit.codes.push_bytes(code));
        Ok((unit, shape))
    }

    /// Reads the shipped form.
    ///
    /// # Errors
    /// As those of [`Unit::open`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Unit, UnitError> {
        Unit::from_unchecked(Unit::checked(bytes)?)
    }

    /// Reads the shipped form without its checksum: whatever has the format is a unit, which may
    /// make no sense ([`crate::verify`]).
    ///
    /// # Errors
    /// If the bytes do not have the format.
    pub fn from_unchecked(bytes: &[u8]) -> Result<Unit, UnitError> {
        let (mut unit, _, codes) = Unit::split(bytes)?;
        for code in codes {
            unit.codes.push(postcard::from_bytes(code)?);
        }
        Ok(unit)
    }

    /// The bytes behind the checksum.
    fn checked(bytes: &[u8]) -> Result<&[u8], UnitError> {
        match bytes.split_first_chunk::<{ Unit::CHECKSUM_BYTES }>() {
            Some((sum, unit)) if crc32fast::hash(unit) == u32::from_le_bytes(*sum) => Ok(unit),
            _ => Err(UnitError::Damaged),
        }
    }

    /// A unit without jitcodes, and the bytes of each.
    #[expect(clippy::type_complexity, reason = "the three parts of the bytes")]
    fn split(bytes: &[u8]) -> Result<(Unit, Option<PortalShape>, Vec<&[u8]>), UnitError> {
        let (format, rest) = postcard::take_from_bytes::<u32>(bytes)?;
        if format != FORMAT {
            return Err(UnitError::Version(format));
        }
        let (head, mut rest) = postcard::take_from_bytes::<Head>(rest)?;
        let mut codes = Vec::with_capacity(head.sizes.len());
        for size in head.sizes {
            let Some((code, behind)) = rest.split_at_checked(size as usize) else {
                return Err(UnitError::Length);
            };
            codes.push(code);
            rest = behind;
        }
        if !rest.is_empty() {
            return Err(UnitError::Length);
        }
        let unit = Unit {
            descrs: head.descrs,
            codes: Codes::new(),
            portal: head.portal,
            merge_point: head.merge_point,
            objects: head.objects,
        };
        Ok((unit, head.shape, codes))
    }

    /// The portal's signature; none if there is no merge point where the unit says.
    pub fn shape(&self) -> Option<PortalShape> {
        let portal = self.codes.get(self.portal)?;
        let types = |regs: &[Reg]| {
            let types = regs.iter().map(|r| portal.regs.get(r.0 as usize).copied());
            types.collect::<Option<Vec<Ty>>>()
        };
        match portal.insns.get(self.merge_point.0 as usize)? {
            Insn::MergePoint { greens, reds } => Some(PortalShape {
                greens: types(greens)?,
                reds: types(reds)?,
                result: portal.ret.clone(),
            }),
            _ => None,
        }
    }

    /// The function that goes on in the portal from its merge point, if the portal is called by
    /// itself and native code can begin there. Known when the unit is linked.
    pub fn runner(&self) -> Option<FnId> {
        let mut fns = self.descrs.fns.iter();
        let found = fns.find(|(_, f)| f.kind == FnKind::Runner && f.target != 0);
        found.map(|(id, _)| id)
    }

    /// The portal.
    pub fn portal(&self) -> &JitCode {
        &self.codes[self.portal]
    }
}
