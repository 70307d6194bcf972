//! Reading plugins: the bytes as a manifest, a catalogue, an archive, the files of one, and frames.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plugin::wire::{Decoder, FromWorker, ToWorker};
use plugin::{Catalogue, Manifest, Package};
use serde::de::DeserializeOwned;

/// The files that are read, in the order they stand in the input.
const FILES: [&str; 4] = ["plugin.json", "server.js", "locales/en.json", "tests.json"];

fuzz_target!(|bytes: &[u8]| {
    let _ = Manifest::parse(bytes);
    let _ = Catalogue::parse(bytes);
    let _ = Package::unpack(bytes);
    decode::<ToWorker>(bytes);
    decode::<FromWorker>(bytes);
    // No mutation of packed bytes leads to other files, so these are files here.
    let parts = FILES.iter().zip(bytes.split(|&byte| byte == 0));
    let files = parts.map(|(name, part)| ((*name).to_owned(), part.to_vec()));
    if let Ok(package) = Package::from_files(files.collect()) {
        let _ = plugin::scenario::scenarios(&package);
        let archive = package.pack().unwrap();
        assert_eq!(Package::unpack(&archive).unwrap(), package);
    }
});

/// The first bytes as a stream in pieces, and all of them as one message.
fn decode<T: DeserializeOwned>(bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    let frame = [&length, bytes].concat();
    for stream in [bytes, &frame] {
        let mut decoder = Decoder::<T>::default();
        for piece in stream.chunks(7) {
            decoder.push(piece);
            while let Ok(Some(_)) = decoder.next_message() {}
        }
    }
}
