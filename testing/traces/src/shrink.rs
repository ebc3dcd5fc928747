//! Smaller traces. In: the text of a trace with a fault, and how to see that a text has it. Out: a text with the fault in which every line
//! is needed. Invariant: what is left is a text that has the fault; it ends, as each step makes it shorter.
//!
//! Source: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002), with the complements alone.

/// The lines of `text` that are needed for `fails` to hold, which holds for the whole.
pub fn lines(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut kept: Vec<&str> = text.lines().collect();
    let mut size = kept.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let before = kept.len();
        while at < kept.len() {
            let end = kept.len().min(at + size);
            let without = [&kept[..at], &kept[end..]].concat();
            match fails(&joined(&without)) {
                true => kept = without,
                false => at = end,
            }
        }
        match size {
            1 if kept.len() == before => return joined(&kept),
            _ => size = (size / 2).max(1),
        }
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn what_is_needed_is_left() {
        let text: String = (0..100).map(|n| format!("{n}\n")).collect();
        let fails = |text: &str| {
            let has = |wanted: &str| text.lines().any(|line| line == wanted);
            has("17") && has("18") && has("93")
        };
        assert_eq!(lines(&text, fails), "17\n18\n93\n");
        assert_eq!(lines("1\n", |_| true), "");
    }
}
