//! Problems as people read them: the text, underlined, with a hint.

use std::fmt;

use annotate_snippets::{
    AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str,
};

use super::problem::Problem;
use super::source::{Source, Sources, Span};

/// More problems than this fill the screen and are seldom read.
const MAX_SHOWN: usize = 20;
/// A longer line is cut around the underlined text.
const MAX_LINE_BYTES: usize = 160;
/// How much of a cut line is kept before the underlined text.
const KEPT_BEFORE: usize = 60;

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
        let shown = self.problems.iter().take(MAX_SHOWN);
        let mut parts: Vec<String> = shown
            .map(|problem| renderer.render(&self.report(problem)))
            .collect();
        if self.problems.len() > MAX_SHOWN {
            let text = format!("the first {MAX_SHOWN} problems are shown; there are more");
            let note = Group::with_title(Level::NOTE.primary_title(text));
            parts.push(renderer.render(&[note]));
        }
        parts.join("\n\n")
    }

    fn report<'a>(&'a self, problem: &Problem) -> Vec<Group<'a>> {
        let mut group = Group::with_title(Level::ERROR.primary_title(problem.kind.to_string()));
        let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
        if let Some(excerpt) = problem.span.and_then(|span| self.excerpt(span)) {
            excerpts.push(excerpt.labelled(problem.kind.label()));
        }
        if let Some(related) = &problem.related
            && let Some(excerpt) = self.excerpt(related.span)
        {
            excerpts.push(excerpt.labelled(Some(related.label)));
        }
        for (number, excerpt) in excerpts.into_iter().enumerate() {
            let kind = if number == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            group = group
                .element(excerpt.origin())
                .element(excerpt.snippet(kind));
        }
        let mut report = vec![group];
        if let Some(hint) = problem.hint() {
            let level = Level::HELP.with_name("hint");
            report.push(Group::with_title(
                level.secondary_title(normalize_untrusted_str(&hint)),
            ));
        }
        report
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
/// Cut here and not by the renderer, which would take in the whole text: a megabyte of garbage on
/// one line must be as quick to show as a good scenario.
struct Excerpt<'a> {
    name: &'a str,
    line: usize,
    column: usize,
    text: String,
    start: usize,
    end: usize,
    label: Option<&'static str>,
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
        let end = floor_boundary(text, span.end).clamp(start, line_end);
        let (from, to) = if line_end - line_start <= MAX_LINE_BYTES {
            (line_start, line_end)
        } else {
            let from = floor_boundary(text, start.saturating_sub(KEPT_BEFORE)).max(line_start);
            (
                from,
                floor_boundary(text, from + MAX_LINE_BYTES).min(line_end),
            )
        };
        let cut_before = if from > line_start { "…" } else { "" };
        let cut_after = if to < line_end { "…" } else { "" };
        let shift = |at: usize| at.min(to) - from + cut_before.len();
        Self {
            name: &source.name,
            line: 1 + text[..line_start]
                .bytes()
                .filter(|&byte| byte == b'\n')
                .count(),
            column: 1 + text[line_start..start].chars().count(),
            text: format!("{cut_before}{}{cut_after}", &text[from..to]),
            start: shift(start),
            end: shift(end),
            label: None,
        }
    }

    fn labelled(mut self, label: Option<&'static str>) -> Self {
        self.label = label;
        self
    }

    fn origin(&self) -> Origin<'a> {
        Origin::path(self.name)
            .line(self.line)
            .char_column(self.column)
    }

    fn snippet(self, kind: AnnotationKind) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let annotation = kind.span(self.start..self.end).label(self.label);
        Snippet::source(self.text)
            .line_start(self.line)
            .annotation(annotation)
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
