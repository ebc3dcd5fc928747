//! Adds the texts of source files to a model, and the colours of the interpreter's values. A file
//! that cannot be read has no lines; that is no error, because a log may come from elsewhere, and
//! the library's files are in no package.

use super::model::{ColourMark, ViewFile, ViewModel};
use crate::source::package_folder;
use std::path::Path;
use verdigris_build::Cfg;
use verdigris_colours::{ColourReport, Shade};

/// Reads the guest program's files.
pub fn add_guest(model: &mut ViewModel, folder: &Path) {
    for file in model.files.iter_mut().filter(|file| file.guest) {
        let text = std::fs::read(folder.join(&file.path)).unwrap_or_default();
        file.lines = lines(&String::from_utf8_lossy(&text));
    }
}

/// Reads the interpreter's files, with their colours. Returns why there are no colours, if there
/// are none.
pub fn add_interpreter(model: &mut ViewModel, root: &Path, cfgs: &[(&str, Cfg)]) -> Option<String> {
    let folder = package_folder(root);
    let coloured = verdigris_build::colour_crate(root, cfgs);
    for file in model.files.iter_mut().filter(|file| !file.guest) {
        let path = folder.join(&file.path);
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        file.lines = lines(&text);
        if let Ok(coloured) = &coloured {
            add_colours(file, &text, &coloured.report);
        }
    }
    coloured.err().map(|diagnostics| diagnostics.render(false))
}

fn lines(text: &str) -> Vec<String> {
    text.lines()
        .map(|line| line.replace('\t', "    "))
        .collect()
}

/// Adds the colours of the file with this text. Paths may have different prefixes.
fn add_colours(file: &mut ViewFile, text: &str, report: &ColourReport) {
    let report_of = |path: &str| {
        let mut files = report.files.iter();
        files.find(|f| f.text == text && Path::new(&f.path).ends_with(path))
    };
    let Some(coloured) = report_of(&file.path) else {
        return;
    };
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    for paint in &coloured.paints {
        let shade = match paint.shade {
            Shade::Green => 'g',
            Shade::Red => 'r',
            Shade::Both => 'b',
        };
        let (mut lo, hi) = (paint.span.lo as usize, paint.span.hi as usize);
        let mut line = starts.partition_point(|start| *start <= lo) - 1;
        // A part may span several lines.
        while lo < hi {
            let next = starts.get(line + 1).copied().unwrap_or(text.len() + 1);
            let end = hi.min(next - 1);
            let start = starts[line];
            if lo < end && end <= text.len() && !text[start..end].contains('\t') {
                let units = |to: usize| text[start..to].encode_utf16().count();
                let mark = ColourMark {
                    range: (units(lo), units(end)),
                    shade,
                    why: report.reason(paint),
                };
                match file.marks.last_mut() {
                    Some((last, marks)) if *last == line => marks.push(mark),
                    _ => file.marks.push((line, vec![mark])),
                }
            }
            lo = next;
            line += 1;
        }
    }
}
