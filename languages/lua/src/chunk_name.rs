//! What a chunk is called. In: the name that a program gives it. Out: the same for messages.
//! Invariant: what messages show has at most 59 bytes.
//!
//! Source: Lua 5.4 reference manual, sections 6.1 (`load`) and 4.7 (`lua_Debug`).

/// The most bytes that messages show.
const MAX_SHORT: usize = 59;

/// The names of a chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct ChunkName {
    /// With a mark what it is: `@` a file, `=` a name, else it is the text itself.
    pub source: Vec<u8>,
    /// Without that mark.
    pub long: String,
    /// As messages show it.
    pub short: String,
}

impl ChunkName {
    /// The names of a chunk with this one.
    pub fn new(source: &[u8]) -> ChunkName {
        let long = match source {
            [b'=' | b'@', name @ ..] => name,
            _ => source,
        };
        ChunkName {
            source: source.to_vec(),
            long: String::from_utf8_lossy(long).into_owned(),
            short: String::from_utf8_lossy(&short(source)).into_owned(),
        }
    }

    /// The name of a file.
    pub fn file(path: &str) -> ChunkName {
        ChunkName::new(format!("@{path}").as_bytes())
    }
}

fn short(source: &[u8]) -> Vec<u8> {
    match source {
        [b'=', name @ ..] => name[..name.len().min(MAX_SHORT)].to_vec(),
        [b'@', name @ ..] if name.len() <= MAX_SHORT => name.to_vec(),
        [b'@', name @ ..] => [b"...", &name[name.len() - (MAX_SHORT - 3)..]].concat(),
        _ => {
            let room = MAX_SHORT + 1 - b"[string \"...\"]\0".len();
            let line = source.split(|&byte| byte == b'\n').next().unwrap_or(b"");
            if line.len() == source.len() && line.len() < room {
                return [b"[string \"", line, b"\"]"].concat();
            }
            let shown = &line[..line.len().min(room)];
            [b"[string \"", shown, b"...\"]"].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_show_the_beginning_of_a_text_and_the_end_of_a_path() {
        let short = |source: &str| ChunkName::new(source.as_bytes()).short;
        assert_eq!(short("=stdin"), "stdin");
        assert_eq!(short("@a.lua"), "a.lua");
        assert_eq!(short("x = 1"), "[string \"x = 1\"]");
        assert_eq!(short("x = 1\ny = 2"), "[string \"x = 1...\"]");
        let path = format!("@{}", "p".repeat(70));
        assert_eq!(short(&path), format!("...{}", "p".repeat(56)));
        let text = "t".repeat(70);
        assert_eq!(short(&text), format!("[string \"{}...\"]", &text[..45]));
    }
}
