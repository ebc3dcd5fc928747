//! Unwind tables: the sections `.eh_frame` and `.eh_frame_hdr` of a piece of code, with one entry
//! that covers all of its bytes.
//!
//! Source: the Linux Standard Base, core specification 5.0, sections 10.5 and 10.6; DWARF 5,
//! section 6.4.

use gimli::constants::{DW_EH_PE_absptr, DW_EH_PE_pcrel, DW_EH_PE_sdata4};
use gimli::write::{
    Address, CallFrameInstruction, CommonInformationEntry, EhFrame, EndianVec,
    FrameDescriptionEntry, FrameTable,
};
use gimli::{Encoding, Format, LittleEndian, Register};
use verdigris_backend::journal::{MachineCode, UnwindRule};

/// How a section refers to the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Where {
    /// By its address.
    Absolute,
    /// By the distance: the section lies behind the code, at the next multiple of 8 bytes from the
    /// code's start.
    Behind,
}

/// The stack pointer and the return address where code is called.
#[cfg(target_arch = "x86_64")]
const CALLED: Called = Called {
    stack_pointer: Register(7),
    return_address: Register(16),
    pushed: 8,
};

/// The same on processors that pass the return address in a register.
#[cfg(target_arch = "aarch64")]
const CALLED: Called = Called {
    stack_pointer: Register(31),
    return_address: Register(30),
    pushed: 0,
};

/// The same.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const CALLED: Called = Called {
    stack_pointer: Register(2),
    return_address: Register(1),
    pushed: 0,
};

struct Called {
    stack_pointer: Register,
    return_address: Register,
    /// Bytes that the call has pushed: the return address.
    pushed: i32,
}

/// The section `.eh_frame` for a piece of code.
pub(crate) fn section(code: &MachineCode, place: Where) -> Vec<u8> {
    let encoding = Encoding {
        address_size: 8,
        format: Format::Dwarf32,
        version: 1,
    };
    let mut common = CommonInformationEntry::new(encoding, 1, -8, CALLED.return_address);
    common.add_instruction(CallFrameInstruction::Cfa(
        CALLED.stack_pointer,
        CALLED.pushed,
    ));
    if CALLED.pushed > 0 {
        let saved = CallFrameInstruction::Offset(CALLED.return_address, -CALLED.pushed);
        common.add_instruction(saved);
    }
    let start = match place {
        Where::Absolute => {
            common.fde_address_encoding = DW_EH_PE_absptr;
            code.address as u64
        }
        Where::Behind => {
            common.fde_address_encoding = DW_EH_PE_pcrel | DW_EH_PE_sdata4;
            // As if the section began at address 0.
            (distance(code) as u64).wrapping_neg()
        }
    };
    let mut table = FrameTable::default();
    let common = table.add_cie(common);
    let length = code.bytes.len() as u32;
    let mut entry = FrameDescriptionEntry::new(Address::Constant(start), length);
    for &(offset, change) in &code.frames {
        entry.add_instruction(offset, instruction(change));
    }
    table.add_fde(common, entry);
    let mut section = EhFrame(EndianVec::new(LittleEndian));
    table
        .write_eh_frame(&mut section)
        .expect("distances are multiples of a word and fit 32 bits");
    let mut bytes = section.0.into_vec();
    // An entry of length 0 ends the section.
    bytes.extend_from_slice(&[0; 4]);
    bytes
}

fn instruction(change: UnwindRule) -> CallFrameInstruction {
    match change {
        UnwindRule::Begins { register, above } => {
            CallFrameInstruction::Cfa(Register(register), above as i32)
        }
        UnwindRule::Saved { register, below } => {
            CallFrameInstruction::Offset(Register(register), -(below as i32))
        }
        UnwindRule::Kept { register } => CallFrameInstruction::SameValue(Register(register)),
    }
}

/// From the start of the code to that of a section behind it.
pub(crate) fn distance(code: &MachineCode) -> usize {
    code.bytes.len().next_multiple_of(8)
}

/// The section `.eh_frame_hdr` that lies behind a section made with [`Where::Behind`]: a table with
/// one entry.
pub(crate) fn header(code: &MachineCode, section: &[u8]) -> Vec<u8> {
    const VERSION: u8 = 1;
    const UDATA4: u8 = 0x03;
    const PCREL_SDATA4: u8 = 0x1B;
    const DATAREL_SDATA4: u8 = 0x3B;
    let mut bytes = vec![VERSION, PCREL_SDATA4, UDATA4, DATAREL_SDATA4];
    let behind = section.len() as i32;
    // The common entry comes first; its length is that of what follows the length.
    let length = section.first_chunk().map_or(0, |&l| i32::from_le_bytes(l));
    let entry = length + 4;
    let start = -(distance(code) as i32) - behind;
    for word in [-behind - 4, 1, start, entry - behind] {
        bytes.extend_from_slice(&word.to_le_bytes());
    }
    bytes
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use gimli::{
        BaseAddresses, CfaRule, EhFrame, EhFrameHdr, NativeEndian, RegisterRule, UnwindContext,
        UnwindSection,
    };
    use std::fmt::Write;
    use verdigris_backend::journal::CodeKind;

    /// The frame pointer.
    const FP: u16 = if cfg!(target_arch = "x86_64") { 6 } else { 29 };

    /// Code of 20 bytes that pushes a register, makes a frame, and ends it: as it is where calls
    /// push the return address, and as it is where they pass it in a register.
    fn code() -> MachineCode {
        let (sp, link) = (CALLED.stack_pointer.0, CALLED.return_address.0);
        let begins = |register, above| UnwindRule::Begins { register, above };
        let saved = |register, below| UnwindRule::Saved { register, below };
        let kept = |register| UnwindRule::Kept { register };
        let frames = match CALLED.pushed {
            0 => vec![
                (4, begins(sp, 16)),
                (4, saved(FP, 16)),
                (4, saved(link, 8)),
                (8, begins(FP, 16)),
                (16, begins(sp, 0)),
                (16, kept(FP)),
                (16, kept(link)),
            ],
            _ => vec![
                (0, begins(sp, 8)),
                (1, begins(sp, 16)),
                (1, saved(FP, 16)),
                (4, begins(FP, 16)),
                (19, begins(sp, 8)),
                (19, kept(FP)),
            ],
        };
        MachineCode {
            what: CodeKind::Entry,
            address: 0x7000_0000_1234,
            bytes: vec![0x90; 20],
            room: 0,
            frames,
            below: None,
            ops: Vec::new(),
        }
    }

    /// The rows of that code.
    fn expected() -> Expect {
        if cfg!(target_arch = "x86_64") {
            expect![[r#"
                0: r7+8, r16 at -8
                1: r7+16, r16 at -8, r6 at -16
                4: r6+16, r16 at -8, r6 at -16
                19: r7+8, r16 at -8, r6 SameValue
            "#]]
        } else {
            expect![[r#"
                0: r31+0
                4: r31+16, r29 at -16, r30 at -8
                8: r29+16, r29 at -16, r30 at -8
                16: r31+0, r29 SameValue, r30 SameValue
            "#]]
        }
    }

    /// Checks the rows that unwinders see, by the offset in the code.
    fn check_rows(section: &[u8], bases: &BaseAddresses, start: u64) {
        let frames = EhFrame::new(section, NativeEndian);
        let find = |offset: &_| frames.cie_from_offset(bases, *offset);
        let find = |_: &_, _: &_, offset: gimli::EhFrameOffset<usize>| find(&offset);
        let entry = (frames.fde_for_address(bases, start, find)).expect("the code has an entry");
        assert_eq!((entry.initial_address(), entry.len()), (start, 20));
        let mut context = UnwindContext::new();
        let mut table = entry.rows(&frames, bases, &mut context).unwrap();
        let mut text = String::new();
        while let Some(row) = table.next_row().unwrap() {
            let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else {
                panic!("a frame begins above a register");
            };
            let _ = write!(
                text,
                "{}: r{}+{offset}",
                row.start_address() - start,
                register.0
            );
            for (register, rule) in row.registers() {
                let _ = match rule {
                    RegisterRule::Offset(at) => write!(text, ", r{} at {at}", register.0),
                    other => write!(text, ", r{} {other:?}", register.0),
                };
            }
            text.push('\n');
        }
        expected().assert_eq(&text);
    }

    #[test]
    fn an_unwinder_reads_the_rows_back() {
        let code = code();
        let section = section(&code, Where::Absolute);
        check_rows(&section, &BaseAddresses::default(), code.address as u64);
    }

    #[test]
    fn the_room_behind_code_is_large_enough() {
        for frames in [0, 1, 7, 1000] {
            let mut code = code();
            // Far apart, with numbers that take many bytes.
            code.frames = (1..=frames)
                .map(|n| {
                    (
                        70_000 * n,
                        UnwindRule::Begins {
                            register: 200,
                            above: 1 << 20,
                        },
                    )
                })
                .collect();
            code.bytes = vec![0; 70_000 * (frames as usize + 1)];
            let section = section(&code, Where::Behind);
            let size = distance(&code) - code.bytes.len() + section.len();
            let size = size + header(&code, &section).len();
            assert!(
                size <= verdigris_backend::journal::room(code.frames.len()),
                "{size} for {frames}"
            );
        }
    }

    #[test]
    fn the_table_leads_from_an_address_to_its_rows() {
        let code = code();
        let frames = section(&code, Where::Behind);
        let header = header(&code, &frames);
        // As `perf` lays the sections out: the code at any address, the others behind it.
        let start = 0x80;
        let section = start + 24;
        let table = section + frames.len() as u64;
        let bases = (BaseAddresses::default())
            .set_text(start)
            .set_eh_frame(section)
            .set_eh_frame_hdr(table);
        let header = EhFrameHdr::new(&header, NativeEndian);
        let header = header.parse(&bases, 8).unwrap();
        assert_eq!(header.eh_frame_ptr().direct().unwrap(), section);
        let entry = header.table().unwrap().lookup(start + 5, &bases).unwrap();
        let offset = entry.direct().unwrap() - section;
        let length = u32::from_le_bytes(*frames.first_chunk().unwrap());
        assert_eq!(offset, u64::from(length) + 4);
        check_rows(&frames, &bases, start);
    }
}
