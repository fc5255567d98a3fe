//! What the headers of a JPEG say: components, scans, and how many blocks they mean.

use std::{ops::Range, rc::Rc};

use super::huffman::Table;

/// One colour component of the frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Component {
    pub(super) id: u8,
    /// Blocks of one interleaved unit, across and down.
    pub(super) across: u8,
    pub(super) down: u8,
}

/// The SOF segment.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) progressive: bool,
    pub(super) size: (u32, u32),
    pub(super) components: Vec<Component>,
}

/// A component of a scan and the tables it is coded with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) component: usize,
    pub(super) dc: usize,
    pub(super) ac: usize,
}

/// One SOS segment with its data.
pub(super) struct Scan {
    pub(super) parts: Vec<Part>,
    /// First and last coefficient, and the bit that was sent before (0: none).
    pub(super) first: u8,
    pub(super) last: u8,
    pub(super) high: u8,
    pub(super) restart: u16,
    /// Units in a row.
    pub(super) units_across: u64,
    pub(super) data: Range<usize>,
    pub(super) dc: Tables,
    pub(super) ac: Tables,
}

/// The four places for tables of one kind.
pub(super) type Tables = [Option<Rc<Table>>; 4];

impl Frame {
    /// The largest sampling of any component, across and down.
    pub(super) fn most(&self) -> (u32, u32) {
        let across = self
            .components
            .iter()
            .map(|part| u32::from(part.across))
            .max()
            .unwrap_or(1);
        let down = self
            .components
            .iter()
            .map(|part| u32::from(part.down))
            .max()
            .unwrap_or(1);
        (across, down)
    }

    /// Interleaved units of the whole picture, across and down.
    fn interleaved_units(&self) -> (u32, u32) {
        let (across, down) = self.most();
        (
            self.size.0.div_ceil(8 * across),
            self.size.1.div_ceil(8 * down),
        )
    }

    /// Blocks of a component's own size, across and down.
    fn blocks(&self, index: usize) -> (u32, u32) {
        let (across, down) = self.most();
        let component = &self.components[index];
        (
            (self.size.0 * u32::from(component.across)).div_ceil(8 * across),
            (self.size.1 * u32::from(component.down)).div_ceil(8 * down),
        )
    }

    /// Blocks of a component with the padding of interleaved units.
    pub(super) fn padded_blocks(&self, index: usize) -> (usize, usize) {
        let (across, down) = self.interleaved_units();
        let component = &self.components[index];
        (
            across as usize * usize::from(component.across),
            down as usize * usize::from(component.down),
        )
    }

    /// Units of a scan, across and down.
    pub(super) fn units_of(&self, parts: &[Part]) -> (u64, u64) {
        let (across, down) = match parts {
            [alone] => self.blocks(alone.component),
            _ => self.interleaved_units(),
        };
        (u64::from(across), u64::from(down))
    }

    /// Units of a scan in all.
    pub(super) fn units(&self, scan: &Scan) -> u64 {
        let (across, down) = self.units_of(&scan.parts);
        across * down
    }

    /// Blocks that a scan visits.
    pub(super) fn cost(&self, parts: &[Part]) -> u64 {
        let (across, down) = self.units_of(parts);
        let blocks = match parts {
            [_] => 1,
            _ => parts
                .iter()
                .map(|part| {
                    let component = &self.components[part.component];
                    u64::from(component.across) * u64::from(component.down)
                })
                .sum(),
        };
        across * down * blocks
    }
}
