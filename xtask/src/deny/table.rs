//! Dependency policy: licences, crates and duplicate versions, each with its reason.

/// Licences that a dependency may be used under, by their SPDX names.
pub const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    // Copyleft for its own files only, which we do not change.
    "MPL-2.0+",
    // Of fonts, which carry it with them.
    "OFL-1.1",
    "Unicode-3.0",
    "Zlib",
];

/// Where crates may come from, apart from this workspace.
pub const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Crates that must not come back, and why.
pub const BANNED: &[(&str, &str)] = &[
    ("async-std", "discontinued; the runtime is tokio"),
    ("chrono", "calendars are jiff's"),
    ("derivative", "unmaintained"),
    ("git2", "a C library; updater runs git itself"),
    ("instant", "unmaintained"),
    (
        "native-tls",
        "TLS is rustls, without a library of the system",
    ),
    ("openssl", "TLS is rustls, without a library of the system"),
    (
        "openssl-sys",
        "TLS is rustls, without a library of the system",
    ),
    ("paste", "unmaintained"),
    ("proc-macro-error", "unmaintained"),
    (
        "rustybuzz",
        "unmaintained (RUSTSEC-2026-0206); shaping is harfrust's",
    ),
    ("serde_yaml", "archived; settings are JSON"),
    (
        "ttf-parser",
        "unmaintained (RUSTSEC-2026-0192); fonts are read by read-fonts",
    ),
];

/// Crates that are there in several versions today: the versions, up to the number that makes them
/// incompatible, and what holds them apart.
pub const DUPLICATES: &[(&str, &str, &str)] = &[
    (
        "base64",
        "0.22 0.23",
        "0.22: jsonwebtoken, mysql_common, postgres-protocol",
    ),
    ("bitflags", "1 2", "1: defmt, of jiff"),
    ("block-buffer", "0.10 0.12", "0.10: digest 0.10"),
    (
        "const-oid",
        "0.10 0.9",
        "0.9: x509-cert, of tokio-postgres-rustls",
    ),
    ("cpufeatures", "0.2 0.3", "0.2: sha1 0.10, sha2 0.10"),
    ("crypto-common", "0.1 0.2", "0.1: digest 0.10"),
    ("digest", "0.10 0.11", "0.10: sha1 0.10, sha2 0.10"),
    (
        "fallible-iterator",
        "0.2 0.3",
        "0.2: postgres; 0.3: rusqlite",
    ),
    (
        "getrandom",
        "0.2 0.3 0.4",
        "0.2: ring, signature; 0.3: mysql_common, rand_core 0.9",
    ),
    ("nom", "7 8", "7: x509-parser, of rcgen (tests); 8: lettre"),
    ("pem", "3 4", "3: jsonwebtoken; 4: rcgen (tests)"),
    ("phf", "0.13 0.14", "0.13: tokio-postgres; 0.14: html5ever"),
    ("phf_shared", "0.13 0.14", "phf"),
    ("rand", "0.10 0.9", "0.9: tungstenite"),
    (
        "rand_core",
        "0.10 0.6 0.9",
        "0.6: signature; 0.9: imbl, rand 0.9",
    ),
    ("sha1", "0.10 0.11", "0.10: mysql_common, tungstenite"),
    ("sha2", "0.10 0.11", "0.10: mysql_common"),
    (
        "syn",
        "2 3",
        "macros on their way to 3; 2 also here, for tidy",
    ),
    (
        "synstructure",
        "0.13 0.14",
        "0.13: asn1-rs, of rcgen (tests)",
    ),
    ("tower-http", "0.6 0.7", "0.6: reqwest"),
    ("untrusted", "0.7 0.9", "0.7: aws-lc-rs; 0.9: rustls-webpki"),
];
