//! Compression. The first byte says how the rest is written; what would not become smaller is kept
//! as it is.

use super::Malformed;
use super::bytes::{Reader, put_size};

const PLAIN: u8 = 0;
const ZSTD: u8 = 1;
/// Slower levels gain less than one in fifty on packs of typing.
const LEVEL: i32 = 6;
/// No pack and no snapshot comes near it; a wrong length must not take all memory.
const MAX_EXPANDED: usize = 1 << 30;

pub(crate) fn compress(raw: &[u8]) -> Vec<u8> {
    let mut out = vec![ZSTD];
    put_size(&mut out, raw.len());
    match compressed(raw) {
        Ok(bytes) if bytes.len() + out.len() <= raw.len() => out.extend_from_slice(&bytes),
        _ => {
            out = vec![PLAIN];
            out.extend_from_slice(raw);
        }
    }
    out
}

fn compressed(raw: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut compressor = zstd::bulk::Compressor::new(LEVEL)?;
    // Disks do change bits; four bytes tell.
    compressor.include_checksum(true)?;
    compressor.include_contentsize(false)?;
    compressor.compress(raw)
}

pub(crate) fn expand(bytes: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut reader = Reader::new(bytes);
    match reader.byte()? {
        PLAIN => Ok(reader.rest().to_vec()),
        ZSTD => {
            let size = reader.size()?;
            if size > MAX_EXPANDED {
                return Err(Malformed("a length is too large"));
            }
            let raw = zstd::bulk::decompress(reader.rest(), size);
            let raw = raw.map_err(|_| Malformed("compressed bytes are damaged"))?;
            if raw.len() == size {
                Ok(raw)
            } else {
                Err(Malformed("compressed bytes have another length"))
            }
        }
        _ => Err(Malformed("written in an unknown way")),
    }
}
