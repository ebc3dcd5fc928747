//! Pages and sections of the book as text for a terminal.

use std::fmt::Write;

/// Links lead to pages of the book, which are not beside a page that is printed: those of the
/// reference, if a link does not say otherwise. `[text](../book/src/reference/file.md)` and
/// `[text](file.md)` are `text (the book's reference/file.md)`; what leads to the same page is its
/// text.
pub fn without_links(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, shown, target, after)) = next_link(rest) {
        let _ = write!(text, "{before}{shown}");
        if let Some(page) = page_of(target) {
            let _ = write!(text, " (the book's {page})");
        }
        rest = after;
    }
    text + rest
}

/// The page of the book that a link leads to, unless it is this one.
fn page_of(target: &str) -> Option<String> {
    let file = target.split('#').next().unwrap_or_default();
    let up = file.strip_prefix("../");
    Some(match (file.split_once("book/src/"), up) {
        (Some((_, page)), _) => page.to_owned(),
        (None, Some(page)) => page.to_owned(),
        (None, None) if file.is_empty() => return None,
        (None, None) => format!("reference/{file}"),
    })
}

/// The first link: what stands before it, its text, where it leads, and what stands behind it.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, link) = text.split_once("](")?;
    let (target, after) = link.split_once(')')?;
    let (before, shown) = before.rsplit_once('[')?;
    Some((before, shown, target, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdigris_explain::Topic;

    #[test]
    fn links_say_where_they_lead() {
        let page = "A [list](../book/src/reference/subset.md) and\n[x](../book/src/a.md#b). f[i](y";
        assert_eq!(
            without_links(page),
            "A list (the book's reference/subset.md) and\nx (the book's a.md). f[i](y"
        );
        let page = "[a](frame.md#b), [c](#d), [e](../decisions/f.md)";
        assert_eq!(
            without_links(page),
            "a (the book's reference/frame.md), c, e (the book's decisions/f.md)"
        );
        for topic in Topic::ALL {
            assert!(!without_links(topic.page()).contains("]("), "{topic:?}");
        }
    }
}
