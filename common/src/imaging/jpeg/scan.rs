//! Walks the entropy-coded data of a JPEG without decoding it, to see that nothing is missing.
//!
//! Decoders fill what is missing with grey and call it a success. This walk follows every code of
//! every scan: data that end early are `image_truncated`, codes that stand for nothing `image_corrupt`.

use std::rc::Rc;

use crate::error::Result;

use super::{
    super::error,
    Structure,
    frame::{Frame, Scan},
    huffman::{Bits, Fault, Table},
};

type Step = std::result::Result<(), Fault>;

/// Follows all scans.
pub(super) fn check(bytes: &[u8], structure: &Structure) -> Result<()> {
    let frame = &structure.frame;
    let mut filled: Vec<Vec<u64>> = frame.components.iter().map(|_| Vec::new()).collect();
    let mut begun = vec![false; frame.components.len()];
    for scan in &structure.scans {
        let data = bytes.get(scan.data.clone()).unwrap_or_default();
        let mut walk = Walk::new(frame, scan, data, &mut filled)?;
        walk.run().map_err(|fault| match fault {
            Fault::Early => error::truncated("its picture data are not complete"),
            Fault::Invalid => error::corrupt("its picture data are not valid"),
        })?;
        for part in &scan.parts {
            begun[part.component] |= scan.first == 0;
        }
    }
    if begun.contains(&false) {
        return Err(error::truncated("a colour component has no data"));
    }
    Ok(())
}

/// One component's share of a scan.
struct Part {
    component: usize,
    across: usize,
    down: usize,
    dc: Option<Rc<Table>>,
    ac: Option<Rc<Table>>,
}

struct Walk<'a> {
    bits: Bits<'a>,
    scan: &'a Scan,
    progressive: bool,
    parts: Vec<Part>,
    /// Units between restart markers, and units in all.
    units: u64,
    /// Blocks in a row and, for progressive pictures, which of each block's coefficients are not zero.
    stride: Vec<usize>,
    filled: &'a mut [Vec<u64>],
    /// Blocks that the current end-of-band run still covers.
    run: u32,
}

impl<'a> Walk<'a> {
    fn new(
        frame: &Frame,
        scan: &'a Scan,
        data: &'a [u8],
        filled: &'a mut [Vec<u64>],
    ) -> Result<Self> {
        let mut parts = Vec::new();
        for part in &scan.parts {
            let component = &frame.components[part.component];
            let alone = scan.parts.len() == 1;
            let (across, down) = if alone {
                (1, 1)
            } else {
                (usize::from(component.across), usize::from(component.down))
            };
            let (dc, ac) = (scan.dc[part.dc].clone(), scan.ac[part.ac].clone());
            let needs_dc = scan.first == 0 && scan.high == 0;
            let needs_ac = scan.last > 0;
            if needs_dc && dc.is_none() || needs_ac && ac.is_none() {
                return Err(error::corrupt(
                    "a scan uses a Huffman table that is not there",
                ));
            }
            parts.push(Part {
                component: part.component,
                across,
                down,
                dc,
                ac,
            });
        }
        let stride: Vec<usize> = (0..frame.components.len())
            .map(|index| frame.padded_blocks(index).0)
            .collect();
        if frame.progressive && scan.last > 0 {
            let index = scan.parts[0].component;
            let (wide, high) = frame.padded_blocks(index);
            filled[index].resize(wide * high, 0);
        }
        let units = frame.units(scan);
        Ok(Self {
            bits: Bits::new(data),
            scan,
            progressive: frame.progressive,
            parts,
            units,
            stride,
            filled,
            run: 0,
        })
    }

    fn run(&mut self) -> Step {
        let restart = u64::from(self.scan.restart);
        let alone = self.scan.parts.len() == 1;
        let row = self.scan.units_across.max(1);
        for unit in 0..self.units {
            if restart > 0 && unit > 0 && unit % restart == 0 {
                self.bits.restart(((unit / restart - 1) % 8) as u8)?;
                self.run = 0;
            }
            if self.progressive && alone && self.scan.last > 0 {
                let place = (unit / row) as usize * self.stride[self.parts[0].component]
                    + (unit % row) as usize;
                if self.scan.high == 0 {
                    self.ac_first(place)?;
                } else {
                    self.ac_refine(place)?;
                }
            } else {
                self.unit()?;
            }
        }
        Ok(())
    }

    /// One unit of a sequential scan, or of a progressive one that holds first coefficients alone.
    fn unit(&mut self) -> Step {
        for part in &self.parts {
            for _ in 0..part.across * part.down {
                if self.progressive && self.scan.high > 0 {
                    self.bits.take(1)?;
                    continue;
                }
                let dc = part.dc.as_deref().ok_or(Fault::Invalid)?;
                let size = u32::from(self.bits.symbol(dc)?);
                if size > 15 {
                    return Err(Fault::Invalid);
                }
                self.bits.take(size)?;
                if !self.progressive {
                    rest_of_block(&mut self.bits, part.ac.as_deref().ok_or(Fault::Invalid)?)?;
                }
            }
        }
        Ok(())
    }

    /// First bits of a band of one block.
    fn ac_first(&mut self, place: usize) -> Step {
        if self.run > 0 {
            self.run -= 1;
            return Ok(());
        }
        let table = self.parts[0].ac.clone().ok_or(Fault::Invalid)?;
        let mut at = u32::from(self.scan.first);
        while at <= u32::from(self.scan.last) {
            let symbol = self.bits.symbol(&table)?;
            let (zeros, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
            match (zeros, size) {
                (15, 0) => at += 16,
                (_, 0) => {
                    self.run = (1 << zeros) - 1 + self.bits.take(zeros)?;
                    break;
                }
                _ => {
                    self.bits.take(size)?;
                    at += zeros;
                    self.fill(place, at);
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// One more bit of a band of one block: coefficients that are not zero each take a bit where they
    /// are passed.
    fn ac_refine(&mut self, place: usize) -> Step {
        let last = u32::from(self.scan.last);
        let mut at = u32::from(self.scan.first);
        if self.run == 0 {
            let table = self.parts[0].ac.clone().ok_or(Fault::Invalid)?;
            while at <= last {
                let symbol = self.bits.symbol(&table)?;
                let (zeros, size) = (u32::from(symbol >> 4), symbol & 15);
                match size {
                    0 if zeros < 15 => {
                        self.run = (1 << zeros) + self.bits.take(zeros)?;
                        break;
                    }
                    0 => at = self.pass(place, at, 15)? + 1,
                    1 => {
                        self.bits.take(1)?;
                        at = self.pass(place, at, zeros)?;
                        self.fill(place, at);
                        at += 1;
                    }
                    _ => return Err(Fault::Invalid),
                }
            }
        }
        if self.run > 0 {
            self.correct(place, at, last + 1)?;
            self.run -= 1;
        }
        Ok(())
    }

    /// Goes on from `at` over `zeros` zero coefficients to the next zero one, and says where it stands.
    fn pass(&mut self, place: usize, at: u32, zeros: u32) -> std::result::Result<u32, Fault> {
        let end = u32::from(self.scan.last) + 1;
        let mut open = !self.filled(place) & span(at, end);
        for _ in 0..zeros {
            open &= open.wrapping_sub(1);
        }
        let stop = open.trailing_zeros().min(end);
        self.correct(place, at, stop)?;
        Ok(stop)
    }

    /// Passes the correction bits of the coefficients from `at` up to, but without, `end`.
    fn correct(&mut self, place: usize, at: u32, end: u32) -> Step {
        let bits = self.filled(place) & span(at, end);
        self.bits.skip(bits.count_ones())
    }

    fn filled(&self, place: usize) -> u64 {
        self.filled[self.parts[0].component]
            .get(place)
            .copied()
            .unwrap_or(0)
    }

    fn fill(&mut self, place: usize, at: u32) {
        if let Some(block) = self.filled[self.parts[0].component].get_mut(place)
            && at < 64
        {
            *block |= 1 << at;
        }
    }
}

/// The bits from `from` up to, but without, `to`; both at most 64.
fn span(from: u32, to: u32) -> u64 {
    let below = |end: u32| if end >= 64 { u64::MAX } else { (1 << end) - 1 };
    below(to) & !below(from)
}

/// The 63 other coefficients of a sequential block.
fn rest_of_block(bits: &mut Bits<'_>, table: &Table) -> Step {
    let mut at = 1;
    while at < 64 {
        let symbol = bits.symbol(table)?;
        let (zeros, size) = (u32::from(symbol >> 4), u32::from(symbol & 15));
        match (zeros, size) {
            (15, 0) => at += 16,
            (_, 0) => break,
            _ => {
                bits.take(size)?;
                at += zeros + 1;
            }
        }
    }
    Ok(())
}
