//! The clock lent to the step.

use std::time::{Duration, Instant};

use banquise::{EventPart, Stage, StageTimer};

/// Adds up the time spent in each stage.
#[derive(Debug, Default)]
pub(crate) struct StageClock {
    totals: [Duration; Stage::ALL.len()],
    running: Option<(Stage, Instant)>,
    parts: [Duration; EventPart::ALL.len()],
    running_part: Option<(EventPart, Instant)>,
}

impl StageClock {
    /// Each stage with its total.
    pub(crate) fn totals(&self) -> impl Iterator<Item = (Stage, Duration)> + '_ {
        Stage::ALL.into_iter().zip(self.totals)
    }

    /// Each part of the events with its total.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (EventPart, Duration)> + '_ {
        EventPart::ALL.into_iter().zip(self.parts)
    }

    /// The total of one stage.
    pub(crate) fn total(&self, stage: Stage) -> Duration {
        self.totals[stage as usize]
    }

    fn close_part(&mut self, now: Instant) {
        if let Some((part, start)) = self.running_part.take() {
            self.parts[part as usize] += now - start;
        }
    }

    fn close(&mut self, now: Instant) {
        self.close_part(now);
        if let Some((stage, start)) = self.running.take() {
            self.totals[stage as usize] += now - start;
        }
    }
}

impl StageTimer for StageClock {
    fn start(&mut self, stage: Stage) {
        let now = Instant::now();
        self.close(now);
        self.running = Some((stage, now));
    }

    fn start_part(&mut self, part: EventPart) {
        let now = Instant::now();
        self.close_part(now);
        self.running_part = Some((part, now));
    }

    fn stop(&mut self) {
        self.close(Instant::now());
    }
}
