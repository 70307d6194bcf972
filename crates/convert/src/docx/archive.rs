//! The zip archive around a DOCX file, unpacked within bounds.

use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};

use zip::ZipArchive;

use super::xml::Xml;
use crate::{Error, Limits};

pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    limits: &'a Limits,
}

impl<'a> Archive<'a> {
    pub fn open(file: &'a [u8], limits: &'a Limits) -> Result<Archive<'a>, Error> {
        if file.len() > limits.bytes {
            return Err(Error::TooLarge);
        }
        let zip = ZipArchive::new(Cursor::new(file));
        let zip = zip.map_err(|_| Error::NotDocx("it is not a zip archive"))?;
        Ok(Archive { zip, limits })
    }

    /// The XML of a part, or `None` if there is no such part.
    pub fn part(&mut self, name: &str) -> Result<Option<Xml<impl BufRead>>, Error> {
        if self.zip.index_for_name(name).is_none() {
            return Ok(None);
        }
        let part = self.zip.by_name(name);
        let part = part.map_err(|_| Error::NotDocx("a part of it cannot be unpacked"))?;
        let bounded = Bounded {
            source: part,
            left: self.limits.unpacked,
        };
        Ok(Some(Xml::new(BufReader::new(bounded), self.limits)))
    }
}

/// Fails where there is more to read than allowed. What an archive says about that is not asked.
struct Bounded<R> {
    source: R,
    left: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.left = match self.left.checked_sub(count) {
            Some(left) => left,
            None => return Err(ErrorKind::FileTooLarge.into()),
        };
        Ok(count)
    }
}
