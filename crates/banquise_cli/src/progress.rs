//! The progress bar: simulated time, rate, time left.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often the bar moves.
const REFRESH: Duration = Duration::from_millis(100);
/// Positions of the bar.
const POSITIONS: u64 = 1000;

/// A bar on stderr; silent where that is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    duration: f64,
    start: Instant,
    shown: Instant,
}

impl Progress {
    /// A bar for a run of `duration` \[s\].
    pub(crate) fn new(duration: f64) -> Self {
        let bar = ProgressBar::new(POSITIONS);
        let style = ProgressStyle::with_template("{bar:32.cyan/blue} {percent:>3} %  {msg}")
            .expect("the template is a constant that the tests show");
        bar.set_style(style);
        let now = Instant::now();
        Self {
            bar,
            duration,
            start: now,
            shown: now,
        }
    }

    /// Shows the simulated time, now and then.
    pub(crate) fn show(&mut self, time: f64) {
        let now = Instant::now();
        if now - self.shown < REFRESH {
            return;
        }
        self.shown = now;
        self.bar
            .set_position((POSITIONS as f64 * time / self.duration) as u64);
        self.bar.set_message(message(
            time,
            self.duration,
            (now - self.start).as_secs_f64(),
        ));
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for the making of a pack: what is done, and how much of it.
pub(crate) struct PackProgress {
    bar: ProgressBar,
    shown: Instant,
}

impl PackProgress {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new(POSITIONS);
        let style = ProgressStyle::with_template("{bar:32.cyan/blue} {percent:>3} %  {msg}")
            .expect("the template is a constant that the tests show");
        bar.set_style(style);
        Self {
            bar,
            shown: Instant::now(),
        }
    }

    /// Shows the work, now and then.
    pub(crate) fn show(&mut self, what: &'static str, share: f64) {
        if self.shown.elapsed() < REFRESH {
            return;
        }
        self.shown = Instant::now();
        self.bar
            .set_position((POSITIONS as f64 * share.clamp(0.0, 1.0)) as u64);
        self.bar.set_message(what);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for a number of tasks.
pub(crate) struct Work {
    bar: ProgressBar,
}

impl Work {
    pub(crate) fn new(tasks: usize) -> Self {
        let bar = ProgressBar::new(tasks as u64);
        let template = "{bar:32.cyan/blue} {percent:>3} %  {pos} of {len}  {eta} left";
        let style = ProgressStyle::with_template(template)
            .expect("the template is a constant that the tests show");
        bar.set_style(style);
        Self { bar }
    }

    /// One more is done.
    pub(crate) fn done(&self) {
        self.bar.inc(1);
    }

    /// So many are done.
    pub(crate) fn reached(&self, tasks: usize) {
        self.bar.set_position(tasks as u64);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

fn message(time: f64, duration: f64, elapsed: f64) -> String {
    let rate = time / elapsed.max(1e-9);
    let left = (duration - time) / rate.max(1e-9);
    format!(
        "{} of {}  {} times real time  {} left",
        duration_text(time),
        duration_text(duration),
        rounded(rate),
        duration_text(left)
    )
}

/// Two digits matter in a rate.
pub(crate) fn rounded(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.2}")
    }
}

/// A duration for people.
pub(crate) fn duration_text(seconds: f64) -> String {
    match seconds {
        s if s >= 86400.0 => format!("{:.2} d", s / 86400.0),
        s if s >= 3600.0 => format!("{:.2} h", s / 3600.0),
        s if s >= 60.0 => format!("{:.1} min", s / 60.0),
        s => format!("{s:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_tells_time_rate_and_rest() {
        assert_eq!(
            message(43_200.0, 172_800.0, 4.0),
            "12.00 h of 2.00 d  10800 times real time  12.0 s left"
        );
    }

    #[test]
    fn the_bar_can_be_made_and_shown() {
        let work = Work::new(2);
        work.done();
        work.reached(2);
        work.clear();
        let mut progress = Progress::new(10.0);
        progress.shown = Instant::now().checked_sub(REFRESH).unwrap();
        progress.show(5.0);
        progress.clear();
    }
}
