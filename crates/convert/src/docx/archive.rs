//! The zip archive around a DOCX file, unpacked within bounds.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::rc::Rc;

use zip::ZipArchive;

use super::xml::Xml;
use crate::{Error, Limits};

pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    limits: &'a Limits,
}

impl<'a> Archive<'a> {
    pub(super) fn open(file: &'a [u8], limits: &'a Limits) -> Result<Archive<'a>, Error> {
        if file.len() > limits.bytes {
            return Err(Error::TooLarge);
        }
        let zip = ZipArchive::new(Cursor::new(file));
        let zip = zip.map_err(|_| Error::NotDocx("it is not a zip archive"))?;
        Ok(Archive { zip, limits })
    }

    /// The XML of a part that is kept in memory, or `None` if there is no such part.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Xml<impl BufRead>>, Error> {
        self.open_part(name, self.limits.nodes)
    }

    /// The XML of the text, of which nothing but the text is kept.
    pub(super) fn document(&mut self) -> Result<Option<Xml<impl BufRead>>, Error> {
        self.open_part("word/document.xml", usize::MAX)
    }

    fn open_part(
        &mut self,
        name: &str,
        elements: usize,
    ) -> Result<Option<Xml<impl BufRead>>, Error> {
        if self.zip.index_for_name(name).is_none() {
            return Ok(None);
        }
        let part = self.zip.by_name(name);
        let part = part.map_err(|_| Error::NotDocx("a part of it cannot be unpacked"))?;
        let bounded = Bounded {
            source: part,
            left: self.limits.unpacked,
            left_at_once: Rc::default(),
        };
        let left_at_once = Rc::clone(&bounded.left_at_once);
        let source = BufReader::new(bounded);
        let xml = Xml::new(source, left_at_once, elements, self.limits);
        Ok(Some(xml))
    }
}

/// Fails where there is more to read than allowed. What an archive says about that is not asked.
struct Bounded<R> {
    source: R,
    left: usize,
    /// What may be read for one tag or text. The reader of XML has it in memory as a whole.
    left_at_once: Rc<Cell<usize>>,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let left = self.left.checked_sub(count);
        let left_at_once = self.left_at_once.get().checked_sub(count);
        let (Some(left), Some(left_at_once)) = (left, left_at_once) else {
            return Err(ErrorKind::FileTooLarge.into());
        };
        self.left = left;
        self.left_at_once.set(left_at_once);
        Ok(count)
    }
}
