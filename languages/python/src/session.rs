//! What the command does with a machine: programs, modules and statements one after the other in
//! one world, and names for people. In: texts. Out: how they ended. Invariant: an exception leaves
//! the world as it is, so that the next statement goes on with it; all of it is in the module
//! `__main__`.

use crate::bytecode::code::CompiledCode;
use crate::bytecode::source::Source;
use crate::compile::entry::{self, Part};
use crate::ended;
pub use crate::ended::Ended;
use crate::heap::exception::Thrown;
use crate::heap::function::{Module, set_global};
use crate::heap::instance;
use crate::heap::value::{Value, text};
use crate::heap::variables;
use crate::heap::world::{World, class_of, intern};
use crate::library;
use crate::load;
use crate::output;
use crate::run::items::keys;
use crate::run::objects::{counterpart, evaluate, finalize, import};
use crate::run::text::show;
use std::path::{Path, PathBuf};
use verdigris::{Str, prelude::*};

/// What texts are called that are typed.
const TYPED: &str = "<stdin>";

/// What is called at the end of a program, in modules that it has imported: threads are waited for,
/// then what it has asked for is done.
pub(crate) const AT_END: [(&str, &str); 2] =
    [("threading", "_shutdown"), ("atexit", "_run_exitfuncs")];

/// A world in the heap of the VM that has been entered. It stays where the collector sees it: on
/// the stack.
pub struct Session {
    world: Gc<World>,
    main: Gc<Module>,
}

impl Session {
    pub(crate) fn new(world: Gc<World>) -> Session {
        let main = import::new_module(world, "__main__", "", "");
        set(world, main, "__file__", Value::Unbound);
        // A string has a hash.
        let _ = keys::put(
            world,
            world.modules,
            text("__main__"),
            Value::Module(main),
            0,
        );
        Session { world, main }
    }

    /// What makes an interrupt a `KeyboardInterrupt`, when the VM comes to it.
    pub(crate) fn interrupter(&self) -> impl Fn() + 'static {
        let world = Root::new(self.world);
        move || world.get().interrupted.set(true)
    }

    /// Runs a program. Its text is shown in tracebacks if that is a file's.
    pub fn run(&self, code: &CompiledCode, written: &str, file: &str) -> Ended {
        let world = self.world;
        let is_file = !file.starts_with('<');
        if is_file {
            set(world, self.main, "__file__", text(file));
        }
        let shown = if is_file { written } else { "" };
        let module = self.named(file, shown);
        let loaded = load::code(world, module, &Source::new(written), code);
        import::document(self.main, loaded);
        self.ended(import::run(loaded, 0))
    }

    /// The file of a module, or of the module `__main__` of a package.
    fn file_of(&self, name: &str) -> Option<PathBuf> {
        let path = (0..self.world.path.len()).map(|n| self.world.path.at(n));
        let folders = path.filter_map(|folder| match folder {
            Value::Str(folder) => Some(folder.as_str().to_string()),
            _ => None,
        });
        let stdlib = Some(self.world.stdlib.as_str().to_string());
        let known = folders.chain(stdlib.filter(|folder| !folder.is_empty()));
        let is_own = library::text_of(name).is_some();
        let fallback = std::iter::once_with(|| match is_own {
            true => None,
            false => counterpart::fallback(self.world),
        });
        known.chain(fallback.flatten()).find_map(|folder| {
            let base = Path::new(&folder).join(name.replace('.', "/"));
            let files = [base.join("__main__.py"), base.with_extension("py")];
            files.into_iter().find(|file| file.is_file())
        })
    }

    /// Does what the program has asked for at its end.
    pub(crate) fn end(&self) {
        for (module, function) in AT_END {
            if import::is_known(self.world, module)
                && let Err(thrown) = import::call(self.world, module, function, &[], 0)
                && let Some(error) = ended::of(self.world, thrown).error
            {
                output::flush().ok();
                eprint!("{error}");
            }
        }
        if let Err(thrown) = finalize::end(self.world) {
            ended::of(self.world, thrown).show();
        }
    }

    /// Runs a module, or the module `__main__` of a package, as the program.
    pub fn run_module(&self, name: &str) -> Ended {
        let world = self.world;
        let found = self.file_of(name);
        let package = match &found {
            Some(file) if file.ends_with("__main__.py") => Some(name),
            _ => name.rsplit_once('.').map(|(package, _)| package),
        };
        if let Some(package) = package {
            let wanted = intern(world, package);
            if let Err(thrown) = import::module(world, self.main, wanted, true, 0) {
                return ended::of(world, thrown);
            }
            set(world, self.main, "__package__", text(package));
        }
        let (file, bytes) = match (found, library::text_of(name)) {
            (Some(file), _) => match std::fs::read(&file) {
                Ok(bytes) => (file.display().to_string(), bytes),
                Err(error) => return Ended::said(format!("{}: {error}\n", file.display())),
            },
            (None, Some(text)) => (
                format!("{}{name}.py>", library::PREFIX),
                text.as_bytes().to_vec(),
            ),
            (None, None) => {
                return Ended::said(format!("verdigris-python: No module named {name}\n"));
            }
        };
        if let Value::List(arguments) = world.arguments {
            arguments.set(0, text(&file));
        }
        let Ok(written) = std::str::from_utf8(&bytes) else {
            return Ended::said(format!("{file}: the file is not UTF-8\n"));
        };
        match entry::module(written) {
            Ok(code) => self.run(&code, written, &file),
            Err(error) => Ended::said(Source::new(written).show(&file, &error)),
        }
    }

    /// Runs a statement as the dialogue does: the values of expressions are shown.
    pub fn statement(&self, written: &str) -> Ended {
        let world = self.world;
        if world.interrupted.get() {
            // It came when there was nothing to be interrupted.
            world.interrupted.set(false);
        }
        let part = Part {
            is_single: true,
            ..Part::default()
        };
        let source = Source::new(written);
        match entry::part(written, part) {
            Ok(code) => {
                let module = self.named(TYPED, "");
                let loaded = load::code(world, module, &source, &code);
                self.ended(import::run(loaded, 0))
            }
            Err(error) => Ended::said(source.show(TYPED, &error)),
        }
    }

    /// The module `__main__` under the name of a file, for what comes from there.
    fn named(&self, file: &str, source: &str) -> Gc<Module> {
        Gc::new(Module {
            name: self.main.name,
            file: Str::new(file),
            source: Str::new(source),
            globals: self.main.globals,
        })
    }

    fn ended(&self, result: Result<(), Thrown>) -> Ended {
        match result {
            Ok(()) => Ended::well(),
            Err(thrown) => ended::of(self.world, thrown),
        }
    }

    /// There are prompts from now on, which the program can change, and `exit` says what it is for.
    pub fn begin_dialogue(&self) {
        let world = self.world;
        for name in ["exit", "quit"] {
            let made = import::call(world, "_dialogue", "Quitter", &[text(name)], 0);
            let global = world.builtins.get(intern(world, name));
            if let (Ok(made), Some(global)) = (made, global) {
                set_global(global, made);
            }
        }
        for (name, prompt) in [("ps1", ">>> "), ("ps2", "... ")] {
            if let Some(sys) = self.system() {
                set(self.world, sys, name, text(prompt));
            }
        }
    }

    /// A prompt: `ps1` or `ps2`.
    pub fn prompt(&self, name: &str) -> String {
        let name = intern(self.world, name);
        let found = self.system().and_then(|sys| sys.globals.get(name));
        found.map_or_else(String::new, |prompt| {
            show::text(self.world, prompt.get(), 0).unwrap_or_default()
        })
    }

    fn system(&self) -> Option<Gc<Module>> {
        match keys::get(self.world, self.world.modules, text("sys"), 0) {
            Ok(Value::Module(module)) => Some(module),
            _ => None,
        }
    }

    /// The names that can follow a path: attributes of what it leads to, or variables if it is
    /// empty. Nothing of the program is called.
    pub fn names(&self, path: &[&str]) -> Vec<String> {
        let Some((first, rest)) = path.split_first() else {
            let mut names = names_of(self.main);
            let builtins = self.world.builtins.keys();
            (0..builtins.len()).for_each(|n| names.push(builtins.at(n).as_str().to_string()));
            return names;
        };
        let first = intern(self.world, first);
        let mut value = self.main.globals.get(first).map(|global| global.get());
        for name in rest {
            value = value.and_then(|value| self.attribute(value, name));
        }
        match value {
            Some(Value::Module(module)) => names_of(module),
            Some(value) => self.attributes(value),
            None => Vec::new(),
        }
    }

    fn attribute(&self, value: Value, name: &str) -> Option<Value> {
        let name = intern(self.world, name);
        let found = match value {
            Value::Module(module) => module.globals.get(name).map(|global| global.get()),
            Value::Instance(own) => Some(instance::get(own, name)),
            Value::Class(class) => class.namespace.get(name),
            _ => None,
        };
        found.filter(|value| !value.is_unbound())
    }

    /// The names in the classes of a value, and those of its own.
    fn attributes(&self, value: Value) -> Vec<String> {
        let mut names = Vec::new();
        let class = match value {
            Value::Class(class) => class,
            other => class_of(self.world, other),
        };
        let order = class.order.get();
        for n in 0..order.len() {
            let own = order[n].namespace.keys();
            (0..own.len()).for_each(|n| names.push(own.at(n).as_str().to_string()));
        }
        if let Value::Instance(own) = value {
            let own = instance::own_names(own);
            for n in 0..own.len() {
                if let Value::Str(name) = own.at(n) {
                    names.push(name.as_str().to_string());
                }
            }
        }
        names
    }
}

fn set(world: Gc<World>, module: Gc<Module>, name: &str, value: Value) {
    set_global(
        variables::global_of(world, module, intern(world, name)),
        value,
    );
}

/// The names of the globals of a module.
fn names_of(module: Gc<Module>) -> Vec<String> {
    let Value::List(names) = evaluate::names_of(module) else {
        return Vec::new();
    };
    let text_of = |value: Value| match value {
        Value::Str(name) => Some(name.as_str().to_string()),
        _ => None,
    };
    (0..names.len())
        .filter_map(|n| text_of(names.at(n)))
        .collect()
}
