//! Places of the heap as the author of an interpreter knows them. In: places. Out: their names.
//! Invariant: a value of several words is one place: the fields and classes for its components,
//! which are named with `#` and a number, are shown once, as what the source declares.

use verdigris_ops::{Descrs, Places};

/// `*`, or the names of fields and, with `[]` behind them, of arrays.
pub(super) fn places(descrs: &Descrs, places: &Places) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for printed in printed(descrs, places) {
        let name = whole(&printed);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The names as forms have them.
fn printed(descrs: &Descrs, places: &Places) -> Vec<String> {
    let Places::Of { fields, items } = places else {
        return vec!["*".to_owned()];
    };
    let fields = fields.iter().map(|&field| descrs.field_name(field));
    let items = items
        .iter()
        .map(|&class| format!("{}[]", descrs.classes[class].name));
    fields.chain(items).collect()
}

/// The name of what a component is of.
fn whole(name: &str) -> String {
    let (rest, items) = match name.strip_suffix("[]") {
        Some(rest) => (rest, "[]"),
        None => (name, ""),
    };
    let is_number = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    match rest.rsplit_once('#') {
        Some((whole, number)) if is_number(number) => format!("{whole}{items}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn components_have_the_name_of_the_whole() {
        assert_eq!(whole("Global.value#0"), "Global.value");
        assert_eq!(whole("GcArray<V,T>#12[]"), "GcArray<V,T>[]");
        assert_eq!(whole("GcArray<V,T>[]"), "GcArray<V,T>[]");
        assert_eq!(whole("Global.r#type"), "Global.r#type");
    }
}
