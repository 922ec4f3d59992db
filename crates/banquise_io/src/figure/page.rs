//! The page that holds the figures: one HTML file that needs nothing else.

use super::palette::theme_css;
use super::text::escape;

const STYLE: &str = include_str!("page.css");

/// A self-contained HTML page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Title of the page and of its tab.
    pub title: String,
    /// One line under the title.
    pub subtitle: String,
    /// Key numbers at the top.
    pub tiles: Vec<Tile>,
    /// The sections, in order.
    pub sections: Vec<Section>,
    /// Small print at the end.
    pub footer: String,
}

/// One key number: `floes` `12`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// What is counted or measured.
    pub label: String,
    /// The number with its unit.
    pub value: String,
}

impl Tile {
    /// A key number.
    pub fn new(label: &str, value: &str) -> Self {
        Self {
            label: label.to_owned(),
            value: value.to_owned(),
        }
    }
}

/// One section of a page: text, then figures, tables and folded text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub heading: String,
    /// Plain text; an empty line begins a new paragraph.
    pub text: String,
    /// Figures, two by two where the window is wide enough.
    pub figures: Vec<Figure>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Texts shown on request.
    pub details: Vec<Details>,
}

/// A figure with its caption.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figure {
    /// An SVG document as made by this module. It enters the page as it is: never put text from
    /// elsewhere here.
    pub svg: String,
    /// Text under the figure.
    pub caption: String,
    /// Takes the whole width of the page; narrow screens scroll it sideways.
    pub is_wide: bool,
}

impl Figure {
    /// A figure of ordinary width.
    pub fn new(svg: String, caption: &str) -> Self {
        Self {
            svg,
            caption: caption.to_owned(),
            is_wide: false,
        }
    }

    /// A figure over the whole width of the page.
    pub fn wide(svg: String, caption: &str) -> Self {
        Self {
            is_wide: true,
            ..Self::new(svg, caption)
        }
    }
}

/// A table. Columns of numbers are set flush right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Text above the table.
    pub caption: String,
    /// Names of the columns.
    pub header: Vec<String>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
}

/// Text shown on request, such as the scenario of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// The line that opens it.
    pub summary: String,
    /// The text, shown as it is, line by line.
    pub text: String,
}

impl Page {
    /// The page as a complete HTML document.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let sections: String = self
            .sections
            .iter()
            .enumerate()
            .map(|(index, section)| section.to_html(index + 1))
            .collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{}{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{}{}{}\
             </header>\n<main>\n{sections}</main>\n{}</body>\n</html>\n",
            theme_css(),
            element("p", "subtitle", &self.subtitle),
            self.tiles_html(),
            self.contents_html(),
            element("footer", "", &self.footer),
        )
    }

    fn tiles_html(&self) -> String {
        if self.tiles.is_empty() {
            return String::new();
        }
        let tile = |tile: &Tile| {
            let (label, value) = (escape(&tile.label), escape(&tile.value));
            format!("<div><dt>{label}</dt><dd>{value}</dd></div>\n")
        };
        format!(
            "<dl class=\"tiles\">\n{}</dl>\n",
            self.tiles.iter().map(tile).collect::<String>()
        )
    }

    /// Links to the sections, when there are enough of them to get lost.
    fn contents_html(&self) -> String {
        if self.sections.len() < 3 {
            return String::new();
        }
        let link = |(index, section): (usize, &Section)| {
            format!(
                "<a href=\"#section-{}\">{}</a>\n",
                index + 1,
                escape(&section.heading)
            )
        };
        let links: String = self.sections.iter().enumerate().map(link).collect();
        format!("<nav aria-label=\"Contents\">\n{links}</nav>\n")
    }
}

impl Section {
    fn to_html(&self, number: usize) -> String {
        let paragraphs = self.text.replace("\r\n", "\n");
        let text: String = paragraphs
            .split("\n\n")
            .map(|part| element("p", "", part))
            .collect();
        let figures: String = self.figures.iter().map(Figure::to_html).collect();
        let figures = if figures.is_empty() {
            figures
        } else {
            format!("<div class=\"figures\">\n{figures}</div>\n")
        };
        let tables: String = self.tables.iter().map(Table::to_html).collect();
        let details: String = self.details.iter().map(Details::to_html).collect();
        let heading = element("h2", "", &self.heading);
        format!(
            "<section id=\"section-{number}\">\n{heading}{text}{figures}{tables}{details}</section>\n"
        )
    }
}

impl Figure {
    fn to_html(&self) -> String {
        let class = if self.is_wide { " class=\"wide\"" } else { "" };
        let caption = element("figcaption", "", &self.caption);
        // A region that scrolls must be reachable by keyboard.
        let focus = if self.is_wide { " tabindex=\"0\"" } else { "" };
        format!(
            "<figure{class}><div{focus}>\n{}</div>\n{caption}</figure>\n",
            self.svg
        )
    }
}

impl Table {
    fn to_html(&self) -> String {
        let columns = self
            .rows
            .iter()
            .map(Vec::len)
            .chain([self.header.len()])
            .max()
            .unwrap_or(0);
        let is_number: Vec<bool> = (0..columns).map(|column| self.is_numeric(column)).collect();
        let row = |cells: &Vec<String>, tag: &str| {
            let cell = |column: usize| {
                let class = if is_number[column] {
                    " class=\"number\""
                } else {
                    ""
                };
                let scope = if tag == "th" { " scope=\"col\"" } else { "" };
                let text = cells
                    .get(column)
                    .map(|text| escape(text))
                    .unwrap_or_default();
                format!("<{tag}{class}{scope}>{text}</{tag}>")
            };
            format!("<tr>{}</tr>\n", (0..columns).map(cell).collect::<String>())
        };
        let head = if self.header.is_empty() {
            String::new()
        } else {
            format!("<thead>\n{}</thead>\n", row(&self.header, "th"))
        };
        let body: String = self.rows.iter().map(|cells| row(cells, "td")).collect();
        let caption = element("caption", "", &self.caption);
        format!(
            "<div class=\"table\" tabindex=\"0\"><table>\n{caption}{head}<tbody>\n{body}</tbody>\n\
             </table></div>\n"
        )
    }

    fn is_numeric(&self, column: usize) -> bool {
        let looks_like_number = |cell: &String| {
            let digits = cell.trim_start_matches(['-', '+', '\u{2212}', '.']);
            cell == "–" || digits.starts_with(|c: char| c.is_ascii_digit())
        };
        let mut cells = self
            .rows
            .iter()
            .filter_map(|row| row.get(column))
            .peekable();
        cells.peek().is_some() && cells.all(looks_like_number)
    }
}

impl Details {
    fn to_html(&self) -> String {
        let (summary, text) = (escape(&self.summary), escape(&self.text));
        format!(
            "<details><summary>{summary}</summary>\n<pre tabindex=\"0\">{text}</pre>\n</details>\n"
        )
    }
}

/// An element around escaped text, or nothing when there is no text.
fn element(tag: &str, class: &str, text: &str) -> String {
    let text = escape(text.trim());
    match (text.is_empty(), class.is_empty()) {
        (true, _) => String::new(),
        (false, true) => format!("<{tag}>{text}</{tag}>\n"),
        (false, false) => format!("<{tag} class=\"{class}\">{text}</{tag}>\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        let hostile = "</title><script>alert(\"1\")</script>\0&";
        let page = Page {
            title: hostile.into(),
            tiles: vec![Tile::new(hostile, hostile)],
            sections: vec![Section {
                heading: hostile.into(),
                text: hostile.into(),
                details: vec![Details {
                    summary: hostile.into(),
                    text: hostile.into(),
                }],
                ..Section::default()
            }],
            ..Page::default()
        };
        let html = page.to_html();
        assert!(!html.contains("<script") && !html.contains('\0'));
    }

    #[test]
    fn columns_of_numbers_are_flush_right() {
        let row = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
        let table = Table {
            rows: vec![row("floe", "−0.3 m"), row("wall", "12")],
            ..Table::default()
        };
        assert!(!table.is_numeric(0) && table.is_numeric(1));
    }

    #[test]
    fn the_page_reaches_for_nothing_outside() {
        let html = Page::default().to_html();
        for word in ["http:", "https:", "url(", "@import", "src="] {
            assert!(!html.contains(word), "{word}");
        }
    }
}
