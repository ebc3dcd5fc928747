//! A report in its forms: text for people, and JSON, SARIF and lines for programs.

mod data;
mod sarif;
mod text;

#[cfg(test)]
mod tests;

use crate::model::Report;
use crate::rank::{Finding, rank};
use verdigris_report::{SourcePos, Terminal};

/// The findings of the text, unless more are asked for.
const FINDINGS: usize = 5;

/// The form of a report: the argument of a command's option `--explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportForm {
    /// For people: the findings that cost most, and the hottest code.
    Text,
    /// For people: everything.
    All,
    /// One JSON object on one line: the findings, then what was measured.
    Json,
    /// A log of SARIF 2.1.0, which editors and services for continuous integration show.
    Sarif,
    /// A line `file:line: note: ..` for each finding, which editors jump to.
    Notes,
}

impl ReportForm {
    /// The names of all forms.
    pub const NAMES: &'static str = "text, all, json, sarif, notes";

    /// Reads a name.
    ///
    /// # Errors
    /// If there is no such form.
    pub fn parse(text: &str) -> Result<ReportForm, String> {
        match text {
            "text" => Ok(ReportForm::Text),
            "all" => Ok(ReportForm::All),
            "json" => Ok(ReportForm::Json),
            "sarif" => Ok(ReportForm::Sarif),
            "notes" => Ok(ReportForm::Notes),
            _ => Err(format!("there is no form {text:?}: {}", ReportForm::NAMES)),
        }
    }
}

/// How a report becomes text.
pub struct Render<'a> {
    /// The most findings of the text.
    pub most: usize,
    /// What to write on the command line to see the findings that are left out, given how many
    /// there are.
    pub more: &'a dyn Fn(usize) -> String,
    /// The text of a file of the guest program.
    pub source: &'a dyn Fn(&str) -> Option<String>,
    /// What shows the text.
    pub terminal: Terminal,
}

impl Render<'_> {
    /// With the files that this process can read, for a file or a pipe.
    pub fn with_files() -> Render<'static> {
        Render {
            most: FINDINGS,
            more: &|_| "--explain=all".to_owned(),
            source: &|file| std::fs::read_to_string(file).ok(),
            terminal: Terminal::default(),
        }
    }

    /// Reports in one of the forms, without a line break at the end. Those of several VMs are one
    /// SARIF log, and otherwise follow each other.
    pub fn form(&self, reports: &[Report], form: ReportForm) -> String {
        let each = |show: &dyn Fn(&Report) -> String, between| {
            let texts: Vec<String> = reports.iter().map(show).collect();
            texts.join(between)
        };
        match form {
            ReportForm::Text => each(&|report| self.text(report), "\n\n"),
            ReportForm::All => {
                let all = Render {
                    most: usize::MAX,
                    ..*self
                };
                each(&|report| all.text(report), "\n\n")
            }
            ReportForm::Json => each(&|report| self.json(report), "\n"),
            ReportForm::Sarif => self.sarif(reports),
            ReportForm::Notes => each(&|report| self.notes(report), "\n"),
        }
    }

    /// The guest program's line at a place.
    fn line(&self, place: &SourcePos) -> Option<String> {
        let number = place.line?.checked_sub(1)? as usize;
        let text = (self.source)(place.file.as_ref()?)?;
        let line = text.lines().nth(number)?.trim();
        (!line.is_empty()).then(|| line.to_owned())
    }
}

/// The findings that cost anything.
fn findings(report: &Report) -> Vec<Finding> {
    let mut findings = rank(report);
    findings.retain(|finding| finding.seconds > 0.0);
    findings
}

impl Report {
    /// The report in one of the forms, for standard error, with lines of the guest program's files
    /// as far as they can be read.
    pub fn show(&self, form: ReportForm) -> String {
        let render = Render {
            terminal: Terminal::stderr(),
            ..Render::with_files()
        };
        render.form(std::slice::from_ref(self), form)
    }
}
