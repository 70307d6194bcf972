//! A line of a pad as shaped text, not yet broken into rows.

use std::ops::Range;

use unicode_bidi::{Level, LevelRun, ParagraphBidiInfo};
use unicode_script::{Script, UnicodeScript};

use super::fonts::Variant;
use super::typesetter::{FontId, Typesetter};

/// What a stretch of text looks like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub variant: Variant,
    pub size: f32,
    pub underline: bool,
    pub strike: bool,
    /// As three channels of eight bits; `None` is black, and no colour behind it.
    pub colour: Option<u32>,
    pub highlight: Option<u32>,
    /// How far it stands above the baseline.
    pub rise: f32,
    /// The typeface, as the typesetter counts them.
    pub typeface: usize,
    /// Which of the line's links it is part of.
    pub link: Option<usize>,
}

pub(super) struct Glyph {
    /// In the font; for a standard font the code of the character.
    pub id: u16,
    /// Where the characters start that it shows, or helps to show.
    pub cluster: usize,
    pub advance: f32,
    /// How far it is moved from where it would stand.
    pub x: f32,
    pub y: f32,
}

/// Text in one font, look and direction.
pub(super) struct Item {
    pub range: Range<usize>,
    pub font: FontId,
    pub look: Look,
    /// From left to right.
    pub glyphs: Vec<Glyph>,
    /// Where the clusters start, in order.
    clusters: Vec<usize>,
}

impl Item {
    /// The characters that a glyph shows.
    pub(super) fn cluster(&self, start: usize) -> Range<usize> {
        let after = self.clusters.partition_point(|&cluster| cluster <= start);
        start..self.clusters.get(after).copied().unwrap_or(self.range.end)
    }
}

/// Items longer than this are parted, so that a row never has to look at many glyphs of others.
const ITEM: usize = 2000;

pub(super) struct Paragraph<'a> {
    pub text: &'a str,
    pub items: Vec<Item>,
    pub is_rtl: bool,
    /// Only if something in it runs from right to left.
    bidi: Option<ParagraphBidiInfo<'a>>,
}

impl<'a> Paragraph<'a> {
    /// Shapes text. `looks` say for all of it, one after another, up to where they hold.
    pub(super) fn new(text: &'a str, looks: &[(usize, Look)], typesetter: &mut Typesetter) -> Self {
        let bidi = ParagraphBidiInfo::new(text, None);
        let is_rtl = bidi.paragraph_level.is_rtl();
        let bidi = bidi.has_rtl().then_some(bidi);
        let mut paragraph = Paragraph {
            text,
            items: Vec::new(),
            is_rtl,
            bidi,
        };
        let mut pending: Option<Pending> = None;
        let mut looks = looks.iter().peekable();
        for (at, c) in text.char_indices() {
            while looks.next_if(|(end, _)| *end <= at).is_some() {}
            let Some((_, look)) = looks.peek() else {
                break;
            };
            let level = paragraph.level(at);
            let last = pending.as_ref().map(|pending| pending.font);
            let font = typesetter.choose(c, look, last);
            let script = match c.script() {
                Script::Common | Script::Inherited => None,
                script => Some(script),
            };
            match &mut pending {
                Some(pending) if pending.takes(font, look, level, script, at) => {
                    pending.script = pending.script.or(script);
                }
                _ => {
                    if let Some(pending) = pending.take() {
                        paragraph.push(pending, at, typesetter);
                    }
                    pending = Some(Pending {
                        start: at,
                        font,
                        look: *look,
                        level,
                        script,
                    });
                }
            }
        }
        if let Some(pending) = pending {
            paragraph.push(pending, text.len(), typesetter);
        }
        paragraph
    }

    fn level(&self, at: usize) -> Level {
        let levels = self.bidi.as_ref().map(|bidi| &bidi.levels);
        let level = levels.and_then(|levels| levels.get(at));
        level.copied().unwrap_or(Level::ltr())
    }

    fn push(&mut self, pending: Pending, end: usize, typesetter: &mut Typesetter) {
        let range = pending.start..end;
        let glyphs = typesetter.glyphs(
            self.text.get(range.clone()).unwrap_or_default(),
            pending.start,
            pending.font,
            &pending.look,
            pending.script.unwrap_or(Script::Common),
            pending.level.is_rtl(),
        );
        let mut clusters: Vec<usize> = glyphs.iter().map(|glyph| glyph.cluster).collect();
        clusters.sort_unstable();
        clusters.dedup();
        self.items.push(Item {
            range,
            font: pending.font,
            look: pending.look,
            glyphs,
            clusters,
        });
    }

    /// The stretches of a row from left to right, each with whether it runs the other way.
    pub(super) fn visual_runs(&self, row: Range<usize>) -> Vec<(LevelRun, bool)> {
        match &self.bidi {
            None => vec![(row, false)],
            Some(bidi) => {
                let (levels, runs) = bidi.visual_runs(row);
                let is_rtl = |run: &LevelRun| levels.get(run.start).is_some_and(Level::is_rtl);
                runs.into_iter()
                    .map(|run| (run.clone(), is_rtl(&run)))
                    .collect()
            }
        }
    }
}

/// An item whose end is not known yet.
struct Pending {
    start: usize,
    font: FontId,
    look: Look,
    level: Level,
    script: Option<Script>,
}

impl Pending {
    fn takes(
        &self,
        font: FontId,
        look: &Look,
        level: Level,
        script: Option<Script>,
        at: usize,
    ) -> bool {
        let same_script = match (self.font, self.script, script) {
            (FontId::Embedded(_), Some(a), Some(b)) => a == b,
            (FontId::Missing(_), _, _) => false,
            _ => true,
        };
        self.font == font
            && self.look == *look
            && self.level == level
            && same_script
            && at - self.start < ITEM
    }
}
