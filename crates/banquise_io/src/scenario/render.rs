//! Problems as people read them: the text, underlined, with a hint.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::problem::Problem;
use super::source::{Source, Sources, Span};

/// More problems than this fill the screen and are seldom read.
const MAX_SHOWN: usize = 20;
/// Text on the left of the underline that the renderer may have, to count the column and cut it.
const MAX_BYTES_BEFORE: usize = 4096;
/// Text kept on each side where we cut the line ourselves.
const KEPT_BYTES: usize = 100;

/// All that is wrong with a scenario, and the texts to show it in.
#[derive(Debug)]
pub struct ScenarioError {
    /// The texts the problems point into.
    pub sources: Sources,
    /// At least one problem, in the order of the texts.
    pub problems: Vec<Problem>,
}

impl ScenarioError {
    /// Sorts the problems by place.
    pub fn new(sources: Sources, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.span);
        Self { sources, problems }
    }

    /// The problems as text: `error:`, the place, the line underlined, `hint:`.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour {
            Renderer::styled().hyperlink(false)
        } else {
            Renderer::plain()
        };
        let mut parts: Vec<String> = Vec::new();
        for problem in self.problems.iter().take(MAX_SHOWN) {
            let mut part = renderer.render(&[self.report(problem)]);
            if let Some(hint) = problem.hint() {
                let level = Level::HELP.with_name("hint");
                let group = Group::with_title(level.primary_title(hint));
                part = part + "\n" + &renderer.render(&[group]);
            }
            parts.push(part);
        }
        if self.problems.len() > MAX_SHOWN {
            let text = format!("the first {MAX_SHOWN} problems are shown; there are more");
            let note = Group::with_title(Level::NOTE.primary_title(text));
            parts.push(renderer.render(&[note]));
        }
        parts.join("\n\n")
    }

    fn report(&self, problem: &Problem) -> Group<'_> {
        let mut group = Group::with_title(Level::ERROR.primary_title(problem.kind.to_string()));
        if let Some(excerpt) = problem.span.and_then(|span| self.excerpt(span)) {
            group = excerpt.add_to(group, AnnotationKind::Primary, problem.kind.label());
        }
        if let Some(related) = &problem.related
            && let Some(excerpt) = self.excerpt(related.span)
        {
            group = excerpt.add_to(group, AnnotationKind::Context, Some(related.label));
        }
        group
    }

    fn excerpt(&self, span: Span) -> Option<Excerpt<'_>> {
        self.sources
            .get(span.source)
            .map(|source| Excerpt::new(source, span))
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(false))
    }
}

impl std::error::Error for ScenarioError {}

/// The part of one line that is worth showing.
///
/// The renderer is not given the whole text, in which it would count and look for lines: a
/// megabyte of garbage on one line must be as quick to show as a good scenario.
struct Excerpt<'a> {
    name: &'a str,
    line: usize,
    /// The column of `start` in the whole line, if the line is cut before it.
    column: Option<usize>,
    text: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Excerpt<'a> {
    fn new(source: &'a Source, span: Span) -> Self {
        let text = source.text.as_str();
        let start = floor_boundary(text, span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[start..];
        let line_end = start + rest.find('\n').unwrap_or(rest.len());
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let start = start.min(line_end);
        // What goes on over several lines is underlined to the end of the first.
        let end = floor_boundary(text, span.end.min(start + KEPT_BYTES)).clamp(start, line_end);
        let is_cut = start - line_start > MAX_BYTES_BEFORE;
        let from = if is_cut {
            floor_boundary(text, start - KEPT_BYTES)
        } else {
            line_start
        };
        let to = floor_boundary(text, end + KEPT_BYTES).min(line_end);
        Self {
            name: &source.name,
            line: 1 + text[..line_start]
                .bytes()
                .filter(|&byte| byte == b'\n')
                .count(),
            column: is_cut.then(|| 1 + text[line_start..start].chars().count()),
            text: &text[from..to],
            start: start - from,
            end: end - from,
        }
    }

    fn add_to(
        self,
        group: Group<'a>,
        kind: AnnotationKind,
        label: Option<&'static str>,
    ) -> Group<'a> {
        let annotation = kind.span(self.start..self.end).label(label);
        let snippet = Snippet::source(self.text)
            .line_start(self.line)
            .annotation(annotation);
        match self.column {
            None => group.element(snippet.path(self.name)),
            Some(column) => {
                let origin = Origin::path(self.name).line(self.line).char_column(column);
                group.element(origin).element(snippet)
            }
        }
    }
}

/// The last character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Document;

    #[test]
    fn the_error_can_cross_threads() {
        fn check<T: std::error::Error + Send + Sync + 'static>(_: &T) {}
        check(&Document::parse("s", "=", &[]).unwrap_err());
    }

    #[test]
    fn places_beyond_the_text_or_inside_a_character_are_tolerated() {
        let source = Source {
            name: "s".into(),
            text: "aé\r\nb".into(),
        };
        for (start, end) in [(0, 99), (2, 2), (99, 99), (4, 1), (3, 5)] {
            let excerpt = Excerpt::new(&source, Span::new(0, start, end));
            assert!(
                excerpt.text.get(excerpt.start..excerpt.end).is_some(),
                "{start}..{end}"
            );
        }
    }
}
