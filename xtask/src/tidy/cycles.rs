//! Import cycles between the files of a crate: a knot of many files can only be understood at once.
//!
//! Only `use` items outside of tests count. A name that a module re-exports counts as an import of
//! the file that defines it.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree};

use super::Tree;

const MAX_FILES: usize = 5;
/// Re-exports of re-exports are followed no further.
const MAX_HOPS: usize = 8;

/// The crate's folder, then the names of the modules.
type Module = Vec<String>;

#[derive(Default)]
struct Imports {
    path: String,
    /// As written, from the module that holds them.
    used: Vec<Vec<String>>,
    /// By the name that others see.
    reexported: BTreeMap<String, Vec<String>>,
}

pub fn check(tree: &Tree) -> Vec<String> {
    let mut modules = BTreeMap::new();
    let mut findings = Vec::new();
    for file in tree.with_ending(".rs") {
        let Some(module) = module_of(&file.path) else {
            continue;
        };
        match syn::parse_file(&file.text) {
            Ok(parsed) => {
                let mut imports = Imports {
                    path: file.path.clone(),
                    ..Imports::default()
                };
                imports.collect(&parsed.items);
                modules.insert(module, imports);
            }
            Err(error) => findings.push(format!("{}: {error}", file.path)),
        }
    }
    let edges: BTreeMap<&Module, BTreeSet<&Module>> = modules
        .iter()
        .map(|(module, imports)| {
            let targets = imports.used.iter();
            let targets = targets.filter_map(|path| resolve(&modules, module, path, MAX_HOPS));
            (module, targets.filter(|target| *target != module).collect())
        })
        .collect();
    findings.extend(knots(&edges).iter().map(|knot| {
        let paths = knot.iter().filter_map(|module| modules.get(*module));
        let paths: Vec<&str> = paths.map(|imports| imports.path.as_str()).collect();
        format!(
            "{} files import each other: {}",
            paths.len(),
            paths.join(" ")
        )
    }));
    findings
}

/// `crates/pad/src/access/role.rs` is `pad`, `access`, `role`.
fn module_of(path: &str) -> Option<Module> {
    let (name, rest) = path.strip_prefix("crates/")?.split_once("/src/")?;
    let rest = rest.strip_suffix(".rs")?;
    if rest.split('/').any(|part| part == "tests") {
        return None;
    }
    let inner = rest
        .split('/')
        .filter(|part| !matches!(*part, "lib" | "main"));
    Some([name].into_iter().chain(inner).map(str::to_owned).collect())
}

impl Imports {
    fn collect(&mut self, items: &[Item]) {
        for item in items {
            if let Item::Use(item) = item {
                let is_public = !matches!(item.vis, syn::Visibility::Inherited);
                self.flatten(&mut Vec::new(), &item.tree, is_public);
            }
        }
    }

    fn flatten(&mut self, prefix: &mut Vec<String>, tree: &UseTree, is_public: bool) {
        let (name, shown) = match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.flatten(prefix, &path.tree, is_public);
                prefix.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.flatten(prefix, tree, is_public);
                }
                return;
            }
            UseTree::Glob(_) => {
                self.used.push(prefix.clone());
                return;
            }
            UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            UseTree::Rename(name) => (name.ident.to_string(), name.rename.to_string()),
        };
        let mut path = prefix.clone();
        if name != "self" {
            path.push(name);
        }
        if is_public {
            self.reexported.insert(shown, path);
        } else {
            self.used.push(path);
        }
    }
}

/// The module that defines what a path of `from` names; `None` if it is of another crate.
fn resolve<'a>(
    modules: &'a BTreeMap<Module, Imports>,
    from: &Module,
    path: &[String],
    hops: usize,
) -> Option<&'a Module> {
    let mut base = from.clone();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => {
            base.truncate(1);
            rest = rest.get(1..)?;
        }
        "self" => rest = rest.get(1..)?,
        "super" => {
            while rest.first().is_some_and(|part| part == "super") {
                base.pop();
                rest = rest.get(1..)?;
            }
        }
        child => {
            let mut module = from.clone();
            module.push(child.to_owned());
            modules.get(&module)?;
        }
    }
    for (at, part) in rest.iter().enumerate() {
        let mut deeper = base.clone();
        deeper.push(part.clone());
        if modules.contains_key(&deeper) {
            base = deeper;
            continue;
        }
        let imports = modules.get(&base)?;
        if let Some(target) = imports.reexported.get(part).filter(|_| hops > 0) {
            let mut target = target.clone();
            target.extend(rest.iter().skip(at + 1).cloned());
            return resolve(modules, &base, &target, hops - 1);
        }
        break;
    }
    modules.get_key_value(&base).map(|(module, _)| module)
}

/// Groups of more than a few modules that all reach each other.
fn knots<'a>(edges: &BTreeMap<&'a Module, BTreeSet<&'a Module>>) -> Vec<Vec<&'a Module>> {
    let reached: BTreeMap<&Module, BTreeSet<&Module>> = edges
        .keys()
        .map(|start| {
            let mut seen = BTreeSet::new();
            let mut open = vec![*start];
            while let Some(module) = open.pop() {
                for next in edges.get(module).into_iter().flatten() {
                    if seen.insert(*next) {
                        open.push(next);
                    }
                }
            }
            (*start, seen)
        })
        .collect();
    let mut knots = Vec::new();
    let mut done = BTreeSet::new();
    for (module, forward) in &reached {
        if done.contains(module) || !forward.contains(module) {
            continue;
        }
        let back = |other: &&&Module| reached.get(**other).is_some_and(|it| it.contains(module));
        let knot: Vec<&Module> = forward.iter().filter(back).copied().collect();
        done.extend(knot.iter().copied());
        if knot.len() > MAX_FILES {
            knots.push(knot);
        }
    }
    knots
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of files, each of which uses the next one.
    fn ring(count: usize, text: impl Fn(usize) -> String) -> usize {
        let files: Vec<(String, String)> = (0..count)
            .map(|at| (format!("crates/a/src/m{at}.rs"), text((at + 1) % count)))
            .chain([("crates/a/src/lib.rs".to_owned(), root(count))])
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
        check(&Tree::of(&files)).len()
    }

    fn root(count: usize) -> String {
        let lines = (0..count).map(|at| format!("mod m{at};\npub use m{at}::Item{at};\n"));
        lines.collect()
    }

    #[test]
    fn a_ring_of_more_than_five_files_is_found() {
        let by_module = |next: usize| format!("use crate::m{next}::Thing;");
        assert_eq!(ring(5, by_module), 0);
        assert_eq!(ring(6, by_module), 1);
        assert_eq!(
            ring(6, |next| format!("use super::m{next}::{{self, Thing}};")),
            1
        );
        assert_eq!(ring(6, |next| format!("use crate::Item{next};")), 1);
    }

    #[test]
    fn other_crates_tests_and_declarations_do_not_count() {
        assert_eq!(ring(6, |next| format!("use other::m{next}::Thing;")), 0);
        let test = |next: usize| format!("#[cfg(test)] mod tests {{ use crate::m{next}::X; }}");
        assert_eq!(ring(6, test), 0);
    }
}
