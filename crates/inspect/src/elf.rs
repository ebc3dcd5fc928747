//! An object file in memory, for a debugger: the address of a piece of code, its name, and its
//! unwind tables. The code itself is in the process. Addresses are absolute, so nothing is
//! relocated.
//!
//! Source: the System V ABI, chapter 4 (object files).

use crate::eh_frame;
use object::Endianness;
use object::elf::*;
use object::write::elf::{FileHeader, SectionHeader, Sym, Writer};
use verdigris_backend::journal::MachineCode;

/// The processor's number in object files.
pub(crate) const MACHINE: Machine = if cfg!(target_arch = "x86_64") {
    EM_X86_64
} else if cfg!(target_arch = "aarch64") {
    EM_AARCH64
} else if cfg!(target_arch = "riscv64") {
    EM_RISCV
} else {
    EM_S390
};

/// The file for a piece of code.
pub(crate) fn image(code: &MachineCode, name: &str) -> Vec<u8> {
    let frames = eh_frame::section(code, eh_frame::Where::Absolute);
    let mut image = Vec::new();
    let mut writer = Writer::new(Endianness::Little, true, &mut image);
    writer.reserve_file_header();
    let [text_name, frames_name] =
        [&b".text"[..], b".eh_frame"].map(|n| writer.add_section_name(n));
    writer.reserve_null_section_index();
    let text = writer.reserve_section_index();
    writer.reserve_section_index();
    writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();
    let symbol = writer.add_string(name.as_bytes());
    writer.reserve_null_symbol_index();
    writer.reserve_symbol_index(Some(text));
    let frames_at = writer.reserve(frames.len() as u64, 8);
    writer.reserve_symtab();
    writer.reserve_strtab().expect("a name fits 32 bits");
    writer.reserve_shstrtab().expect("two names fit 32 bits");
    writer.reserve_section_headers();
    let symbol = writer.string_offset(Some(symbol));
    let header = FileHeader {
        os_abi: ELFOSABI_NONE,
        abi_version: 0,
        e_type: ET_REL,
        e_machine: MACHINE,
        e_entry: 0,
        e_flags: FileFlags(0),
    };
    (writer.write_file_header(&header)).expect("the sizes have been reserved");
    writer.write_align(8);
    writer.write(&frames);
    writer.write_null_symbol();
    writer.write_symbol(&Sym {
        st_name: symbol,
        section: Some(text.0),
        st_info: SymbolInfo::new(STB_GLOBAL, STT_FUNC),
        st_other: SymbolOther(0),
        st_shndx: SHN_UNDEF,
        st_value: 0,
        st_size: code.bytes.len() as u64,
    });
    writer.write_strtab();
    writer.write_shstrtab();
    let name_of = |name| writer.section_name_offset(Some(name));
    let (text_name, frames_name) = (name_of(text_name), name_of(frames_name));
    writer.write_null_section_header();
    writer.write_section_header(&SectionHeader {
        sh_name: text_name,
        sh_type: SHT_NOBITS,
        sh_flags: SHF_ALLOC | SHF_EXECINSTR,
        sh_addr: code.address as u64,
        sh_offset: 0,
        sh_size: code.bytes.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 1,
        sh_entsize: 0,
    });
    // It is in the file alone, and nowhere in the process.
    writer.write_section_header(&SectionHeader {
        sh_name: frames_name,
        sh_type: SHT_PROGBITS,
        sh_flags: SectionFlags(0),
        sh_addr: 0,
        sh_offset: frames_at,
        sh_size: frames.len() as u64,
        sh_link: 0,
        sh_info: 0,
        sh_addralign: 8,
        sh_entsize: 0,
    });
    writer.write_symtab_section_header(1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::returns;
    use object::read::elf::{ElfFile64, SectionHeader as _};
    use object::{Object, ObjectSection, ObjectSymbol};

    #[test]
    fn a_reader_finds_name_address_and_rows() {
        let code = returns(0x7000_0000_1234);
        let image = image(&code, "trace 3: loop at (0, ref)");
        let file = ElfFile64::<Endianness>::parse(&image[..]).unwrap();
        let text = file.section_by_name(".text").unwrap();
        assert_eq!((text.address(), text.size()), (0x7000_0000_1234, 1));
        let header = text.elf_section_header();
        assert_eq!(header.sh_type(Endianness::Little), SHT_NOBITS);
        let symbols: Vec<_> = file.symbols().filter(|s| s.size() > 0).collect();
        let [symbol] = &symbols[..] else {
            panic!("{} symbols", symbols.len());
        };
        assert_eq!(symbol.name(), Ok("trace 3: loop at (0, ref)"));
        assert_eq!((symbol.address(), symbol.size()), (0, 1));
        assert_eq!(symbol.section_index(), Some(text.index()));
        let frames = file.section_by_name(".eh_frame").unwrap();
        let expected = eh_frame::section(&code, eh_frame::Where::Absolute);
        assert_eq!(frames.data(), Ok(&expected[..]));
    }
}
