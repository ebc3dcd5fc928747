//! The coloured source as one self-contained HTML page. Source text is escaped.

use super::text::{pieces, shown_lines};
use super::{ColourReport, Shade};
use std::fmt::Write;

const HEAD: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Colours</title>
<style>
:root { color-scheme: light dark; --back: #fff; --text: #333; --dim: #777; --green: #00702c; --red: #b3001b; --both: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181c; --text: #ccc; --dim: #888; --green: #5fd38a; --red: #ff7b86; --both: #e6b450; }
}
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; margin: 2rem; }
pre { font: 13px/1.6 ui-monospace, monospace; overflow-x: auto; }
h2 { font-size: 1rem; margin-top: 2rem; }
.n { color: var(--dim); user-select: none; }
.g { color: var(--green); }
.r { color: var(--red); cursor: help; }
.b { color: var(--both); cursor: help; text-decoration: underline; }
.r:hover, .b:hover { outline: 1px solid; }
</style>
</head>
<body>
<p><span class="g">Green</span>: known wherever the position in the guest program is known.
<span class="r">Red</span>: known only when the program runs; hover to see why.
<span class="b">Both</span>: it depends on who calls the function.</p>
"#;

impl ColourReport {
    /// The page.
    pub fn html(&self) -> String {
        let mut out = HEAD.to_string();
        for file in &self.files {
            let _ = writeln!(out, "<h2>{}</h2>\n<pre>", escape(&file.path));
            let mut last = None;
            for (number, range) in shown_lines(file) {
                if last.is_some_and(|last| last + 1 != number) {
                    out.push_str("<span class=\"n\">  ...</span>\n");
                }
                last = Some(number);
                let _ = write!(out, "<span class=\"n\">{number:5}  </span>");
                for (range, paint) in pieces(file, range) {
                    let text = escape(file.text.get(range).unwrap_or(""));
                    let _ = match paint {
                        None => write!(out, "{text}"),
                        Some(paint) if paint.shade == Shade::Green => {
                            write!(out, "<span class=\"g\">{text}</span>")
                        }
                        Some(paint) => {
                            let class = if paint.shade == Shade::Red { "r" } else { "b" };
                            let why = escape(&self.reason(paint)).replace('\n', "&#10;");
                            write!(out, "<span class=\"{class}\" title=\"{why}\">{text}</span>")
                        }
                    };
                }
                out.push('\n');
            }
            out.push_str("</pre>\n");
        }
        out.push_str("</body>\n</html>\n");
        out
    }
}

/// Text as it is written in a page.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}
