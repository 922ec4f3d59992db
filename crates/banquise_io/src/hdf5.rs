//! HDF5 files that are written, as much of the format as is needed: the oldest superblock, which every library reads, groups, and
//! data sets without chunks or compression (*HDF5 file format specification*, version 1 parts).
//!
//! A file is put together in memory, and the largest data set, which comes last, may be written after it.

/// No address.
const UNDEFINED: u64 = u64::MAX;
/// Half of the entries of a symbol node.
const LEAF_K: u16 = 32;
/// Half of the children of a B-tree node, at least.
const MIN_INTERNAL_K: u16 = 16;
const SUPERBLOCK: usize = 96;

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Float(f64),
    Int(i32),
}

/// A file that grows.
pub(crate) struct Hdf5 {
    bytes: Vec<u8>,
    /// Half of the children of a B-tree node, for all groups.
    internal_k: u16,
    /// Where the address of the data set that comes last is to be written, and its size in bytes.
    last: Option<(usize, u64)>,
}

/// Name and address of something in a group.
pub(crate) type Link = (String, u64);

impl Hdf5 {
    /// A file whose largest group has so many members.
    pub(crate) fn new(members: usize) -> Self {
        let leaves = members.div_ceil(usize::from(2 * LEAF_K)).div_ceil(2);
        Self {
            bytes: vec![0; SUPERBLOCK],
            internal_k: MIN_INTERNAL_K.max(leaves as u16),
            last: None,
        }
    }

    /// Most members of a group.
    pub(crate) const MAX_MEMBERS: usize = 2 * LEAF_K as usize * 2 * (u16::MAX / 2) as usize;

    /// Adds a block at a multiple of eight bytes, and says where.
    fn add(&mut self, block: &[u8]) -> u64 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let address = self.bytes.len() as u64;
        self.bytes.extend(block);
        address
    }

    /// Adds a data set with its values.
    pub(crate) fn dataset(
        &mut self,
        shape: &[usize],
        values: &[f64],
        attributes: &[(&str, Number)],
    ) -> u64 {
        let data: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.dataset_of(float_type(), shape, &data, attributes)
    }

    /// Adds a list of 32-bit integers.
    pub(crate) fn integers(&mut self, values: &[i32]) -> u64 {
        let data: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.dataset_of(int_type(), &[values.len()], &data, &[])
    }

    /// Adds a text in ASCII, ended by a zero.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        let data = [text.as_bytes(), &[0]].concat();
        self.dataset_of(text_type(data.len()), &[], &data, &[])
    }

    fn dataset_of(
        &mut self,
        kind: Vec<u8>,
        shape: &[usize],
        data: &[u8],
        attributes: &[(&str, Number)],
    ) -> u64 {
        let address = if data.is_empty() {
            UNDEFINED
        } else {
            self.add(data)
        };
        let (header, _) = dataset_header(kind, shape, [address, data.len() as u64], attributes);
        self.add(&header)
    }

    /// Adds a data set whose values are to follow the file.
    pub(crate) fn last_dataset(&mut self, shape: &[usize]) -> u64 {
        let size = 8 * shape.iter().product::<usize>() as u64;
        let (header, layout) = dataset_header(float_type(), shape, [UNDEFINED, size], &[]);
        let address = self.add(&header);
        self.last = Some((address as usize + layout, size));
        address
    }

    /// Adds a group of links, and says where its header, B-tree and heap are.
    fn group_parts(&mut self, mut links: Vec<Link>) -> [u64; 3] {
        links.sort();
        // Names, each ended by a zero; the first eight bytes are the empty name.
        let mut names = vec![0; 8];
        let mut offsets = Vec::with_capacity(links.len());
        for (name, _) in &links {
            offsets.push(names.len() as u64);
            names.extend(name.as_bytes());
            names.resize((names.len() + 1).next_multiple_of(8), 0);
        }
        let heap = self.add_heap(&names);
        let per_leaf = usize::from(2 * LEAF_K);
        let mut tree = b"TREE\0\0".to_vec();
        tree.extend((links.len().div_ceil(per_leaf) as u16).to_le_bytes());
        for word in [UNDEFINED, UNDEFINED, 0] {
            tree.extend(word.to_le_bytes());
        }
        for (leaf, part) in links.chunks(per_leaf).enumerate() {
            let offsets = &offsets[leaf * per_leaf..][..part.len()];
            let node = self.add(&symbol_node(part, offsets));
            tree.extend(node.to_le_bytes());
            tree.extend(offsets[part.len() - 1].to_le_bytes());
        }
        let children = 2 * usize::from(self.internal_k);
        tree.resize(24 + 8 * children + 8 * (children + 1), 0);
        let tree = self.add(&tree);
        let mut message = tree.to_le_bytes().to_vec();
        message.extend(heap.to_le_bytes());
        let header = self.add(&object_header(&[(0x0011, message)]).0);
        [header, tree, heap]
    }

    /// Adds a group.
    pub(crate) fn group(&mut self, links: Vec<Link>) -> u64 {
        self.group_parts(links)[0]
    }

    fn add_heap(&mut self, names: &[u8]) -> u64 {
        let segment = self.add(names);
        let mut heap = b"HEAP\0\0\0\0".to_vec();
        // Its free list is empty, which is written as one.
        for word in [names.len() as u64, 1, segment] {
            heap.extend(word.to_le_bytes());
        }
        self.add(&heap)
    }

    /// Ends the file with the links of its root; the values of the last data set follow the bytes.
    pub(crate) fn finish(mut self, root: Vec<Link>) -> Vec<u8> {
        let [header, tree, heap] = self.group_parts(root);
        self.add(&[]);
        let mut end = self.bytes.len() as u64;
        if let Some((place, size)) = self.last {
            self.bytes[place..place + 8].copy_from_slice(&end.to_le_bytes());
            end += size;
        }
        let mut block = b"\x89HDF\r\n\x1a\n".to_vec();
        block.extend([0, 0, 0, 0, 0, 8, 8, 0]);
        block.extend(LEAF_K.to_le_bytes());
        block.extend(self.internal_k.to_le_bytes());
        block.extend(0_u32.to_le_bytes());
        for word in [0, UNDEFINED, end, UNDEFINED, 0, header] {
            block.extend(word.to_le_bytes());
        }
        block.extend(1_u64.to_le_bytes());
        for word in [tree, heap] {
            block.extend(word.to_le_bytes());
        }
        self.bytes[..SUPERBLOCK].copy_from_slice(&block);
        self.bytes
    }
}

/// A node of a group with some of its links, sorted by name.
fn symbol_node(links: &[Link], offsets: &[u64]) -> Vec<u8> {
    let mut node = b"SNOD\x01\0".to_vec();
    node.extend((links.len() as u16).to_le_bytes());
    for ((_, address), offset) in links.iter().zip(offsets) {
        for word in [*offset, *address, 0, 0, 0] {
            node.extend(word.to_le_bytes());
        }
    }
    node.resize(8 + 40 * usize::from(2 * LEAF_K), 0);
    node
}

/// An object header, and where each of its messages begins.
fn object_header(messages: &[(u16, Vec<u8>)]) -> (Vec<u8>, Vec<usize>) {
    let mut body = Vec::new();
    let mut places = Vec::new();
    for (kind, content) in messages {
        let size = content.len().next_multiple_of(8);
        body.extend(kind.to_le_bytes());
        body.extend((size as u16).to_le_bytes());
        body.extend([0; 4]);
        places.push(16 + body.len());
        body.extend(content);
        body.resize(body.len() - content.len() + size, 0);
    }
    let mut header = vec![1, 0];
    header.extend((messages.len() as u16).to_le_bytes());
    header.extend(1_u32.to_le_bytes());
    header.extend((body.len() as u32).to_le_bytes());
    header.extend([0; 4]);
    header.extend(body);
    (header, places)
}

/// The header of a data set of a type, whose values have an address and a size in bytes, and where in it the address is.
fn dataset_header(
    kind: Vec<u8>,
    shape: &[usize],
    values: [u64; 2],
    attributes: &[(&str, Number)],
) -> (Vec<u8>, usize) {
    let mut layout = vec![3, 1];
    for word in values {
        layout.extend(word.to_le_bytes());
    }
    let mut messages = vec![
        (0x0001, dataspace(shape)),
        (0x0003, kind),
        // A fill value that is not defined, for space given when it is needed.
        (0x0005, vec![2, 2, 2, 0]),
        (0x0008, layout),
    ];
    messages.extend(
        attributes
            .iter()
            .map(|&(name, value)| (0x000c, attribute(name, value))),
    );
    let (header, places) = object_header(&messages);
    (header, places[3] + 2)
}

fn dataspace(shape: &[usize]) -> Vec<u8> {
    let mut message = vec![1, shape.len() as u8, 0, 0, 0, 0, 0, 0];
    for &length in shape {
        message.extend((length as u64).to_le_bytes());
    }
    message
}

/// 64-bit IEEE floats, little-endian.
fn float_type() -> Vec<u8> {
    let mut message = vec![0x11, 0x20, 0x3f, 0];
    message.extend(8_u32.to_le_bytes());
    message.extend([0, 0, 64, 0, 52, 11, 0, 52]);
    message.extend(1023_u32.to_le_bytes());
    message
}

/// 32-bit integers with a sign, little-endian.
fn int_type() -> Vec<u8> {
    let mut message = vec![0x10, 0x08, 0, 0];
    message.extend(4_u32.to_le_bytes());
    message.extend([0, 0, 32, 0]);
    message
}

/// Texts of so many bytes, the last of which is a zero.
fn text_type(size: usize) -> Vec<u8> {
    let mut message = vec![0x13, 0, 0, 0];
    message.extend((size as u32).to_le_bytes());
    message
}

fn attribute(name: &str, value: Number) -> Vec<u8> {
    let (kind, data) = match value {
        Number::Float(value) => (float_type(), value.to_le_bytes().to_vec()),
        Number::Int(value) => (int_type(), value.to_le_bytes().to_vec()),
    };
    let space = dataspace(&[]);
    let mut message = vec![1, 0];
    for length in [name.len() + 1, kind.len(), space.len()] {
        message.extend((length as u16).to_le_bytes());
    }
    for part in [[name.as_bytes(), &[0]].concat(), kind, space] {
        let end = message.len() + part.len().next_multiple_of(8);
        message.extend(part);
        message.resize(end, 0);
    }
    message.extend(data);
    message
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hdf5_reader::{Hdf5File, OpenOptions};

    use super::*;

    /// One member, a whole node, one more, and many nodes.
    #[test]
    fn groups_of_any_size_are_read_back() {
        for count in [1, 64, 65, 5000] {
            let mut file = Hdf5::new(count);
            let members = (0..count).map(|index| {
                let value = index as f64;
                let attributes = [
                    ("half", Number::Float(0.5 * value)),
                    ("one", Number::Int(1)),
                ];
                let address = file.dataset(&[1, 2], &[value, -value], &attributes);
                (index.to_string(), address)
            });
            let members = members.collect();
            let group = file.group(members);
            let last = file.last_dataset(&[2, 3]);
            let mut bytes = file.finish(vec![("group".into(), group), ("last".into(), last)]);
            let values = [1.0, 2.0, 3.0, 4.0, 5.0, f64::INFINITY];
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            let options = OpenOptions::default();
            let read = Hdf5File::from_shared_bytes_with_options(Arc::from(bytes), options).unwrap();
            let last = read.dataset("last").unwrap();
            assert_eq!(last.shape(), [2, 3]);
            let found: Vec<f64> = last.read_array::<f64>().unwrap().into_iter().collect();
            assert_eq!(found, values);
            for index in [0, count / 2, count - 1] {
                let member = read.dataset(&format!("group/{index}")).unwrap();
                let found: Vec<f64> = member.read_array::<f64>().unwrap().into_iter().collect();
                assert_eq!(found, [index as f64, -(index as f64)]);
                let number = |name: &str| member.attribute(name).unwrap().read_as_f64().unwrap();
                assert_eq!((number("half"), number("one")), (0.5 * index as f64, 1.0));
            }
            assert!(read.dataset(&format!("group/{count}")).is_err());
        }
    }
}
