//! The language of format specifications. In: a specification, and a number or a text. Out: a text.
//! Invariant: it knows nothing of values; what is not there yet says so.
//!
//! Source: "Format Specification Mini-Language" of Python's library reference, 3.11.

use language_support::decimal;

/// A format specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// What fills the width.
    pub fill: char,
    /// `<`, `>`, `^` or `=`.
    pub align: Option<char>,
    /// `+`, `-` or a space.
    pub sign: char,
    /// `z`: what is rounded to zero has no sign.
    pub unsigned_zero: bool,
    /// `#`
    pub alternate: bool,
    /// The least width.
    pub width: usize,
    /// `,` or `_`.
    pub grouping: Option<char>,
    /// The precision.
    pub precision: Option<usize>,
    /// The kind of presentation.
    pub kind: Option<char>,
}

impl Spec {
    /// Reads a specification.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Spec, String> {
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let is_align = |c: Option<&char>| c.is_some_and(|c| "<>^=".contains(*c));
        let mut spec = Spec {
            fill: ' ',
            align: None,
            sign: '-',
            unsigned_zero: false,
            alternate: false,
            width: 0,
            grouping: None,
            precision: None,
            kind: None,
        };
        if is_align(chars.get(1)) {
            spec.fill = chars[0];
            spec.align = Some(chars[1]);
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        if let Some(&sign) = chars.get(at).filter(|c| "+- ".contains(**c)) {
            spec.sign = sign;
            at += 1;
        }
        if chars.get(at) == Some(&'z') {
            spec.unsigned_zero = true;
            at += 1;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if chars.get(at) == Some(&'0') {
            if spec.align.is_none() {
                spec.fill = '0';
                spec.align = Some('=');
            }
            at += 1;
        }
        let number = |at: &mut usize| {
            let start = *at;
            while chars.get(*at).is_some_and(char::is_ascii_digit) {
                *at += 1;
            }
            let digits: String = chars[start..*at].iter().collect();
            match digits.is_empty() {
                true => Ok(None),
                false => match digits.parse::<usize>() {
                    Ok(n) if n <= i32::MAX as usize => Ok(Some(n)),
                    _ => Err("Too many decimal digits in format string".to_string()),
                },
            }
        };
        spec.width = number(&mut at)?.unwrap_or(0);
        if let Some(&grouping) = chars.get(at).filter(|c| ",_".contains(**c)) {
            spec.grouping = Some(grouping);
            at += 1;
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            let precision = number(&mut at)?;
            spec.precision = Some(precision.ok_or("Format specifier missing precision")?);
        }
        if let Some(&kind) = chars.get(at) {
            spec.kind = Some(kind);
            at += 1;
        }
        match at == chars.len() {
            true => Ok(spec),
            false => Err("Invalid format specifier".to_string()),
        }
    }

    /// A text in the width, aligned; `sign` comes before what fills with `=`.
    fn padded(&self, sign: &str, body: &str, default: char) -> String {
        let len = sign.chars().count() + body.chars().count();
        let missing = self.width.saturating_sub(len);
        let fill = |n: usize| self.fill.to_string().repeat(n);
        match self.align.unwrap_or(default) {
            '<' => format!("{sign}{body}{}", fill(missing)),
            '^' => {
                let left = missing / 2;
                format!("{}{sign}{body}{}", fill(left), fill(missing - left))
            }
            '=' => format!("{sign}{}{body}", fill(missing)),
            _ => format!("{}{sign}{body}", fill(missing)),
        }
    }

    fn sign_of(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, '+') => "+",
            (false, ' ') => " ",
            _ => "",
        }
    }

    /// A text.
    ///
    /// # Errors
    /// What the specification has that is not for texts.
    pub fn text(&self, text: &str) -> Result<String, String> {
        match self.kind {
            None | Some('s') => {}
            Some(kind) => {
                return Err(format!(
                    "Unknown format code '{kind}' for object of type 'str'"
                ));
            }
        }
        if self.sign != '-' {
            return Err("Sign not allowed in string format specifier".to_string());
        }
        if self.unsigned_zero {
            let message = "Negative zero coercion (z) not allowed in string format specifier";
            return Err(message.to_string());
        }
        if self.alternate {
            let message = "Alternate form (#) not allowed in string format specifier";
            return Err(message.to_string());
        }
        if let Some(grouping) = self.grouping {
            return Err(format!("Cannot specify '{grouping}' with 's'."));
        }
        if self.align == Some('=') && self.fill != '0' {
            let message = "'=' alignment not allowed in string format specifier";
            return Err(message.to_string());
        }
        let cut: String = match self.precision {
            Some(precision) => text.chars().take(precision).collect(),
            None => text.to_string(),
        };
        let mut own = self.clone();
        if own.align == Some('=') {
            own.align = Some('<');
        }
        Ok(own.padded("", &cut, '<'))
    }

    /// An integer, of which `digits` gives the digits of its magnitude in a base.
    ///
    /// # Errors
    /// What the specification has that is not for integers.
    pub fn integer(
        &self,
        negative: bool,
        digits: impl Fn(u32) -> String,
    ) -> Result<String, String> {
        if self.precision.is_some() {
            return Err("Precision not allowed in integer format specifier".to_string());
        }
        if self.unsigned_zero {
            let message = "Negative zero coercion (z) not allowed in integer format specifier";
            return Err(message.to_string());
        }
        let kind = self.kind.unwrap_or('d');
        let (base, prefix, group) = match kind {
            // Where no language is chosen, numbers have no separators of their own.
            'd' | 'n' => (10, "", 3),
            'b' => (2, "0b", 4),
            'o' => (8, "0o", 4),
            'x' => (16, "0x", 4),
            'X' => (16, "0X", 4),
            _ => {
                return Err(format!(
                    "Unknown format code '{kind}' for object of type 'int'"
                ));
            }
        };
        if self.grouping == Some(',') && base != 10 {
            return Err(format!("Cannot specify ',' with '{kind}'."));
        }
        let mut body = digits(base);
        if kind == 'X' {
            body = body.to_uppercase();
        }
        let prefix = if self.alternate { prefix } else { "" };
        let sign = format!("{}{prefix}", self.sign_of(negative));
        let body = self.grouped(&body, "", group, sign.chars().count());
        Ok(self.padded(&sign, &body, '>'))
    }

    /// Digits with separators; zeros that fill belong to the groups.
    fn grouped(&self, whole: &str, rest: &str, group: usize, sign: usize) -> String {
        let Some(separator) = self.grouping else {
            return format!("{whole}{rest}");
        };
        let mut digits = whole.to_string();
        let separated = |digits: &str| {
            let mut made = String::new();
            for (n, digit) in digits.chars().enumerate() {
                if n > 0 && (digits.len() - n).is_multiple_of(group) {
                    made.push(separator);
                }
                made.push(digit);
            }
            made
        };
        if self.fill == '0' && self.align == Some('=') {
            while sign + separated(&digits).len() + rest.len() < self.width {
                digits.insert(0, '0');
            }
        }
        separated(&digits) + rest
    }

    /// A float. `repr` is how it is shown without a specification.
    ///
    /// # Errors
    /// What the specification has that is not for floats.
    pub fn float(&self, x: f64, repr: &str) -> Result<String, String> {
        let negative = x.is_sign_negative() && !x.is_nan();
        let magnitude = x.abs();
        let body = match self.kind {
            Some(kind) => {
                let plain = if kind == 'n' { 'g' } else { kind };
                digits(
                    plain,
                    magnitude,
                    self.precision.unwrap_or(6),
                    self.alternate,
                )
                .ok_or_else(|| format!("Unknown format code '{kind}' for object of type 'float'"))?
            }
            None => match self.precision {
                None => repr.trim_start_matches('-').to_string(),
                Some(precision) => shortened(magnitude, precision),
            },
        };
        let mantissa = body.split(['e', 'E']).next().unwrap_or_default();
        let is_zero = !mantissa.contains(|c: char| matches!(c, '1'..='9' | 'n' | 'N'));
        let sign = self.sign_of(negative && !(self.unsigned_zero && is_zero));
        let split = body
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(body.len());
        let (whole, rest) = body.split_at(split);
        let body = match whole.is_empty() {
            true => body,
            false => self.grouped(whole, rest, 3, sign.len()),
        };
        Ok(self.padded(sign, &body, '>'))
    }
}

/// The digits of a magnitude in a kind of presentation; `None` if there is no such kind.
pub fn digits(kind: char, x: f64, precision: usize, alternate: bool) -> Option<String> {
    let upper = kind.is_ascii_uppercase();
    let case = |text: String| if upper { text.to_uppercase() } else { text };
    if !"eEfFgG%".contains(kind) {
        return None;
    }
    if !x.is_finite() {
        let text = if x.is_nan() { "nan" } else { "inf" };
        let end = if kind == '%' { "%" } else { "" };
        return Some(case(format!("{text}{end}")));
    }
    Some(case(match kind {
        'f' | 'F' => with_point(decimal::fixed(x, precision), alternate),
        '%' => decimal::fixed(x * 100.0, precision) + "%",
        'e' | 'E' => exponential(x, precision, alternate),
        _ => general(x, precision, alternate),
    }))
}

fn with_point(text: String, alternate: bool) -> String {
    match alternate && !text.contains('.') {
        true => text + ".",
        false => text,
    }
}

fn exponential(x: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let mantissa = with_point(mantissa.to_string(), alternate);
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// The exponent of a number that is rounded to so many digits.
fn exponent_of(x: f64, digits: usize) -> i32 {
    let text = format!("{x:.*e}", digits - 1);
    let exponent = text.split_once('e').map_or("0", |(_, exponent)| exponent);
    exponent.parse().unwrap_or(0)
}

fn general(x: f64, precision: usize, alternate: bool) -> String {
    let precision = precision.max(1);
    let exponent = exponent_of(x, precision);
    if (-4..precision as i32).contains(&exponent) {
        let text = format!("{x:.*}", (precision as i32 - 1 - exponent).max(0) as usize);
        return match alternate {
            true => with_point(text, true),
            false => stripped(text),
        };
    }
    let text = exponential(x, precision - 1, alternate);
    match (alternate, text.split_once('e')) {
        (false, Some((mantissa, exponent))) => {
            format!("{}e{exponent}", stripped(mantissa.to_string()))
        }
        _ => text,
    }
}

/// Without zeros at the end of the fraction.
fn stripped(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

/// As `g`, but with at least one digit behind the point.
fn shortened(x: f64, precision: usize) -> String {
    if !x.is_finite() {
        return if x.is_nan() { "nan" } else { "inf" }.to_string();
    }
    let precision = precision.max(1);
    let exponent = exponent_of(x, precision);
    if (-4..precision as i32 - 1).contains(&exponent) {
        let text = general(x, precision, false);
        return match text.contains('.') {
            true => text,
            false => text + ".0",
        };
    }
    let text = exponential(x, precision - 1, false);
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", stripped(mantissa.to_string())),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::Spec;

    fn float(spec: &str, x: f64) -> String {
        let spec = Spec::parse(spec).expect("it is one");
        spec.float(x, &format!("{x}")).expect("it is for floats")
    }

    fn int(spec: &str, x: i64) -> String {
        let spec = Spec::parse(spec).expect("it is one");
        let digits = |base| match base {
            16 => format!("{:x}", x.abs()),
            2 => format!("{:b}", x.abs()),
            _ => x.abs().to_string(),
        };
        spec.integer(x < 0, digits).expect("it is for integers")
    }

    #[test]
    fn numbers_are_formatted_as_in_cpython() {
        assert_eq!(float(".2f", 2.71301), "2.71");
        assert_eq!(float("10.3e", 12345.678), " 1.235e+04");
        assert_eq!(float("g", 1e20), "1e+20");
        assert_eq!(float("g", 0.0001), "0.0001");
        assert_eq!(float("+.1%", 0.256), "+25.6%");
        assert_eq!(float(",.2f", 1234567.891), "1,234,567.89");
        assert_eq!(float(".3", 1234.5), "1.23e+03");
        assert_eq!(float(".3", 2.0), "2.0");
        assert_eq!(int("08,d", 1234), "0,001,234");
        assert_eq!(int("#x", -255), "-0xff");
        assert_eq!(int("^7", 42), "  42   ");
        assert_eq!(int("+05d", 42), "+0042");
        assert_eq!(int("b", 5), "101");
    }

    #[test]
    fn texts_are_cut_and_aligned() {
        let spec = Spec::parse("*^7.3").expect("it is one");
        assert_eq!(spec.text("abcdef").expect("it is for texts"), "**abc**");
    }
}
