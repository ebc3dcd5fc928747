//! Queries as a recording has them, read again.

use crate::queries::{Answer, NONE, Query};
use verdigris_ops::text::name;
use verdigris_ops::{DataOp, DescrKind, Descrs};

impl Query {
    /// The words that it is about.
    pub fn words(&self) -> &[u64] {
        match self {
            Query::Load(_, _, words) | Query::Call(_, words) => words,
            Query::Specialises(words) | Query::Code(words) => words,
            Query::Assume(object, _) | Query::Object(object) | Query::Class(object) => {
                std::slice::from_ref(object)
            }
            Query::Keeps | Query::Entrance(_) => &[],
        }
    }
}

/// Reads words.
pub(crate) fn parse_words(text: &str) -> Result<Vec<u64>, String> {
    text.split_whitespace().map(parse_word).collect()
}

/// Reads a word.
pub(crate) fn parse_word(text: &str) -> Result<u64, String> {
    let digits = text.strip_prefix("0x");
    let word = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    word.ok_or_else(|| format!("`{text}` is not a word such as 0x2a"))
}

/// Reads the line of a query and its answer.
pub(crate) fn parse(descrs: &Descrs, line: &str) -> Result<(Query, Answer), String> {
    let (kind, _) = line.split_once(' ').unwrap_or((line, ""));
    let split = match kind {
        // The class has a name, the object has none.
        "class" => line.split_once(" ="),
        _ => line.rsplit_once(" ="),
    };
    let (asked, answer) = split.ok_or("a question has an answer behind ` =`")?;
    let (asked, of) = asked.split_once(" of ").unwrap_or((asked, ""));
    let mut args = asked.split_whitespace().skip(1);
    let op = match kind {
        "load" => args.next().unwrap_or(""),
        _ => "",
    };
    let args: Vec<u64> = args.map(parse_word).collect::<Result<_, _>>()?;
    let one = || match args[..] {
        [word] => Ok(word),
        _ => Err(format!("`{kind}` is about one word")),
    };
    let function = || descrs.fn_by_name(of).ok_or_else(|| unknown("function", of));
    let field = || (descrs.field_by_name(of)).ok_or_else(|| unknown("field", of));
    let class = |name: &str| (descrs.class_by_name(name)).ok_or_else(|| unknown("class", name));
    let question = match kind {
        "load" => {
            let op = DataOp::from_name(op).ok_or_else(|| format!("there is no operation {op}"))?;
            let descr = match op.descr_kind() {
                DescrKind::Field => field()?.into(),
                DescrKind::Class | DescrKind::Array => class(of)?.into(),
                DescrKind::None => return Err(format!("{} is no load", op.name())),
            };
            Query::Load(op, descr, args.into())
        }
        "assume" => Query::Assume(one()?, field()?),
        "keeps" => Query::Keeps,
        "call" => Query::Call(function()?, args.into()),
        "specialises" => Query::Specialises(args.into()),
        "object" => Query::Object(one()?),
        "class" => Query::Class(one()?),
        "code" => Query::Code(args.into()),
        "entrance" => Query::Entrance(function()?),
        _ => return Err(format!("there is no query `{kind}`")),
    };
    let answer = match (&question, answer.trim()) {
        (_, NONE) => None,
        (Query::Class(_), name) => Some(vec![class(name)?.as_u32().into()]),
        (_, answer) => Some(parse_words(answer)?),
    };
    let count = answer.as_ref().map(Vec::len);
    let fits = match question {
        Query::Call(function, _) => {
            count.is_none_or(|count| count == descrs.fns[function].ret.len())
        }
        Query::Class(_) | Query::Entrance(_) => count.is_none_or(|count| count == 1),
        _ => count == Some(1),
    };
    match fits {
        true => Ok((question, answer)),
        false => Err(format!(
            "`{kind}` has another number of words as its answer"
        )),
    }
}

fn unknown(what: &str, of: &str) -> String {
    format!("there is no {what} {}", name(of))
}
