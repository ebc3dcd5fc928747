//! The page: one HTML file that loads nothing. No text of a program can end the script element that
//! holds it, or be taken for a part of the template.

use super::model::ViewModel;

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
pub fn html(model: &ViewModel) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::model::ViewFile;

    #[test]
    fn no_text_of_a_program_ends_the_script() {
        let line = "</script><script>alert(1)</script> {{data}} <!-- \u{2028}";
        let mut model = ViewModel {
            title: "a </title> & {{script}}".to_string(),
            ..ViewModel::default()
        };
        model.files.push(ViewFile {
            path: "</script>".to_string(),
            guest: true,
            lines: vec![line.to_string()],
            marks: Vec::new(),
        });
        let page = html(&model);
        assert_eq!(
            page.matches("</script>").count(),
            2,
            "those of the template"
        );
        assert_eq!(page.matches("<title>").count(), 1);
        let data = page.split("id=\"model\">").nth(1).expect("the data");
        let data = data.split("</script>").next().expect("their end");
        let read: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
        assert_eq!(read["files"][0]["lines"][0], line);
        assert_eq!(read["title"], model.title);
    }
}
