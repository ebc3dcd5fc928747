//! Times as people write them, for native code. In: seconds since 1970. Out: years, months, days; a
//! text by C's `strftime`. Invariant: the calendar is the Gregorian one for all years; only what
//! the clocks of the system's place show comes from the system.
//!
//! Source: the C standard, `strftime` and `mktime`.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::fmt::Write;

const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The conversions of [`Date::written_by`] behind `%`, and those behind `%E` and `%O`.
const PLAIN: &[u8] = b"aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
const BEHIND_E: &[u8] = b"cCxXyY";
const BEHIND_O: &[u8] = b"deHImMSuUVwWy";

/// A time as people write it.
#[derive(Clone, Debug)]
pub struct Date {
    /// The year.
    pub year: i64,
    /// The month, from 1 on.
    pub month: i64,
    /// The day of the month, from 1 on.
    pub day: i64,
    /// The hour.
    pub hour: i64,
    /// The minute.
    pub minute: i64,
    /// The second.
    pub second: i64,
    /// The day of the week, Sunday being 0.
    pub weekday: i64,
    /// The day of the year, from 0 on.
    pub yearday: i64,
    /// Whether clocks show summer time.
    pub summer: bool,
    /// What clocks show is so many seconds later than at Greenwich.
    pub offset: i64,
    /// The name of that.
    pub zone: String,
}

/// The days from 1970 to a date.
fn days_to(year: i64, month: i64, day: i64) -> i64 {
    // The year begins in March here, so that a leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of so many days after 1970.
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// What clocks show in the place of the system: seconds from Greenwich, whether it is summer time,
/// the name.
fn offset_at(time: i64) -> (i64, bool, String) {
    let Ok(time) = Timestamp::from_second(time) else {
        return (0, false, "UTC".to_string());
    };
    let zone = TimeZone::system();
    let info = zone.to_offset_info(time);
    let seconds = i64::from(info.offset().seconds());
    (
        seconds,
        info.dst().is_dst(),
        info.abbreviation().to_string(),
    )
}

impl Date {
    /// A time as it is written here, or at Greenwich; `None` if the year is out of all bounds.
    pub fn new(time: i64, local: bool) -> Option<Date> {
        let (offset, summer, zone) = match local {
            true => offset_at(time),
            false => (0, false, "GMT".to_string()),
        };
        let shown = time.checked_add(offset)?;
        let (days, seconds) = (shown.div_euclid(86_400), shown.rem_euclid(86_400));
        let (year, month, day) = date_of(days);
        if i32::try_from(year - 1900).is_err() {
            return None;
        }
        Some(Date {
            year,
            month,
            day,
            hour: seconds / 3600,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            weekday: (days + 4).rem_euclid(7),
            yearday: days - days_to(year, 1, 1),
            summer,
            offset,
            zone,
        })
    }

    /// A text by a format; what stands behind `%` in it if that is nothing to put there.
    ///
    /// # Errors
    /// The rest of the format from a wrong conversion on.
    pub fn written_by(&self, format: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
        let mut out = Vec::new();
        let mut rest = format;
        while let [byte, behind @ ..] = rest {
            rest = behind;
            if *byte != b'%' {
                out.push(*byte);
                continue;
            }
            let (letter, length) = match behind {
                [b'E', letter, ..] if BEHIND_E.contains(letter) => (*letter, 2),
                [b'O', letter, ..] if BEHIND_O.contains(letter) => (*letter, 2),
                [letter, ..] if PLAIN.contains(letter) => (*letter, 1),
                _ => return Err(behind.to_vec()),
            };
            rest = &behind[length..];
            out.extend(self.conversion(letter).bytes());
        }
        Ok(out)
    }

    fn conversion(&self, letter: u8) -> String {
        let day = DAYS[self.weekday as usize];
        let month = MONTHS[self.month as usize - 1];
        let hour = (self.hour + 11) % 12 + 1;
        let half = if self.hour < 12 { "AM" } else { "PM" };
        let several = |letters: &[u8], between: &str| {
            let parts: Vec<String> = letters.iter().map(|&l| self.conversion(l)).collect();
            parts.join(between)
        };
        let (iso_year, iso_week) = self.iso_week();
        match letter {
            b'a' => day[..3].to_string(),
            b'A' => day.to_string(),
            b'b' | b'h' => month[..3].to_string(),
            b'B' => month.to_string(),
            b'c' => several(b"abeTY", " "),
            b'C' => format!("{:02}", self.year.div_euclid(100)),
            b'd' => format!("{:02}", self.day),
            b'D' | b'x' => several(b"mdy", "/"),
            b'e' => format!("{:2}", self.day),
            b'F' => several(b"Ymd", "-"),
            b'g' => format!("{:02}", iso_year.rem_euclid(100)),
            b'G' => iso_year.to_string(),
            b'H' => format!("{:02}", self.hour),
            b'I' => format!("{hour:02}"),
            b'j' => format!("{:03}", self.yearday + 1),
            b'm' => format!("{:02}", self.month),
            b'M' => format!("{:02}", self.minute),
            b'n' => "\n".to_string(),
            b'p' => half.to_string(),
            b'r' => format!("{} {half}", several(b"IMS", ":")),
            b'R' => several(b"HM", ":"),
            b'S' => format!("{:02}", self.second),
            b't' => "\t".to_string(),
            b'T' | b'X' => several(b"HMS", ":"),
            b'u' => ((self.weekday + 6) % 7 + 1).to_string(),
            b'U' => format!("{:02}", (self.yearday + 7 - self.weekday) / 7),
            b'V' => format!("{iso_week:02}"),
            b'w' => self.weekday.to_string(),
            b'W' => format!("{:02}", (self.yearday + 7 - (self.weekday + 6) % 7) / 7),
            b'y' => format!("{:02}", self.year.rem_euclid(100)),
            b'Y' => self.year.to_string(),
            b'z' => {
                let sign = if self.offset < 0 { '-' } else { '+' };
                let minutes = self.offset.abs() / 60;
                let mut text = String::new();
                write!(text, "{sign}{:02}{:02}", minutes / 60, minutes % 60).ok();
                text
            }
            b'Z' => self.zone.clone(),
            _ => "%".to_string(),
        }
    }

    /// The week that begins on Monday and has its Thursday in the year that it belongs to.
    fn iso_week(&self) -> (i64, i64) {
        let days = days_to(self.year, self.month, self.day);
        let thursday = days - (self.weekday + 6) % 7 + 3;
        let (year, ..) = date_of(thursday);
        (year, (thursday - days_to(year, 1, 1)) / 7 + 1)
    }
}

/// The seconds since 1970 of what clocks show here. Months, days and the rest may be out of their
/// ranges.
pub fn time_of(date: [i64; 6]) -> i64 {
    let [year, month, day, hour, minute, second] = date;
    let year = year + (month - 1).div_euclid(12);
    let days = days_to(year, (month - 1).rem_euclid(12) + 1, 1) + day - 1;
    let shown = days * 86_400 + hour * 3600 + minute * 60 + second;
    // The offset depends on the time that is to be found.
    let guess = shown - offset_at(shown).0;
    shown - offset_at(guess).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_there_and_back() {
        for days in (-800_000..800_000).step_by(97) {
            let (year, month, day) = date_of(days);
            assert_eq!(days_to(year, month, day), days);
        }
        assert_eq!(date_of(0), (1970, 1, 1));
        assert_eq!(date_of(11_016), (2000, 2, 29));
    }
}
