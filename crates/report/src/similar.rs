//! Which known words may have been meant where another one is written.
//!
//! The distance of two words is the number of letters that are put in, left out or replaced, and of
//! neighbours that have changed places. Source: F. J. Damerau, "A technique for computer detection
//! and correction of spelling errors" (1964), with each letter changed once.

/// Words of so many letters may be written with one mistake more.
const LETTERS: usize = 3;

/// The words that are near, the nearest first.
pub fn similar<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().collect();
    let most = word.len().div_ceil(LETTERS);
    let with_distance = known.into_iter().map(|known| {
        let letters: Vec<char> = known.to_lowercase().chars().collect();
        (distance(&word, &letters), known)
    });
    let mut near: Vec<(usize, &str)> = with_distance.filter(|(d, _)| *d <= most).collect();
    near.sort();
    // What is much further than the nearest was not meant.
    let least = near.first().map_or(0, |(distance, _)| *distance);
    near.retain(|(distance, _)| *distance == least);
    near.into_iter().map(|(_, known)| known).collect()
}

/// The question behind a message about a word that is not known; empty if nothing is near.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = similar(word, known);
    match near.is_empty() {
        true => String::new(),
        false => format!("; did you mean `{}`?", near.join("` or `")),
    }
}

fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = match (i, j) {
                (0, n) | (n, 0) => n,
                _ => {
                    let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                    let least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                    match swaps {
                        true => least.min(rows[i - 2][j - 2] + 1),
                        false => least,
                    }
                }
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_seen_through() {
        let known = ["threshold", "function_threshold", "decay", "deopt", "opt"];
        for word in ["treshold", "threshhold", "thershold", "THRESHOLD"] {
            assert_eq!(similar(word, known), ["threshold"], "{word}");
        }
        assert_eq!(similar("dopt", known), ["deopt", "opt"]);
        assert_eq!(similar("nonsense", known), [""; 0]);
        assert_eq!(similar("", known), [""; 0]);
    }

    #[test]
    fn the_question_names_all_of_them() {
        assert_eq!(
            did_you_mean("dopt", ["deopt", "opt"]),
            "; did you mean `deopt` or `opt`?"
        );
        assert_eq!(did_you_mean("xyz", ["deopt"]), "");
    }
}
