//! The driver of the translator. Mistakes in the source are diagnostics, all of them, never a
//! panic.

use crate::translation::{Coloured, Translation};
use crate::{glue, lower, mistakes};
use cranelift_entity::PrimaryMap;
use std::io::ErrorKind;
use std::path::Path;
use verdigris_colours::{ColourInput, ColourReport, analyse, findings, red_dispatch};
use verdigris_front::tast::{self, FileId, SourceFile};
use verdigris_front::{
    Cfg, DiagCode, Diagnostic, Diagnostics, check_configured, check_crate, check_source,
    check_source_configured,
};
use verdigris_graph as graph;
use verdigris_jitcode::verify;

/// Stack for the walk over syntax trees; the front end bounds their depth.
const STACK: usize = 256 << 20;

/// Translates the crate whose root file is `root` (as `src/main.rs`, relative to the package): what
/// a build script calls. Writes `verdigris.rs`, `verdigris.unit` and `verdigris.graph` to
/// `OUT_DIR`. If the source has mistakes that concern the JIT, writes them down for the macros of
/// Verdigris, which report them at their places in the source; the crate cannot be compiled then.
///
/// If files cannot be written, or the translator itself fails, says so and ends the process with
/// status 1.
pub fn translate(root: &str) {
    translate_configured(root, &[]);
}

/// As [`translate`], of a crate with conditions of its own: those that the build script tells rustc
/// by `cargo::rustc-cfg`, or does not. Cargo tells the build script of features and of the target,
/// but not of what it prints itself.
///
/// ```no_run
/// use verdigris_build::{Cfg, translate_configured};
///
/// println!("cargo::rustc-check-cfg=cfg(small, words, values(\"32\", \"64\"))");
/// println!("cargo::rustc-cfg=words=\"64\"");
/// let words = Cfg::Values(vec!["64".to_owned()]);
/// translate_configured("src/main.rs", &[("small", Cfg::Unset), ("words", words)]);
/// ```
pub fn translate_configured(root: &str, cfgs: &[(&str, Cfg)]) {
    let result = check_configured(Path::new(root), cfgs).and_then(finish);
    println!("cargo::rerun-if-changed={root}");
    let files: Vec<&String> = match &result {
        Ok(translation) => translation.files.iter().collect(),
        Err(diagnostics) => {
            let files = diagnostics.files.values().filter(|f| !f.is_ours());
            files.map(|f| &f.path).collect()
        }
    };
    // The library's files are no files of the package.
    for file in files.into_iter().filter(|f| !f.starts_with('<')) {
        println!("cargo::rerun-if-changed={file}");
    }
    write_or_exit(result);
}

/// As [`translate`], of sources in memory: paths and texts, the root first. For a build script that
/// writes the interpreter's source itself; it says when cargo has to run it again. `include_jit!`
/// reports all mistakes.
pub fn translate_sources(sources: &[(&str, &str)]) {
    translate_sources_configured(sources, &[]);
}

/// As [`translate_sources`], of a crate with conditions of its own, as in [`translate_configured`].
pub fn translate_sources_configured(sources: &[(&str, &str)], cfgs: &[(&str, Cfg)]) {
    write_or_exit(translate_to_unit_configured(sources, cfgs));
}

fn write_or_exit(result: Result<Translation, Diagnostics>) {
    let result = match std::env::var_os("OUT_DIR") {
        Some(out) => write_files(result, Path::new(&out)),
        None => {
            Err("error: OUT_DIR is not set: call verdigris_build::translate from build.rs".into())
        }
    };
    if let Err(message) = result {
        eprintln!("{message}");
        std::process::exit(1);
    }
}

/// Translates sources in memory: paths and texts, the root first.
///
/// # Errors
/// With all diagnostics.
pub fn translate_to_unit(sources: &[(&str, &str)]) -> Result<Translation, Diagnostics> {
    translate_to_unit_configured(sources, &[])
}

/// As [`translate_to_unit`], of a crate with conditions of its own, as in [`translate_configured`].
///
/// # Errors
/// With all diagnostics.
pub fn translate_to_unit_configured(
    sources: &[(&str, &str)],
    cfgs: &[(&str, Cfg)],
) -> Result<Translation, Diagnostics> {
    check_source_configured(sources, cfgs).and_then(finish)
}

/// Translates the crate whose root file is `root`, without writing anything.
///
/// # Errors
/// With all diagnostics.
pub fn translate_crate(root: &Path) -> Result<Translation, Diagnostics> {
    check_crate(root).and_then(finish)
}

/// Colours the crate whose root file is `root`, and that has these conditions of its own, as in
/// [`translate_configured`].
///
/// # Errors
/// With all diagnostics of the stages before; what is wrong with the colours is part of the result.
pub fn colour_crate(root: &Path, cfgs: &[(&str, Cfg)]) -> Result<Coloured, Diagnostics> {
    check_configured(root, cfgs).and_then(colour)
}

/// Colours sources in memory, as [`colour_crate`] does.
///
/// # Errors
/// As [`colour_crate`].
pub fn colour_sources(sources: &[(&str, &str)]) -> Result<Coloured, Diagnostics> {
    check_source(sources).and_then(colour)
}

fn write_files(result: Result<Translation, Diagnostics>, out: &Path) -> Result<(), String> {
    let write = |name: &str, bytes: &[u8]| {
        let path = out.join(name);
        std::fs::write(&path, bytes)
            .map_err(|e| format!("error: cannot write {}: {e}", path.display()))
    };
    let remove = |name: &str| {
        let path = out.join(name);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != ErrorKind::NotFound => {
                Err(format!("error: cannot remove {}: {e}", path.display()))
            }
            _ => Ok(()),
        }
    };
    let translation = match result {
        Ok(translation) => translation,
        Err(diagnostics) if mistakes::is_internal(&diagnostics) => {
            let summary = mistakes::summary(&diagnostics);
            return Err(format!("{}\n\n{summary}", diagnostics.render(false)));
        }
        Err(diagnostics) => {
            remove("verdigris.unit")?;
            remove("verdigris.graph")?;
            let here = std::env::current_dir().unwrap_or_default();
            let text = mistakes::text(&diagnostics, &here);
            write(mistakes::FILE, text.as_bytes())?;
            return write("verdigris.rs", mistakes::STUB.as_bytes());
        }
    };
    remove(mistakes::FILE)?;
    warn(&translation.warnings);
    write("verdigris.rs", glue::text(&translation).as_bytes())?;
    write("verdigris.unit", &translation.unit.to_bytes())?;
    write(
        "verdigris.graph",
        graph::print_program(&translation.graphs).as_bytes(),
    )
}

/// Says what can be said in a line where cargo shows it, and the rest where it shows it when asked.
fn warn(warnings: &Diagnostics) {
    for warning in &warnings.list {
        println!("cargo::warning={}", warning.line(&warnings.files));
    }
    if !warnings.is_empty() {
        eprintln!("{}", warnings.render(false));
    }
}

/// From the typed program to the jitcode.
fn finish(program: tast::TypedProgram) -> Result<Translation, Diagnostics> {
    let files = program.files.clone();
    on_big_stack(files, move || {
        let (program, built) = build_graphs(program)?;
        let analysis = analyse(input(&program, &built));
        let red_dispatch = red_dispatch(&analysis);
        let warnings = findings(&analysis);
        let (warnings, mistakes): (Vec<_>, Vec<_>) =
            warnings.into_iter().partition(|d| d.code.is_warning());
        if !mistakes.is_empty() {
            return Err(collected(program.files, mistakes));
        }
        let warnings = collected(program.files.clone(), warnings);
        let graphs = built.program;
        let unit = lower(&graphs);
        if let Err(error) = verify(&unit) {
            return Err(internal(program.files, &error.to_string()));
        }
        Ok(Translation {
            unit,
            graphs,
            class_glue: program.class_glue,
            fn_glue: program.fn_glue,
            portal_glue: program.portal_glue,
            types: program.types,
            places: program.places,
            advice: program.advice,
            supports: program.supports,
            own_probes: program.own_probes,
            red_dispatch: red_dispatch.map(|d| d.render(&program.files, false)),
            files: own_files(program.files),
            warnings,
        })
    })
}

/// From the typed program to the coloured source.
fn colour(program: tast::TypedProgram) -> Result<Coloured, Diagnostics> {
    let files = program.files.clone();
    on_big_stack(files, move || {
        let (program, built) = build_graphs(program)?;
        let analysis = analyse(input(&program, &built));
        Ok(Coloured {
            report: ColourReport::new(&analysis),
            findings: collected(program.files.clone(), findings(&analysis)),
        })
    })
}

pub(crate) fn build_graphs(
    program: tast::TypedProgram,
) -> Result<(tast::TypedProgram, graph::Built), Diagnostics> {
    match graph::build_annotated(&program) {
        Ok(built) => Ok((program, built)),
        Err(list) => Err(collected(program.files, list)),
    }
}

pub(crate) fn input<'a>(
    source: &'a tast::TypedProgram,
    built: &'a graph::Built,
) -> ColourInput<'a> {
    ColourInput {
        source,
        descrs: &built.program.descrs,
        graphs: &built.annotated,
    }
}

/// Complaints in the order of the source.
pub(crate) fn collected(
    files: PrimaryMap<FileId, SourceFile>,
    list: Vec<Diagnostic>,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new(files);
    list.into_iter().for_each(|d| diagnostics.push(d));
    diagnostics.sort();
    diagnostics
}

/// The paths of the files that exist.
fn own_files(files: PrimaryMap<FileId, SourceFile>) -> Vec<String> {
    let files = files.into_iter().filter(|(_, file)| !file.is_ours());
    files.map(|(_, file)| file.path).collect()
}

pub(crate) fn internal(files: PrimaryMap<FileId, SourceFile>, what: &str) -> Diagnostics {
    let mut diagnostics = Diagnostics::new(files);
    diagnostics.push(Diagnostic::global(DiagCode::Internal, &[what]));
    diagnostics
}

pub(crate) fn on_big_stack<T, F>(
    files: PrimaryMap<FileId, SourceFile>,
    f: F,
) -> Result<T, Diagnostics>
where
    T: Send,
    F: FnOnce() -> Result<T, Diagnostics> + Send,
{
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        match builder.spawn_scoped(scope, f).map(|thread| thread.join()) {
            Ok(Ok(result)) => result,
            // The thread has printed the message of its panic.
            Ok(Err(_)) => Err(internal(files, "a check of its own failed")),
            Err(error) => Err(internal(files, &error.to_string())),
        }
    })
}
