//! Chance.

/// A small generator of our own, so that a seed means the same on every machine and release.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 8) % below.max(1) as u64) as usize
    }

    pub(super) fn is_one_in(&mut self, count: usize) -> bool {
        self.roll(count) == 0
    }
}
