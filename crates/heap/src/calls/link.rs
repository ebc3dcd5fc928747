//! Linking: fills the translator's descriptors with layouts, sizes, class words and addresses of
//! the compiled program, and checks that both agree in names, types and mutability.

use crate::calls::fn_descr::FnDescr;
use crate::layout::descr::{ClassDescr, class_word, class_word_fits};
use crate::layout::word::WordKind;
use std::fmt;
use verdigris_ops::text::result_types;
use verdigris_ops::{
    ClassId, ClassInfo, ClassKind, Descrs, FieldId, FnInfo, FnKind, Held, SlotLayout, Ty,
};

/// The translation and the compiled program do not agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError(String);

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the translated interpreter does not match the compiled one: {}; rebuild the crate so that its build script runs again; if that does not help, a name in \
             the source means another item to rustc than to the translator, which does not see what macros of other crates make",
            self.0
        )
    }
}

impl std::error::Error for LinkError {}

/// Fills the layouts, sizes, class words and addresses in `descrs`. The lists are parallel to its
/// tables.
///
/// # Errors
/// If something differs from what the translator saw.
pub fn link(
    descrs: &mut Descrs,
    classes: &[fn() -> &'static ClassDescr],
    fns: &[fn() -> FnDescr],
) -> Result<(), LinkError> {
    check_counts(descrs, classes.len(), fns.len())?;
    let ids: Vec<ClassId> = descrs.classes.keys().collect();
    for (id, class) in ids.into_iter().zip(classes) {
        link_class(descrs, id, class())?;
    }
    for (info, descr) in descrs.fns.values_mut().zip(fns) {
        link_fn(info, &descr())?;
    }
    Ok(())
}

/// Compares declarations: as rustc has compiled them, and as the translator has read them.
///
/// # Errors
/// If one of them is not the same.
pub fn link_types(types: &[(&str, &str)]) -> Result<(), LinkError> {
    match types.iter().find(|(compiled, read)| compiled != read) {
        Some((compiled, read)) => Err(LinkError(format!(
            "`{read}` has become `{compiled}`: a condition such as `cfg(debug_assertions)`, which never holds for the translator, has chosen another declaration for rustc"
        ))),
        None => Ok(()),
    }
}

fn check_counts(descrs: &Descrs, classes: usize, fns: usize) -> Result<(), LinkError> {
    if descrs.classes.len() != classes || descrs.fns.len() != fns {
        return Err(LinkError(format!(
            "it has {} classes and {} functions instead of {classes} and {fns}",
            descrs.classes.len(),
            descrs.fns.len()
        )));
    }
    Ok(())
}

fn link_class(
    descrs: &mut Descrs,
    id: ClassId,
    descr: &'static ClassDescr,
) -> Result<(), LinkError> {
    if !class_word_fits(descr) {
        return Err(LinkError(format!(
            "class `{}` is in another shared library than the heap, too far away; link verdigris statically",
            descr.name
        )));
    }
    if let ClassKind::Struct { fields } = &descrs.classes[id].kind {
        let fields = fields.clone();
        let parts = parts(descr);
        check_struct(&descrs.classes[id], fields.len(), parts.len(), descr)?;
        for (field, part) in fields.into_iter().zip(parts) {
            link_field(descrs, field, &part)?;
        }
    }
    let class = &mut descrs.classes[id];
    if let ClassKind::Array { .. } = class.kind {
        link_items(class, descr)?;
    }
    class.size = descr.size;
    class.word = class_word(descr);
    Ok(())
}

/// A component of a field.
struct Part {
    /// The field's name, with a number if there are several components.
    name: String,
    offset: u32,
    kind: WordKind,
    held: Held,
}

/// The components of all fields: what the translator calls fields.
fn parts(descr: &ClassDescr) -> Vec<Part> {
    let mut parts = Vec::new();
    for field in descr.fields {
        for (n, &kind) in field.kinds.iter().enumerate() {
            parts.push(Part {
                name: match field.kinds.len() {
                    1 => unraw(field.name).to_string(),
                    _ => format!("{}#{n}", unraw(field.name)),
                },
                offset: field.offset + kind.offset,
                kind,
                held: Held::of(field.immutable, field.quasi, field.virtualizable),
            });
        }
    }
    parts
}

fn check_struct(
    class: &ClassInfo,
    fields: usize,
    now: usize,
    descr: &ClassDescr,
) -> Result<(), LinkError> {
    if descr.item.is_some() || !same_name(&class.name, descr.name) {
        return Err(LinkError(format!(
            "class `{}` has become `{}`",
            class.name, descr.name
        )));
    }
    if fields != now {
        return Err(LinkError(format!(
            "class `{}` had {fields} fields and has {now}",
            class.name
        )));
    }
    Ok(())
}

fn link_field(descrs: &mut Descrs, id: FieldId, descr: &Part) -> Result<(), LinkError> {
    let name = descrs.field_name(id);
    let field = &mut descrs.fields[id];
    if field.name != descr.name {
        return Err(LinkError(format!(
            "field `{name}` has become `{}`",
            descr.name
        )));
    }
    check_kind(
        &format!("field `{name}`"),
        (field.ty, field.held()),
        (descr.kind.ty, descr.held),
    )?;
    field.layout = layout(descr.offset, descr.kind);
    Ok(())
}

fn link_items(class: &mut ClassInfo, descr: &ClassDescr) -> Result<(), LinkError> {
    let (
        ClassKind::Array {
            item,
            layout: place,
            immutable,
            virtualizable,
        },
        Some(descr),
    ) = (&mut class.kind, descr.item)
    else {
        return Err(LinkError(format!(
            "class `{}` has become the struct `{}`",
            class.name, descr.name
        )));
    };
    let Some(&kind) = descr.kinds.get(descr.part) else {
        return Err(LinkError(format!(
            "the items of `{}` have become smaller",
            class.name
        )));
    };
    check_kind(
        &format!("an item of `{}`", class.name),
        (*item, Held::of(*immutable, false, *virtualizable)),
        (
            kind.ty,
            Held::of(descr.immutable, false, descr.virtualizable),
        ),
    )?;
    *place = SlotLayout {
        stride: descr.stride as u32,
        ..layout(kind.offset, kind)
    };
    class.has_registers = descr.register;
    Ok(())
}

fn check_kind(what: &str, was: (Ty, Held), is: (Ty, Held)) -> Result<(), LinkError> {
    if was == is {
        return Ok(());
    }
    let show = |(ty, held): (Ty, Held)| format!("{} {ty}", held.name());
    Err(LinkError(format!(
        "{what} was {} and is {}",
        show(was),
        show(is)
    )))
}

fn layout(offset: u32, kind: WordKind) -> SlotLayout {
    SlotLayout {
        offset,
        size: kind.size,
        signed: kind.signed,
        stride: 0,
    }
}

fn link_fn(info: &mut FnInfo, descr: &FnDescr) -> Result<(), LinkError> {
    if !same_name(&info.name, descr.name) {
        return Err(LinkError(format!(
            "function `{}` has become `{}`",
            info.name, descr.name
        )));
    }
    // A runner takes the words of a state, whatever they are.
    let same_params = info.kind == FnKind::Runner || info.params == descr.params;
    if !same_params || info.ret != descr.ret {
        return Err(LinkError(format!(
            "function `{}` was {} and is {}",
            info.name,
            signature(&info.params, &info.ret),
            signature(descr.params, descr.ret)
        )));
    }
    info.target = descr.target;
    info.thunk = descr.thunk;
    info.invoke = descr.invoke;
    Ok(())
}

fn signature(params: &[Ty], ret: &[Ty]) -> String {
    let params: Vec<String> = params.iter().map(Ty::to_string).collect();
    format!("({}){}", params.join(", "), result_types(ret))
}

/// Whether two paths end in the same name: descriptors are made where the item is and know neither
/// all of its path nor any type arguments.
fn same_name(a: &str, b: &str) -> bool {
    last_name(a) == last_name(b)
}

/// The last name of a path, without type arguments.
fn last_name(path: &str) -> String {
    let mut depth = 0;
    let plain = path.chars().filter(|&c| {
        depth += usize::from(c == '<');
        let outside = depth == 0;
        depth -= usize::from(c == '>' && depth > 0);
        outside
    });
    let plain: String = plain.collect();
    let names = plain.split("::").filter(|name| !name.is_empty());
    unraw(names.last().unwrap_or_default()).to_owned()
}

/// A name without what makes an identifier of a keyword, which is no part of it: descriptors have
/// it as rustc shows it, the translator has not.
fn unraw(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_arguments_are_no_part_of_a_name() {
        assert!(same_name("a::Map::<u8, b::List<i64>>::find", "find"));
        assert!(same_name("a::List<i64>", "List") && same_name("List::<(u8,)>", "List"));
        assert!(!same_name("a::find::<i64>", "i64") && !same_name("a::find", "a"));
    }

    #[test]
    fn an_identifier_may_be_a_keyword() {
        assert!(same_name("a::type", "r#type") && !same_name("a::type", "rtype"));
    }
}
