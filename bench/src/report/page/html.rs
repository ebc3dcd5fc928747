//! HTML. In: texts, rows. Out: elements. Invariant: every text is escaped, and every element is
//! closed, so that the page is well-formed XML as well.

/// A text as HTML: nothing of it is markup.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Control characters are no text of XML.
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A paragraph.
pub fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escape(text))
}

/// A table with a caption, whose first row is its header and whose first column names the rows.
pub fn table(caption: &str, rows: &[Vec<String>]) -> String {
    let Some((header, rows)) = rows.split_first() else {
        return String::new();
    };
    let header: String = header
        .iter()
        .map(|cell| format!("<th scope=\"col\">{}</th>", escape(cell)))
        .collect();
    let body: String = rows.iter().map(|row| table_row(row)).collect();
    format!(
        "<div class=\"table\"><table><caption>{}</caption>\n<thead><tr>{header}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n",
        escape(caption)
    )
}

fn table_row(cells: &[String]) -> String {
    let cell = |(column, cell): (usize, &String)| match column {
        0 => format!("<th scope=\"row\">{}</th>", escape(cell)),
        _ => format!("<td>{}</td>", escape(cell)),
    };
    let cells: String = cells.iter().enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}

/// The text shown on demand.
pub fn details(summary: &str, inside: &str) -> String {
    format!(
        "<details><summary>{}</summary>\n{inside}</details>\n",
        escape(summary)
    )
}

/// Seconds with three digits and their unit.
pub fn time(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (s * 1e3, "ms"),
        s if s >= 1e-6 => (s * 1e6, "µs"),
        s => (s * 1e9, "ns"),
    };
    format!("{} {unit}", three_digits(value))
}

/// A number with three digits, or all of its digits before the point.
pub fn three_digits(value: f64) -> String {
    match value {
        0.0 => "0".to_string(),
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v if v >= 0.9995 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

/// A factor.
pub fn times(factor: f64) -> String {
    format!("{}×", three_digits(factor))
}

/// Bytes in megabytes.
pub fn megabytes(bytes: f64) -> String {
    format!("{} MB", three_digits(bytes / 1e6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let text = "<script>alert(\"1\" & '2')</script>\u{1}";
        let escaped = "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;\u{fffd}";
        assert_eq!(escape(text), escaped);
        let rows = [vec!["a<b".to_string()], vec!["c>d".to_string()]];
        let table = table("x & y", &rows);
        assert!(table.contains("<caption>x &amp; y</caption>"), "{table}");
        assert!(table.contains("<th scope=\"row\">c&gt;d</th>"), "{table}");
    }

    #[test]
    fn numbers_have_units() {
        assert_eq!(time(1.5), "1.50 s");
        assert_eq!(time(0.0123), "12.3 ms");
        assert_eq!(time(4.567e-4), "457 µs");
        assert_eq!(time(2e-9), "2.00 ns");
        assert_eq!(times(104.6), "105×");
        assert_eq!(times(0.5), "0.500×");
        assert_eq!(megabytes(4_700_000.0), "4.70 MB");
    }
}
