//! The files that `padsvc plugins new` writes: a small plugin that works, with a test that passes.

use std::collections::BTreeMap;

use crate::name::Name;

/// Each file has the name in place of this one.
const PLACEHOLDER: &str = "example-plugin";

const FILES: &[(&str, &str)] = &[
    ("plugin.json", include_str!("skeleton/plugin.json")),
    ("server.js", include_str!("skeleton/server.js")),
    ("tests.json", include_str!("skeleton/tests.json")),
    ("locales/en.json", include_str!("skeleton/locales/en.json")),
    ("locales/de.json", include_str!("skeleton/locales/de.json")),
    ("README.md", include_str!("skeleton/README.md")),
];

/// The files by their names, which have slashes.
pub fn files(name: &Name) -> BTreeMap<String, Vec<u8>> {
    let file = |(path, text): &(&str, &str)| {
        let text = text.replace(PLACEHOLDER, name.as_str());
        ((*path).to_owned(), text.into_bytes())
    };
    FILES.iter().map(file).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Package;
    use crate::scenario::scenarios;

    #[test]
    fn skeleton_is_a_package_with_tests() {
        let name: Name = "my-own".parse().unwrap();
        let package = Package::from_files(files(&name)).unwrap();
        assert_eq!(package.manifest().name, name);
        assert_eq!(package.file_name(), "my-own-0.1.0.padplugin");
        assert!(scenarios(&package).unwrap().len() >= 3);
        for (path, bytes) in package.files() {
            let text = std::str::from_utf8(bytes).unwrap();
            assert!(!text.contains(PLACEHOLDER), "{path}");
        }
    }

    #[test]
    fn tests_are_checked_against_the_tables() {
        let name: Name = "my-own".parse().unwrap();
        for (old, new, part) in [
            (
                "\"chatMessage\"",
                "\"padOpen\"",
                "tests.json: unknown variant `padOpen`",
            ),
            (
                "\"chatMessage\"",
                "\"access\"",
                "plugin.json does not list access",
            ),
            ("\"padId\"", "\"pad\"", "chatMessage: padId is missing"),
            (
                "\"settings\": {",
                "\"settings\": {\"x\": 1, ",
                "there is no setting called x",
            ),
            (
                "\"answer\"",
                "\"awnser\"",
                "tests.json: unknown field `awnser`",
            ),
        ] {
            let mut files = files(&name);
            let tests = String::from_utf8(files["tests.json"].clone()).unwrap();
            assert!(tests.contains(old), "{old}");
            files.insert("tests.json".into(), tests.replace(old, new).into_bytes());
            let package = Package::from_files(files).unwrap();
            let error = scenarios(&package).unwrap_err().to_string();
            assert!(error.contains(part), "{error}\nnot: {part}");
        }
    }
}
