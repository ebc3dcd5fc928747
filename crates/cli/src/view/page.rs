//! The page. In: a model. Out: one HTML file that loads nothing. Invariant: no text of a program can end the script element that holds it, or be taken for a part of
//! the template.

use super::model::Model;

const TEMPLATE: &str = include_str!("assets/template.html");
const STYLE: &str = include_str!("assets/viewer.css");
/// In the order in which they need each other.
const SCRIPTS: [&str; 6] = [
    include_str!("assets/data.js"),
    include_str!("assets/ties.js"),
    include_str!("assets/list.js"),
    include_str!("assets/rows.js"),
    include_str!("assets/search.js"),
    include_str!("assets/viewer.js"),
];

/// The page that shows a model.
pub fn html(model: &Model) -> String {
    let data = serde_json::to_string(model).expect("a model has nothing that JSON has not");
    // In JSON this character stands in strings alone.
    let data = data.replace('<', "\\u003c");
    let script = SCRIPTS.join("\n");
    let title = escape(&model.title);
    let mut page = String::with_capacity(data.len() + 100_000);
    let mut rest = TEMPLATE;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").expect("the template is ours");
        page.push_str(before);
        page.push_str(match name {
            "title" => &title,
            "style" => STYLE,
            "data" => &data,
            "script" => &script,
            name => unreachable!("the template has no {name}"),
        });
        rest = behind;
    }
    page.push_str(rest);
    page
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
