//! The texts a scenario is made of, and places in them.

/// One text: the scenario file, or one `--set` argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The path of the file, or `--set`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// All the texts of a scenario, the file first, then each override in the order given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// Adds a text and returns its number, to be used in [`Span::source`].
    pub fn add(&mut self, name: &str, text: &str) -> u32 {
        let number = self.list.len() as u32;
        self.list.push(Source {
            name: name.to_owned(),
            text: text.to_owned(),
        });
        number
    }

    /// The text of that number, if there is one.
    pub fn get(&self, number: u32) -> Option<&Source> {
        self.list.get(number as usize)
    }

    /// The text of the scenario itself, without the overrides.
    pub fn scenario(&self) -> &str {
        self.list.first().map_or("", |source| source.text.as_str())
    }

    /// The overrides, in the order given.
    pub fn overrides(&self) -> Vec<String> {
        let overrides = self.list.iter().skip(1);
        overrides.map(|source| source.text.clone()).collect()
    }

    /// All texts, in order.
    pub fn all(&self) -> &[Source] {
        &self.list
    }
}

/// A range of bytes in one of the [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Number of the text.
    pub source: u32,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The range `start..end` of the text number `source`.
    pub fn new(source: u32, start: usize, end: usize) -> Self {
        Self { source, start, end }
    }
}

/// A value and the place it was written at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}
