//! Huffman codes of JPEG: how long a code is and what it stands for; and the bits they are read from.

use crate::error::Result;

use super::super::error;

/// Codes up to this long are found by one look.
const LOOK: u32 = 9;

/// Where reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// A marker or the end came before the data were complete.
    Early,
    /// The bits stand for nothing.
    Invalid,
}

/// One table of a DHT segment.
pub(super) struct Table {
    /// For each beginning of [`LOOK`] bits: length in the high byte, symbol in the low; 0 is longer.
    short: Vec<u16>,
    /// For each length: the first code past it, and what to add to a code for its place in `symbols`.
    past: [u32; 17],
    offset: [i32; 17],
    symbols: Vec<u8>,
}

impl Table {
    /// A table from the number of codes of each length and their symbols.
    pub(super) fn new(counts: &[u8; 16], symbols: &[u8]) -> Result<Self> {
        let mut table = Self {
            short: vec![0; 1 << LOOK],
            past: [0; 17],
            offset: [0; 17],
            symbols: symbols.to_vec(),
        };
        let (mut code, mut place) = (0_u32, 0_usize);
        for (length, &count) in (1_u32..).zip(counts) {
            code <<= 1;
            table.offset[length as usize] = place as i32 - code as i32;
            for &symbol in symbols
                .get(place..place + usize::from(count))
                .unwrap_or_default()
            {
                table.note(code, length, symbol);
                code += 1;
            }
            place += usize::from(count);
            table.past[length as usize] = code;
            if code > 1 << length || place > symbols.len() {
                return Err(error::corrupt("a Huffman table holds more codes than fit"));
            }
        }
        Ok(table)
    }

    fn note(&mut self, code: u32, length: u32, symbol: u8) {
        if length <= LOOK {
            let first = (code << (LOOK - length)) as usize;
            let entry = (length as u16) << 8 | u16::from(symbol);
            let last = first + (1 << (LOOK - length));
            if let Some(entries) = self.short.get_mut(first..last) {
                entries.fill(entry);
            }
        }
    }
}

/// The bits of one scan between two markers.
pub(super) struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
    held: u64,
    count: u32,
}

impl<'a> Bits<'a> {
    /// Reads `bytes`, which hold stuffed data and restart markers.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            held: 0,
            count: 0,
        }
    }

    /// Tries to hold at least 32 bits.
    #[inline]
    fn fill(&mut self) {
        if let Some(four) = self
            .bytes
            .get(self.at..self.at + 4)
            .and_then(|four| four.first_chunk::<4>())
            && !four.contains(&0xff)
        {
            self.held = self.held << 32 | u64::from(u32::from_be_bytes(*four));
            self.count += 32;
            self.at += 4;
            return;
        }
        self.fill_slowly();
    }

    fn fill_slowly(&mut self) {
        while self.count <= 32 {
            let Some(&byte) = self.bytes.get(self.at) else {
                return;
            };
            if byte == 0xff {
                // A stuffed zero makes it data; anything else is a restart marker.
                if self.bytes.get(self.at + 1) != Some(&0) {
                    return;
                }
                self.at += 1;
            }
            self.at += 1;
            self.held = self.held << 8 | u64::from(byte);
            self.count += 8;
        }
    }

    /// The next `count` bits, at most 16.
    #[inline]
    pub(super) fn take(&mut self, count: u32) -> std::result::Result<u32, Fault> {
        if self.count < count {
            self.fill();
            if self.count < count {
                return Err(Fault::Early);
            }
        }
        self.count -= count;
        Ok((self.held >> self.count) as u32 & ((1 << count) - 1))
    }

    /// Passes `count` bits.
    pub(super) fn skip(&mut self, mut count: u32) -> std::result::Result<(), Fault> {
        while count > 0 {
            let some = count.min(16);
            self.take(some)?;
            count -= some;
        }
        Ok(())
    }

    /// The next symbol.
    #[inline]
    pub(super) fn symbol(&mut self, table: &Table) -> std::result::Result<u8, Fault> {
        if self.count < 16 {
            self.fill();
        }
        // Past the end the code is completed with ones, which no valid code consists of.
        let missing = 16_u32.saturating_sub(self.count);
        let ahead = (self.held << missing >> (self.count + missing - 16)) as u32 & 0xffff
            | ((1 << missing) - 1);
        let entry = table.short[(ahead >> (16 - LOOK)) as usize];
        if entry != 0 {
            self.drop(u32::from(entry >> 8))?;
            return Ok(entry as u8);
        }
        for length in LOOK + 1..=16 {
            let code = ahead >> (16 - length);
            if code < table.past[length as usize] {
                self.drop(length)?;
                let place = code as i32 + table.offset[length as usize];
                return usize::try_from(place)
                    .ok()
                    .and_then(|place| table.symbols.get(place))
                    .copied()
                    .ok_or(Fault::Invalid);
            }
        }
        Err(if missing > 0 {
            Fault::Early
        } else {
            Fault::Invalid
        })
    }

    #[inline]
    fn drop(&mut self, count: u32) -> std::result::Result<(), Fault> {
        if self.count < count {
            return Err(Fault::Early);
        }
        self.count -= count;
        Ok(())
    }

    /// Passes the restart marker `number` (0 to 7) and whatever stands before it.
    pub(super) fn restart(&mut self, number: u8) -> std::result::Result<(), Fault> {
        self.held = 0;
        self.count = 0;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            if let (0xff, Some(&code @ 0xd0..=0xd7)) = (byte, self.bytes.get(self.at)) {
                self.at += 1;
                return if code == 0xd0 + number {
                    Ok(())
                } else {
                    Err(Fault::Invalid)
                };
            }
        }
        Err(Fault::Early)
    }
}
