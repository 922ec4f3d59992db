//! Routes of the server.

use std::sync::Arc;

use banquise_io::recording::Frame;
use serde_json::json;

use crate::contacts::contacts;
use crate::encode::{self, LISTS};
use crate::files::file;
use crate::http::{Refusal, Request, Response};
use crate::live::Command;
use crate::paths::{floe, trails};
use crate::source::Source;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// The page, compiled in.
#[rustfmt::skip] // a table reads better in lines
const PAGE: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("page/index.html")),
    ("/page.css", CSS, include_str!("page/page.css")),
    ("/icon.svg", SVG, include_str!("page/icon.svg")),
    ("/main.js", SCRIPT, include_str!("page/main.js")),
    ("/run.js", SCRIPT, include_str!("page/run.js")),
    ("/renderer.js", SCRIPT, include_str!("page/renderer.js")),
    ("/mesh.js", SCRIPT, include_str!("page/mesh.js")),
    ("/camera.js", SCRIPT, include_str!("page/camera.js")),
    ("/colours.js", SCRIPT, include_str!("page/colours.js")),
    ("/overlay.js", SCRIPT, include_str!("page/overlay.js")),
    ("/marks.js", SCRIPT, include_str!("page/marks.js")),
    ("/graticule.js", SCRIPT, include_str!("page/graticule.js")),
    ("/geography.js", SCRIPT, include_str!("page/geography.js")),
    ("/framing.js", SCRIPT, include_str!("page/framing.js")),
    ("/address.js", SCRIPT, include_str!("page/address.js")),
    ("/save.js", SCRIPT, include_str!("page/save.js")),
    ("/card.js", SCRIPT, include_str!("page/card.js")),
    ("/charts.js", SCRIPT, include_str!("page/charts.js")),
    ("/live.js", SCRIPT, include_str!("page/live.js")),
    ("/text.js", SCRIPT, include_str!("page/text.js")),
];

const ABSENT: Refusal = Refusal::new(404, "there is nothing here");
const MALFORMED: Refusal = Refusal::new(400, "this is not a command");
const NO_RECORD: Refusal = Refusal::new(404, "there is no such record");

/// Answers a request whose sender has been checked.
pub(crate) fn answer(request: &Request, source: &Source) -> Result<Response, Refusal> {
    match request.method.as_str() {
        "GET" | "HEAD" => look(request, source),
        "POST" if request.path == "/api/control" => control(request, source),
        _ => Err(Refusal::new(405, "this cannot be done here")),
    }
}

fn look(request: &Request, source: &Source) -> Result<Response, Refusal> {
    if let Some((_, kind, text)) = PAGE.iter().find(|(path, ..)| *path == request.path) {
        return Ok(Response::new(kind, *text));
    }
    match request.path.as_str() {
        "/api/scene" => {
            let mut scene = source.stage().to_json();
            scene["lists"] = json!(LISTS);
            Ok(Response::json(&scene))
        }
        "/api/bodies" => {
            let from = request.number("from").unwrap_or(0);
            let version = request.number("versions").unwrap_or(0);
            let bytes = encode::bodies(source.stage(), from, version);
            Ok(Response::bytes(bytes))
        }
        "/api/frame" => {
            let (frame, earlier) = frames(request, source)?;
            let bytes = encode::frame(source.stage(), &frame, &earlier);
            Ok(Response::bytes(bytes))
        }
        "/api/contacts" => {
            let (frame, _) = frames(request, source)?;
            Ok(Response::bytes(contacts(source.stage(), &frame)))
        }
        "/api/cracks" => {
            let from = request.number("from")?;
            Ok(Response::bytes(encode::cracks(source.stage(), from)))
        }
        "/api/floe" => {
            let row = request.number("body")?;
            let (frame, earlier) = frames(request, source)?;
            if row >= source.stage().table.get().len() {
                return Err(Refusal::new(404, "there is no such body"));
            }
            let path = source.path(row);
            let value = floe(source.stage(), row, &frame, &earlier, &path);
            Ok(Response::json(&value))
        }
        "/api/trails" => {
            let bytes = trails(source.stage(), &source.trails());
            Ok(Response::bytes(bytes))
        }
        "/api/weather" => {
            let (record, generation) = place(request)?;
            let weather = source.weather(record, generation);
            Ok(Response::bytes(weather.unwrap_or_default().encode()))
        }
        "/api/ranges" => Ok(Response::json(&source.ranges())),
        "/api/charts" => Ok(Response::json(&source.charts())),
        "/api/state" => {
            let version = request.number("version")?;
            let generation = request.number("generation")?;
            let known = request.number("known")?;
            Ok(Response::json(&source.state(version, generation, known)))
        }
        path => {
            let path = path.strip_prefix("/files/").ok_or(ABSENT)?;
            file(source.folder().ok_or(ABSENT)?, path)
        }
    }
}

/// The record asked for, and the generation in which it is counted.
fn place(request: &Request) -> Result<(usize, usize), Refusal> {
    let generation = request.optional_number("generation")?.unwrap_or(0);
    Ok((request.number("record")?, generation))
}

/// The frame asked for and the one before it; the first is its own.
fn frames(request: &Request, source: &Source) -> Result<(Arc<Frame>, Arc<Frame>), Refusal> {
    let (record, generation) = place(request)?;
    let frame = source.frame(record, generation).ok_or(NO_RECORD)?;
    let earlier = record.saturating_sub(1);
    let earlier = source.frame(earlier, generation).ok_or(NO_RECORD)?;
    Ok((frame, earlier))
}

fn control(request: &Request, source: &Source) -> Result<Response, Refusal> {
    let Source::Live(run) = source else {
        return Err(Refusal::new(409, "a recording cannot be changed"));
    };
    if request.header("content-type")? != Some("application/json") {
        return Err(MALFORMED);
    }
    let command: Command = serde_json::from_slice(&request.body)
        .ok()
        .ok_or(MALFORMED)?;
    if let Some(problem) = command.problem() {
        return Err(Refusal::new(400, problem));
    }
    run.command(command);
    Ok(Response::json(&json!({ "done": true })))
}
