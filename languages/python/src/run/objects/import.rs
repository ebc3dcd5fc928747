//! Imports. In: names. Out: modules. Invariant: a module is run once; one that fails is not kept.

use crate::bytecode::source::Source;
use crate::compile::entry;
use crate::heap::class;
use crate::heap::dict::Dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{Code, Frame, Function, Module, set_global};
use crate::heap::places;
use crate::heap::value::{Registers, Value, text, text_of};
use crate::heap::variables;
use crate::heap::world::{World, classes, intern, interned};
use crate::library::{self, PREFIX};
use crate::load;
use crate::plain::{self, fault};
use crate::run::call;
use crate::run::interp;
use crate::run::items::keys;
use crate::run::native::collect;
use crate::run::objects::attribute;
use crate::run::objects::counterpart;
use std::path::Path;
use verdigris::{List, Map, Str, prelude::*};

/// The module of a name; of one with dots the first package, if that is wanted.
///
/// # Errors
/// That there is none, or what it raises.
#[opaque]
pub fn module(
    world: Gc<World>,
    from: Gc<Module>,
    name: Gc<Str>,
    wants_top: bool,
    depth: i64,
) -> Result<Value, Thrown> {
    let whole = absolute(world, from, name.as_str())?;
    let mut top = Value::Unbound;
    let mut parent = Value::Unbound;
    // One after the other, from the first package on.
    let ends = whole.match_indices('.').map(|(at, _)| at);
    for end in ends.chain([whole.len()]) {
        let (wanted, own) = (&whole[..end], whole[..end].rsplit('.').next().unwrap_or(""));
        let made = one(world, wanted, depth)?;
        if let (Value::Module(package), Value::Module(_)) = (parent, made) {
            set(world, package, own, made);
        }
        if top.is_unbound() {
            top = made;
        }
        parent = made;
    }
    Ok(if wants_top { top } else { parent })
}

/// `__import__` and `importlib.import_module` of a whole name: the module, or the first package.
///
/// # Errors
/// As [`module()`].
pub fn by_name(world: Gc<World>, name: &str, wants_top: bool, depth: i64) -> Result<Value, Thrown> {
    let nowhere = Gc::new(Module {
        name: intern(world, "__main__"),
        file: Str::new(""),
        source: Str::new(""),
        globals: Map::new(),
    });
    module(world, nowhere, intern(world, name), wants_top, depth)
}

/// The whole name of a module: dots in front stand for the package that the importing module is in,
/// and for those around it.
fn absolute(world: Gc<World>, from: Gc<Module>, name: &str) -> Result<String, Thrown> {
    let rest = name.trim_start_matches('.');
    let level = name.len() - rest.len();
    if level == 0 {
        return Ok(name.to_string());
    }
    // A program that is a part of a package says so, and has another name.
    let package = match (
        from.name.as_str(),
        from.globals.get(intern(world, "__package__")),
    ) {
        ("__main__", Some(global)) => match global.get() {
            Value::Str(package) => Some(package),
            _ => None,
        },
        _ => None,
    };
    let is_package = package.is_some() || from.file.as_str().ends_with("__init__.py");
    let own = match &package {
        Some(package) => package.as_str(),
        None => from.name.as_str(),
    };
    let mut parts: Vec<&str> = own.split('.').collect();
    let up = level - usize::from(is_package);
    if own == "__main__" || up >= parts.len() + usize::from(is_package) {
        let message = match parts.len() {
            0 | 1 => "attempted relative import with no known parent package",
            _ => "attempted relative import beyond top-level package",
        };
        return Err(fault::new(world, classes::IMPORT_ERROR, message));
    }
    parts.truncate(parts.len() - up);
    if !rest.is_empty() {
        parts.push(rest);
    }
    Ok(parts.join("."))
}

/// `from module import *`
///
/// # Errors
/// That a name of `__all__` is not there.
#[opaque]
pub fn all(world: Gc<World>, to: Gc<Module>, from: Value, depth: i64) -> Result<(), Thrown> {
    let Value::Module(module) = from else {
        return Err(fault::missing(world, "'import *' of what is no module"));
    };
    let listed = module.globals.get(intern(world, "__all__"));
    if let Some(listed) = listed
        && !listed.get().is_unbound()
    {
        let wanted = collect::list_of(world, listed.get(), places::below(world, depth))?;
        for n in 0..wanted.len() {
            if let Value::Str(name) = wanted.at(n) {
                let name = interned(world, name.data);
                let value = attribute::get(world, from, name, places::below(world, depth))?;
                set(world, to, name.as_str(), value);
            }
        }
        return Ok(());
    }
    let names = module.globals.keys();
    for n in 0..names.len() {
        let name = names.at(n);
        let global = module.globals.get(name);
        let value = global.map_or(Value::Unbound, |global| global.get());
        if !name.as_str().starts_with('_') && !value.is_unbound() {
            set(world, to, name.as_str(), value);
        }
    }
    counterpart::rest_of_all(world, to, module, depth)
}

/// The builtins that are written in Python, in the module [`OF_BUILTINS`] of the library.
pub const LATE_BUILTINS: [&str; 1] = ["memoryview"];

/// The module of the library that has builtins.
pub const OF_BUILTINS: &str = "_builtins";

/// A builtin that is written in Python, where a program first asks for it; `Unbound` if there is
/// none of this name.
///
/// # Errors
/// What its module raises.
#[opaque]
pub fn late_builtin(world: Gc<World>, name: Gc<Str>, depth: i64) -> Result<Value, Thrown> {
    if !LATE_BUILTINS.contains(&name.as_str()) {
        return Ok(Value::Unbound);
    }
    let depth = places::below(world, depth);
    let module = by_name(world, OF_BUILTINS, false, depth)?;
    let value = attribute::get(world, module, name, depth)?;
    if let Some(global) = world.builtins.get(name) {
        set_global(global, value);
    }
    Ok(value)
}

/// A module whose packages have been imported.
fn one(world: Gc<World>, wanted: &str, depth: i64) -> Result<Value, Thrown> {
    let key = text(wanted);
    match keys::get(world, world.modules, key, depth)? {
        Value::Unbound => {}
        Value::None => {
            let message = format!("import of {wanted} halted; None in sys.modules");
            return Err(fault::new(world, classes::MODULE_NOT_FOUND_ERROR, &message));
        }
        known => return Ok(known),
    }
    let code = find(world, wanted, depth)?;
    let value = Value::Module(code.module);
    keys::put(world, world.modules, key, value, depth)?;
    if let Err(thrown) = run(code, depth) {
        keys::remove(world, world.modules, key, depth)?;
        return Err(thrown);
    }
    // A module may have put another one in its place.
    Ok(match keys::get(world, world.modules, key, depth)? {
        Value::Unbound => value,
        known => known,
    })
}

/// The code of a module: of the library, or in the folder of the program, or in that of CPython's.
fn find(world: Gc<World>, wanted: &str, depth: i64) -> Result<Gc<Code>, Thrown> {
    let own = library::text_of(wanted);
    let is_first = world.stdlib.is_empty() || library::stays(wanted);
    if let (Some(text), true) = (own, is_first) {
        return of_library(world, wanted, text);
    }
    let folders = folders(world, wanted, depth)?;
    for folder in &folders {
        if let Some(code) = in_folder(world, folder, wanted)? {
            return Ok(code);
        }
    }
    if let Some(text) = own {
        return of_library(world, wanted, text);
    }
    if !wanted.contains('.')
        && let Some(folder) = counterpart::fallback(world)
        && let Some(code) = in_folder(world, &folder, wanted)?
    {
        return Ok(code);
    }
    let message = format!("No module named '{wanted}'");
    Err(absent(world, wanted, &message))
}

/// The exception about a module that is not there.
fn absent(world: Gc<World>, wanted: &str, message: &str) -> Thrown {
    let made = fault::new(world, classes::MODULE_NOT_FOUND_ERROR, message);
    crate::heap::instance::set(made, intern(world, "name"), text(wanted));
    made
}

fn of_library(world: Gc<World>, wanted: &str, text: &str) -> Result<Gc<Code>, Thrown> {
    let file = format!("{PREFIX}{wanted}.py>");
    prepare(world, wanted, &file, text)
}

/// Where a module may be: in the folders of its package, or of the program.
fn folders(world: Gc<World>, wanted: &str, depth: i64) -> Result<Vec<String>, Thrown> {
    let Some((package, _)) = wanted.rsplit_once('.') else {
        return texts_of(world, Value::List(world.path), depth);
    };
    let known = keys::get(world, world.modules, text(package), depth)?;
    let path = attribute::get(
        world,
        known,
        intern(world, "__path__"),
        places::below(world, depth),
    );
    match path {
        Ok(path) => texts_of(world, path, depth),
        Err(_) => {
            let message = format!("No module named '{wanted}'; '{package}' is not a package");
            Err(absent(world, wanted, &message))
        }
    }
}

pub(super) fn texts_of(world: Gc<World>, list: Value, depth: i64) -> Result<Vec<String>, Thrown> {
    let all = collect::list_of(world, list, depth)?;
    let texts = (0..all.len()).filter_map(|n| match all.at(n) {
        Value::Str(text) => Some(text.as_str().to_string()),
        _ => None,
    });
    Ok(texts.collect())
}

/// The code of a module or package in a folder, if it is there.
pub(super) fn in_folder(
    world: Gc<World>,
    folder: &str,
    wanted: &str,
) -> Result<Option<Gc<Code>>, Thrown> {
    let own = wanted.rsplit('.').next().unwrap_or(wanted);
    let base = Path::new(folder).join(own);
    let package = base.join("__init__.py");
    let is_package = package.is_file();
    let file = match is_package {
        true => package,
        false => base.with_extension("py"),
    };
    let Ok(bytes) = std::fs::read(&file) else {
        return Ok(None);
    };
    let shown = file.display().to_string();
    let Ok(source) = std::str::from_utf8(&bytes) else {
        let message = format!("'{shown}' is not UTF-8");
        return Err(fault::new(world, classes::SYNTAX_ERROR, &message));
    };
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    prepare(world, wanted, &shown, source).map(Some)
}

/// A module of a text whose globals are those of a dict at first, for the library.
///
/// # Errors
/// A `SyntaxError`, and what it raises.
pub fn of_text(
    world: Gc<World>,
    name: &str,
    text: &str,
    globals: Gc<Dict>,
    depth: i64,
) -> Result<Value, Thrown> {
    let code = prepare(world, name, &format!("{PREFIX}{name}>"), text)?;
    for entry in plain::entries(globals) {
        if let Value::Str(name) = globals.keys.get()[entry].get() {
            set(
                world,
                code.module,
                name.as_str(),
                globals.values.get()[entry].get(),
            );
        }
    }
    run(code, depth)?;
    Ok(Value::Module(code.module))
}

/// Calls a function of a module of the library.
///
/// # Errors
/// What it raises.
pub fn call(
    world: Gc<World>,
    module: &str,
    function: &str,
    given: &[Value],
    depth: i64,
) -> Result<Value, Thrown> {
    let args = Registers::new(given.len(), Value::Unbound);
    for (n, &value) in given.iter().enumerate() {
        args[n].set(value);
    }
    let function = self::function(world, module, function, depth)?;
    call::value(
        world,
        function,
        call::plain(args),
        places::below(world, depth),
    )
}

/// A function of a module of the library.
///
/// # Errors
/// What importing it raises.
pub fn function(
    world: Gc<World>,
    module: &str,
    function: &str,
    depth: i64,
) -> Result<Value, Thrown> {
    let module = one(world, module, places::below(world, depth))?;
    attribute::get(
        world,
        module,
        intern(world, function),
        places::below(world, depth),
    )
}

/// The code of a module, with the module.
///
/// # Errors
/// A `SyntaxError`.
pub fn prepare(world: Gc<World>, name: &str, file: &str, text: &str) -> Result<Gc<Code>, Thrown> {
    let source = Source::new(text);
    match entry::module(text) {
        Ok(compiled) => {
            let module = new_module(world, name, file, text);
            let code = load::code(world, module, &source, &compiled);
            document(module, code);
            Ok(code)
        }
        Err(error) => {
            let line = source.line_of(error.start);
            let message = format!("{} ({file}, line {line})", error.message);
            let class = match error.kind {
                "NotImplementedError" => classes::NOT_IMPLEMENTED_ERROR,
                _ => classes::SYNTAX_ERROR,
            };
            Err(fault::new(world, class, &message))
        }
    }
}

/// The documentation of a module is what its code begins with.
pub fn document(module: Gc<Module>, code: Gc<Code>) {
    set(code.world, module, "__doc__", code.doc);
}

/// A module without globals but its name and file.
pub fn new_module(world: Gc<World>, name: &str, file: &str, text: &str) -> Gc<Module> {
    let module = Gc::new(Module {
        name: intern(world, name),
        file: Str::new(file),
        source: Str::new(text),
        globals: Map::new(),
    });
    set(world, module, "__name__", self::text(name));
    if !file.is_empty() {
        set(world, module, "__file__", self::text(file));
    }
    let (mut package, is_package) = (name, file.ends_with("__init__.py"));
    if is_package {
        let path = List::new();
        let folder = Path::new(file).parent();
        path.push(self::text(
            &folder.unwrap_or(Path::new("")).display().to_string(),
        ));
        set(world, module, "__path__", Value::List(path));
    } else {
        package = name.rsplit_once('.').map_or("", |(package, _)| package);
    }
    let package = match name {
        "__main__" => Value::None,
        _ => self::text(package),
    };
    set(world, module, "__package__", package);
    set(world, module, "__loader__", Value::None);
    set(world, module, "__spec__", Value::None);
    module
}

pub(super) fn set(world: Gc<World>, module: Gc<Module>, name: &str, value: Value) {
    let global = variables::global_of(world, module, intern(world, name));
    set_global(global, value);
}

/// Runs the code of a module.
///
/// # Errors
/// What it raises.
pub fn run(code: Gc<Code>, depth: i64) -> Result<(), Thrown> {
    let function = Function::of_body(code);
    let frame = Gc::new(Frame {
        function,
        registers: Registers::new(code.registers, Value::Unbound),
    });
    interp::run(code, 0, frame, depth + 1).map(|_| ())
}

/// Puts a module that was not imported where others find it.
pub fn keep(world: Gc<World>, module: Gc<Module>) {
    let key = Value::Str(text_of(module.name));
    // A string has a hash.
    let _ = keys::put(world, world.modules, key, Value::Module(module), 0);
}

/// Whether a module has been imported.
pub fn is_known(world: Gc<World>, name: &str) -> bool {
    matches!(
        keys::get(world, world.modules, text(name), 0),
        Ok(Value::Module(_))
    )
}

/// A name of a module, for `from .. import`.
///
/// # Errors
/// An `ImportError` if there is none.
#[opaque]
pub fn member(world: Gc<World>, module: Value, name: Gc<Str>, depth: i64) -> Result<Value, Thrown> {
    let found = attribute::get(world, module, name, depth);
    let whole = match module {
        Value::Module(package) => format!("{}.{}", package.name.as_str(), name.as_str()),
        _ => String::new(),
    };
    if let (Err(_), Value::Module(package)) = (found, module)
        && (package.file.as_str().ends_with("__init__.py") || library::text_of(&whole).is_some())
    {
        match one(world, &whole, places::below(world, depth)) {
            Ok(made) => {
                set(world, package, name.as_str(), made);
                return Ok(made);
            }
            Err(thrown) => {
                // What is missing may be what the module itself imports.
                let absent = world.classes[classes::MODULE_NOT_FOUND_ERROR];
                let missing = crate::heap::instance::get(thrown, intern(world, "name"));
                let is_it = matches!(missing, Value::Str(name) if name.as_str() == whole);
                if !is_it || !class::derives(thrown.map.get().class, absent) {
                    return Err(thrown);
                }
            }
        }
    }
    found.map_err(|thrown| {
        let absent = world.classes[classes::ATTRIBUTE_ERROR];
        if !class::derives(thrown.map.get().class, absent) {
            return thrown;
        }
        let (own, file) = match module {
            Value::Module(module) => (
                module.name.as_str().to_string(),
                module.file.as_str().to_string(),
            ),
            _ => ("?".to_string(), String::new()),
        };
        let place = if file.is_empty() {
            "unknown location"
        } else {
            &file
        };
        let message = format!(
            "cannot import name '{}' from '{own}' ({place})",
            name.as_str()
        );
        fault::new(world, classes::IMPORT_ERROR, &message)
    })
}
