//! The text form of descriptors, for tests and tools.
//!
//! Parsing gives the plainest layout: fields and items of their own size, in order, naturally
//! aligned, behind the header; class words are distinct.
//!
//! ```text
//! class IntObj { value: int imm, count: u8 }     int, ref, float, word, or i8 u8 i16 u16 i32 u32 bool; imm = immutable, quasi = quasi-immutable,
//!                                                 virtualizable
//! class Cell { tag: int, part: int if tag in (2, 5) }     zero unless the tag is one of these
//! array Stack { ref }
//! fn interp::lookup(ref, int) -> int elidable    opaque if nothing is said, recorded, or portal
//! fn push(ref, int) opaque reads(*) writes(Frame.sp, Stack[])     and suspects(..) behind that
//! ```

use super::scan::{Parsed, Scanner, TraceParseError};
use std::fmt::Write;
use verdigris_ops::text::{name as quote, result_types, used_by as used_by_text};
use verdigris_ops::{
    ClassInfo, ClassKind, Descrs, Effects, FieldId, FieldInfo, FnInfo, FnKind, Places, SlotLayout,
    Ty, UsedBy,
};

const NARROW: [(&str, u8, bool); 7] = [
    ("bool", 1, false),
    ("i8", 1, true),
    ("u8", 1, false),
    ("i16", 2, true),
    ("u16", 2, false),
    ("i32", 4, true),
    ("u32", 4, false),
];

/// Reads a table of descriptors.
///
/// # Errors
/// If the text is not a list of declarations, or declares a name twice.
pub fn parse_descrs(text: &str) -> Result<Descrs, TraceParseError> {
    let mut scan = Scanner::new(text);
    let mut descrs = Descrs::default();
    while !scan.at_end() {
        match scan.peek_word() {
            "class" => class(&mut scan, &mut descrs)?,
            "array" => array(&mut scan, &mut descrs)?,
            "fn" => function(&mut scan, &mut descrs)?,
            _ => return scan.fail("expected a declaration: `class`, `array` or `fn`"),
        }
    }
    descrs.find_parts();
    Ok(descrs)
}

fn class(scan: &mut Scanner<'_>, descrs: &mut Descrs) -> Parsed<()> {
    let name = new_class(scan, descrs)?;
    let class = descrs.classes.next_key();
    scan.expect("{")?;
    let mut fields = Vec::new();
    let mut end = 8_u32;
    while !scan.eat("}") {
        let field = scan.word("a field or `}`")?.to_owned();
        scan.expect(":")?;
        let (ty, mut layout, immutable) = place(scan)?;
        let quasi = eat(scan, "quasi")?;
        let virtualizable = eat(scan, "virtualizable")?;
        if let Some((at, tag, tags)) = used_by(scan)? {
            let before = |&&f: &&FieldId| descrs.fields[f].name == tag;
            let Some(&tag) = fields.iter().find(before) else {
                return Err(scan.error_at(at, format!("there is no field `{tag}` before this")));
            };
            let field = descrs.fields.next_key();
            descrs.used_fields.insert(field, UsedBy { tag, tags });
        }
        layout.offset = end.next_multiple_of(u32::from(layout.size));
        end = layout.offset + u32::from(layout.size);
        let info = FieldInfo {
            class,
            name: field,
            ty,
            immutable,
            quasi,
            virtualizable,
            layout,
        };
        fields.push(descrs.fields.push(info));
        if !scan.eat(",") {
            scan.expect("}")?;
            break;
        }
    }
    push_class(
        descrs,
        name,
        ClassKind::Struct { fields },
        end.next_multiple_of(8),
    );
    Ok(())
}

fn array(scan: &mut Scanner<'_>, descrs: &mut Descrs) -> Parsed<()> {
    let name = new_class(scan, descrs)?;
    scan.expect("{")?;
    let (item, layout, immutable) = place(scan)?;
    let virtualizable = eat(scan, "virtualizable")?;
    if let Some((at, tag, tags)) = used_by(scan)? {
        let Some(tag) = descrs.class_by_name(&tag) else {
            return Err(scan.error_at(at, format!("there is no array `{tag}` before this")));
        };
        let class = descrs.classes.next_key();
        descrs.used_items.insert(class, UsedBy { tag, tags });
    }
    scan.expect("}")?;
    push_class(
        descrs,
        name,
        ClassKind::Array {
            item,
            layout,
            immutable,
            virtualizable,
        },
        16,
    );
    Ok(())
}

fn new_class(scan: &mut Scanner<'_>, descrs: &Descrs) -> Parsed<String> {
    scan.word("`class` or `array`")?;
    let at = scan.here();
    let name = scan.name("a class name")?;
    match descrs.class_by_name(&name) {
        Some(_) => Err(scan.error_at(at, format!("the class `{name}` is declared twice"))),
        None => Ok(name),
    }
}

fn push_class(descrs: &mut Descrs, name: String, kind: ClassKind, size: u32) {
    let word = 16 * (descrs.classes.len() as i32 + 1);
    descrs.classes.push(ClassInfo {
        name,
        kind,
        size,
        word,
        has_registers: false,
    });
}

/// A type with its size, and whether `imm` follows.
/// Skips a word if it comes next.
fn eat(scan: &mut Scanner<'_>, word: &str) -> Parsed<bool> {
    let here = scan.peek_word() == word;
    if here {
        scan.word("a word")?;
    }
    Ok(here)
}

fn place(scan: &mut Scanner<'_>) -> Parsed<(Ty, SlotLayout, bool)> {
    let at = scan.here();
    let name = scan.word("a type")?;
    let whole = |ty| (ty, 8, true);
    let (ty, size, signed) = match name {
        "int" => whole(Ty::Int),
        "ref" => whole(Ty::Ref),
        "float" => whole(Ty::Float),
        "word" => whole(Ty::Word),
        _ => match NARROW.iter().find(|n| n.0 == name) {
            Some(&(_, size, signed)) => (Ty::Int, size, signed),
            None => return Err(scan.error_at(at, format!("`{name}` is not a type of a field"))),
        },
    };
    let immutable = eat(scan, "imm")?;
    Ok((
        ty,
        SlotLayout {
            offset: 0,
            size,
            signed,
            stride: u32::from(size),
        },
        immutable,
    ))
}

/// `if tag in (2, 5)`: where the tag's name stands, the name, and the tags as bits.
fn used_by(scan: &mut Scanner<'_>) -> Parsed<Option<(usize, String, u64)>> {
    if scan.peek_word() != "if" {
        return Ok(None);
    }
    scan.word("`if`")?;
    let at = scan.here();
    let tag = scan.name("the name of the tag")?;
    if scan.peek_word() != "in" {
        return scan.fail("expected `in` and the tags in parentheses");
    }
    scan.word("`in`")?;
    scan.expect("(")?;
    let mut tags = 0_u64;
    while !scan.eat(")") {
        let at = scan.here();
        match scan.index("a tag")? {
            n @ 0..64 => tags |= 1 << n,
            n => return Err(scan.error_at(at, format!("{n} is not a tag below 64"))),
        }
        if !scan.eat(",") {
            scan.expect(")")?;
            break;
        }
    }
    Ok(Some((at, tag, tags)))
}

fn function(scan: &mut Scanner<'_>, descrs: &mut Descrs) -> Parsed<()> {
    scan.word("`fn`")?;
    let at = scan.here();
    let name = scan.name("a function name")?;
    if descrs.fn_by_name(&name).is_some() {
        return Err(scan.error_at(at, format!("the function `{name}` is declared twice")));
    }
    scan.expect("(")?;
    let mut params = Vec::new();
    while !scan.eat(")") {
        params.push(ty(scan)?);
        if !scan.eat(",") {
            scan.expect(")")?;
            break;
        }
    }
    let ret = results(scan)?;
    let kind = match scan.peek_word() {
        "opaque" => FnKind::Opaque,
        "conditional" => FnKind::Conditional,
        "elidable" => FnKind::Elidable,
        "recorded" => FnKind::Recorded,
        "readonly" => FnKind::Readonly,
        "portal" => FnKind::Portal,
        "runner" => FnKind::Runner,
        _ => {
            push_fn(descrs, name, params, ret, (FnKind::Opaque, Effects::all()));
            return Ok(());
        }
    };
    scan.word("a kind of function")?;
    let effects = effects(scan, descrs, kind)?;
    push_fn(descrs, name, params, ret, (kind, effects));
    Ok(())
}

fn effects(scan: &mut Scanner<'_>, descrs: &Descrs, kind: FnKind) -> Parsed<Effects> {
    if scan.peek_word() != "reads" {
        return Ok(Effects::of_kind(kind));
    }
    scan.word("`reads`")?;
    let reads = places(scan, descrs)?;
    scan.expect("writes")?;
    let writes = places(scan, descrs)?;
    let mut effects = Effects::new(reads, writes);
    if scan.peek_word() == "suspects" {
        scan.word("`suspects`")?;
        effects.suspects = places(scan, descrs)?;
    }
    Ok(effects)
}

fn places(scan: &mut Scanner<'_>, descrs: &Descrs) -> Parsed<Places> {
    let mut places = Places::none();
    scan.expect("(")?;
    if scan.eat("*") {
        places = Places::All;
        scan.expect(")")?;
        return Ok(places);
    }
    while !scan.eat(")") {
        let at = scan.here();
        let name = scan.name("a field, an array class or `*`")?;
        let is_array = scan.eat("[");
        if is_array {
            scan.expect("]")?;
        }
        let added = places.add(descrs, &name, is_array);
        added.map_err(|why| scan.error_at(at, why))?;
        if !scan.eat(",") {
            scan.expect(")")?;
            break;
        }
    }
    Ok(places)
}

fn push_fn(
    descrs: &mut Descrs,
    name: String,
    params: Vec<Ty>,
    ret: Vec<Ty>,
    (kind, effects): (FnKind, Effects),
) {
    descrs.fns.push(FnInfo {
        name,
        params,
        ret,
        kind,
        effects,
        target: 0,
        thunk: 0,
        invoke: 0,
    });
}

/// `-> int`, `-> (int, ref)` or nothing.
fn results(scan: &mut Scanner<'_>) -> Parsed<Vec<Ty>> {
    if !scan.eat("->") {
        return Ok(Vec::new());
    }
    if !scan.eat("(") {
        return Ok(vec![ty(scan)?]);
    }
    let mut types = vec![ty(scan)?];
    while scan.eat(",") {
        types.push(ty(scan)?);
    }
    scan.expect(")")?;
    Ok(types)
}

fn ty(scan: &mut Scanner<'_>) -> Parsed<Ty> {
    let at = scan.here();
    match scan.word("a type")? {
        "int" => Ok(Ty::Int),
        "ref" => Ok(Ty::Ref),
        "float" => Ok(Ty::Float),
        "word" => Ok(Ty::Word),
        other => Err(scan.error_at(at, format!("`{other}` is not one of int, ref, float, word"))),
    }
}

/// Prints the declarations that [`parse_descrs`] reads.
pub fn print_descrs(descrs: &Descrs) -> String {
    let mut out = String::new();
    for (id, class) in &descrs.classes {
        match &class.kind {
            ClassKind::Struct { fields } => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|&id| {
                        let f = &descrs.fields[id];
                        let used = descrs.used_fields.get(&id);
                        let used = used.map(|u| used_by_text(&descrs.fields[u.tag].name, u.tags));
                        let quasi = if f.quasi { " quasi" } else { "" };
                        let place = place_text(f.ty, f.layout, f.immutable)
                            + quasi
                            + virtualizable_text(f.virtualizable);
                        format!("{}: {place}{}", f.name, used.unwrap_or_default())
                    })
                    .collect();
                let fields = fields.join(", ");
                let _ = writeln!(out, "class {} {{ {fields} }}", quote(&class.name));
            }
            ClassKind::Array {
                item,
                layout,
                immutable,
                virtualizable,
            } => {
                let used = descrs.used_items.get(&id);
                let used = used.map(|u| used_by_text(&descrs.classes[u.tag].name, u.tags));
                let item = place_text(*item, *layout, *immutable)
                    + virtualizable_text(*virtualizable)
                    + &used.unwrap_or_default();
                let _ = writeln!(out, "array {} {{ {item} }}", quote(&class.name));
            }
        }
    }
    for info in descrs.fns.values() {
        let params: Vec<String> = info.params.iter().map(Ty::to_string).collect();
        let ret = result_types(&info.ret);
        let kind = info.kind.name();
        let effects = info.effects.print(info.kind, descrs);
        let name = quote(&info.name);
        let _ = writeln!(out, "fn {name}({}){ret} {kind}{effects}", params.join(", "));
    }
    out
}

fn virtualizable_text(virtualizable: bool) -> &'static str {
    if virtualizable { " virtualizable" } else { "" }
}

fn place_text(ty: Ty, layout: SlotLayout, immutable: bool) -> String {
    let narrow = NARROW
        .iter()
        .rev()
        .find(|n| (n.1, n.2) == (layout.size, layout.signed));
    let name = match narrow {
        Some(&(name, ..)) if ty == Ty::Int => name.to_owned(),
        _ => ty.to_string(),
    };
    let imm = if immutable { " imm" } else { "" };
    format!("{name}{imm}")
}
