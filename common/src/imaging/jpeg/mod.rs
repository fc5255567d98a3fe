//! JPEG: markers are walked by hand, pixels are decoded by zune-jpeg.
//!
//! The walk finds what a decoder does not tell: how many scans there are and what they cost, whether
//! the file ends where the picture does, and what follows it.

mod decode;
mod frame;
mod huffman;
mod scan;

use std::rc::Rc;

use crate::error::Result;

use super::{
    Limits,
    colour::{PROFILE_MAX, Profile},
    error,
    exif::{self, Orientation},
    header::{Facts, check_size},
};

use frame::{Component, Frame, Part, Scan, Tables};
use huffman::Table;

pub(super) use decode::decode;
#[cfg(test)]
pub(super) use decode::inks;

/// Most scans of a picture; the decoder has the same limit. Encoders write up to about twenty.
const SCANS_MAX: u64 = 100;
/// Most blocks of 8 x 8 samples over all scans. The largest picture with full colour has 1.9 million,
/// and the usual ten progressive scans visit 8.8 million.
const BLOCKS_MAX: u64 = 10_000_000;

/// A walked file.
pub(super) struct Structure {
    frame: Frame,
    scans: Vec<Scan>,
    /// Where each Adobe segment names its transform, and the last of them.
    adobe: Vec<usize>,
    transform: Option<u8>,
    jfif: bool,
}

/// Walks the markers.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<(Facts, Structure)> {
    let walk = Walk::whole(bytes, 0, limits)?;
    let (end, end_of_all) = (walk.at, end_of_all(bytes, walk.at, limits));
    let frame = walk
        .frame
        .ok_or_else(|| error::corrupt("it has no frame header"))?;
    if walk.scans.is_empty() {
        return Err(error::corrupt("it has no picture data"));
    }
    if !decodable(&frame, &walk.scans) {
        return Err(error::unsupported(
            "a JPEG in separate scans with subsampled colours",
        ));
    }
    let facts = Facts {
        size: frame.size,
        frames: 1,
        animated: false,
        has_alpha: false,
        orientation: walk.exif.map_or(Orientation::Unstated, exif::orientation),
        profile: profile(&walk.profile),
        end,
        end_of_all,
        warnings: Vec::new(),
    };
    let structure = Structure {
        frame,
        scans: walk.scans,
        adobe: walk.adobe,
        transform: walk.transform,
        jfif: walk.jfif,
    };
    Ok((facts, structure))
}

/// Behind the last of the pictures that follow one another from `end` on. They are never decoded, so
/// it does not matter what is wrong with one: it then ends the row.
fn end_of_all(bytes: &[u8], mut end: usize, limits: &Limits) -> usize {
    loop {
        let behind = bytes.get(end..).unwrap_or_default();
        let Some(padding) = behind
            .iter()
            .position(|byte| !matches!(byte, 0 | b'\n' | b'\r' | b' '))
        else {
            return end;
        };
        if !behind[padding..].starts_with(b"\xff\xd8\xff") {
            return end;
        }
        match Walk::whole(bytes, end + padding, limits) {
            Ok(walk) => end = walk.at,
            Err(_) => return bytes.len(),
        }
    }
}

/// Whether the decoder lays out the rows of a sequential picture rightly: it mixes them up when several
/// scans share them and components differ in height, or differ at all within a shared scan.
fn decodable(frame: &Frame, scans: &[Scan]) -> bool {
    let first_has_all = scans
        .first()
        .is_some_and(|scan| scan.parts.len() == frame.components.len());
    let single = |part: &Part| {
        let component = &frame.components[part.component];
        component.across == 1 && component.down == 1
    };
    frame.progressive
        || first_has_all
        || frame.most() == (1, 1)
        || frame.most().1 == 1
            && scans
                .iter()
                .all(|scan| scan.parts.len() == 1 || scan.parts.iter().all(single))
}

/// Joins the numbered parts of a profile.
fn profile(parts: &[&[u8]]) -> Profile {
    let Some([_, promised, ..]) = parts.first() else {
        return Profile::Absent;
    };
    let mut whole = Vec::new();
    for number in 1..=*promised {
        let Some(part) = parts.iter().find(|part| part.first() == Some(&number)) else {
            return Profile::Unusable;
        };
        whole.extend_from_slice(part.get(2..).unwrap_or_default());
        if whole.len() > PROFILE_MAX {
            return Profile::Unusable;
        }
    }
    if whole.is_empty() {
        Profile::Unusable
    } else {
        Profile::Embedded(whole)
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    limits: &'a Limits,
    at: usize,
    ended: bool,
    frame: Option<Frame>,
    scans: Vec<Scan>,
    cost: u64,
    restart: u16,
    dc: Tables,
    ac: Tables,
    exif: Option<&'a [u8]>,
    profile: Vec<&'a [u8]>,
    adobe: Vec<usize>,
    transform: Option<u8>,
    jfif: bool,
}

impl<'a> Walk<'a> {
    /// Walks the picture that begins at `start`, to its end marker.
    fn whole(bytes: &'a [u8], start: usize, limits: &'a Limits) -> Result<Self> {
        let mut walk = Self::new(bytes, start, limits);
        while !walk.ended {
            walk.segment()?;
        }
        Ok(walk)
    }

    fn new(bytes: &'a [u8], start: usize, limits: &'a Limits) -> Self {
        Self {
            bytes,
            limits,
            at: start + 2,
            ended: false,
            frame: None,
            scans: Vec::new(),
            cost: 0,
            restart: 0,
            dc: Tables::default(),
            ac: Tables::default(),
            exif: None,
            profile: Vec::new(),
            adobe: Vec::new(),
            transform: None,
            jfif: false,
        }
    }

    /// Passes the next marker and its segment.
    fn segment(&mut self) -> Result<()> {
        let code = self
            .marker()
            .ok_or_else(|| error::truncated("it has no end marker"))?;
        match code {
            0xd9 => {
                self.ended = true;
                return Ok(());
            }
            0x01 | 0xd0..=0xd8 => return Ok(()),
            _ => {}
        }
        let cut = || error::truncated("a segment is not complete");
        let length = self
            .bytes
            .get(self.at..)
            .and_then(|rest| rest.first_chunk::<2>())
            .ok_or_else(cut)?;
        let length = usize::from(u16::from_be_bytes(*length));
        if length < 2 {
            return Err(error::corrupt("a segment is shorter than its own length"));
        }
        let start = self.at + 2;
        self.at += length;
        let data = self.bytes.get(start..self.at).ok_or_else(cut)?;
        match code {
            0xc4 => self.tables(data),
            0xc0..=0xc2 => self.frame(data, code == 0xc2),
            0xc3 | 0xc7 | 0xcb | 0xcf => Err(error::unsupported("a lossless JPEG")),
            0xc5 | 0xc6 | 0xcd | 0xce => Err(error::unsupported("a hierarchical JPEG")),
            0xc9 | 0xca | 0xcc => Err(error::unsupported("an arithmetic-coded JPEG")),
            0xda => self.scan(data),
            0xdd => {
                let interval = data
                    .first_chunk::<2>()
                    .ok_or_else(|| error::corrupt("a restart interval is cut"))?;
                self.restart = u16::from_be_bytes(*interval);
                Ok(())
            }
            _ => {
                self.application(code, data, start);
                Ok(())
            }
        }
    }

    /// The code of the next marker; what stands before it is passed.
    fn marker(&mut self) -> Option<u8> {
        loop {
            self.at += self
                .bytes
                .get(self.at..)?
                .iter()
                .position(|&byte| byte == 0xff)?
                + 1;
            match *self.bytes.get(self.at)? {
                0xff => {}
                0 => self.at += 1,
                code => {
                    self.at += 1;
                    return Some(code);
                }
            }
        }
    }

    fn application(&mut self, code: u8, data: &'a [u8], start: usize) {
        match code {
            0xe0 => self.jfif |= data.starts_with(b"JFIF\0"),
            0xe1 if self.exif.is_none() => self.exif = data.strip_prefix(b"Exif\0\0"),
            0xe2 => self.profile.extend(data.strip_prefix(b"ICC_PROFILE\0")),
            0xee if data.len() >= 12 && data.starts_with(b"Adobe") => {
                self.adobe.push(start + 11);
                self.transform = Some(data[11]);
            }
            _ => {}
        }
    }

    fn tables(&mut self, mut data: &[u8]) -> Result<()> {
        while let Some((&kind, rest)) = data.split_first() {
            let cut = || error::corrupt("a Huffman table is cut");
            let (counts, rest) = rest.split_first_chunk::<16>().ok_or_else(cut)?;
            let total = counts.iter().map(|&count| usize::from(count)).sum();
            let (symbols, rest) = rest.split_at_checked(total).ok_or_else(cut)?;
            let tables = if kind >> 4 == 0 {
                &mut self.dc
            } else {
                &mut self.ac
            };
            let place = tables
                .get_mut(usize::from(kind & 15))
                .filter(|_| kind >> 4 < 2);
            let place = place.ok_or_else(|| error::corrupt("a Huffman table has no place"))?;
            *place = Some(Rc::new(Table::new(counts, symbols)?));
            data = rest;
        }
        Ok(())
    }

    fn frame(&mut self, data: &[u8], progressive: bool) -> Result<()> {
        let cut = || error::corrupt("its frame header is cut");
        let (head, rest) = data.split_first_chunk::<6>().ok_or_else(cut)?;
        let side = |at: usize| u64::from(u16::from_be_bytes([head[at], head[at + 1]]));
        let size = check_size("the picture", side(3), side(1), self.limits)?;
        if head[0] != 8 {
            return Err(error::unsupported(
                "a JPEG with more than eight bits a sample",
            ));
        }
        if !matches!(head[5], 1 | 3 | 4) {
            return Err(error::unsupported(
                "a JPEG with neither one, three nor four colour components",
            ));
        }
        if self.frame.is_some() || rest.len() != 3 * usize::from(head[5]) {
            return Err(error::corrupt("its frame header does not add up"));
        }
        let components = components(rest)?;
        let frame = Frame {
            progressive,
            size,
            components,
        };
        let (across, down) = frame.most();
        let whole = |part: &Component| {
            across % u32::from(part.across) == 0 && down % u32::from(part.down) == 0
        };
        let leads =
            |part: &Component| (u32::from(part.across), u32::from(part.down)) == (across, down);
        if !frame.components.iter().all(whole) || !frame.components.first().is_some_and(leads) {
            return Err(error::unsupported(
                "a JPEG with colour components in unusual ratios",
            ));
        }
        self.frame = Some(frame);
        Ok(())
    }

    fn scan(&mut self, data: &[u8]) -> Result<()> {
        let frame = self
            .frame
            .as_ref()
            .ok_or_else(|| error::corrupt("a scan stands before the frame header"))?;
        let broken = || error::corrupt("a scan header does not add up");
        let (&count, rest) = data.split_first().ok_or_else(broken)?;
        let (chosen, rest) = rest
            .split_at_checked(2 * usize::from(count))
            .ok_or_else(broken)?;
        let &[first, last, bits] = rest.first_chunk::<3>().ok_or_else(broken)?;
        let parts = chosen_parts(frame, chosen).ok_or_else(broken)?;
        let (first, last, high) = if frame.progressive {
            (first, last, bits >> 4)
        } else {
            (0, 63, 0)
        };
        let band = if first == 0 {
            !frame.progressive || last == 0
        } else {
            parts.len() == 1 && first <= last
        };
        if parts.is_empty() || last > 63 || !band {
            return Err(broken());
        }
        self.cost += frame.cost(&parts);
        if self.scans.len() as u64 >= SCANS_MAX {
            return Err(error::work_exceeded("scans", SCANS_MAX));
        }
        if self.cost > BLOCKS_MAX {
            return Err(error::work_exceeded("blocks over all scans", BLOCKS_MAX));
        }
        let units_across = frame.units_of(&parts).0;
        let start = self.at;
        self.skip_data();
        self.scans.push(Scan {
            parts,
            first,
            last,
            high,
            restart: self.restart,
            units_across,
            data: start..self.at,
            dc: self.dc.clone(),
            ac: self.ac.clone(),
        });
        Ok(())
    }

    /// Passes entropy-coded data: up to the next marker that is no restart.
    fn skip_data(&mut self) {
        while let Some(next) = self
            .bytes
            .get(self.at..)
            .and_then(|rest| rest.iter().position(|&byte| byte == 0xff))
        {
            self.at += next;
            match self.bytes.get(self.at + 1) {
                Some(0 | 0xd0..=0xd7) => self.at += 2,
                Some(0xff) => self.at += 1,
                Some(_) => return,
                None => break,
            }
        }
        self.at = self.bytes.len();
    }
}

/// The components of a frame header, three bytes each.
fn components(data: &[u8]) -> Result<Vec<Component>> {
    let (parts, _) = data.as_chunks::<3>();
    let component = |&[id, sampling, _]: &[u8; 3]| Component {
        id,
        across: sampling >> 4,
        down: sampling & 15,
    };
    let components: Vec<Component> = parts.iter().map(component).collect();
    let valid = |part: &Component| (1..=4).contains(&part.across) && (1..=4).contains(&part.down);
    if components.iter().all(valid) {
        Ok(components)
    } else {
        Err(error::corrupt(
            "a colour component is sampled in no valid way",
        ))
    }
}

/// The components that a scan header chooses, two bytes each; `None` when one is unknown, comes twice
/// or names a table that cannot be.
fn chosen_parts(frame: &Frame, chosen: &[u8]) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for &[id, tables] in chosen.as_chunks::<2>().0 {
        let component = frame.components.iter().position(|part| part.id == id)?;
        let (dc, ac) = (usize::from(tables >> 4), usize::from(tables & 15));
        if dc > 3 || ac > 3 || parts.iter().any(|part| part.component == component) {
            return None;
        }
        parts.push(Part { component, dc, ac });
    }
    Some(parts)
}
