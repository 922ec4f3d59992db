//! The clock lent to the step.

use std::time::{Duration, Instant};

use banquise::{Stage, StageTimer};

/// Adds up the time spent in each stage.
#[derive(Debug, Default)]
pub(crate) struct StageClock {
    totals: [Duration; Stage::ALL.len()],
    running: Option<(Stage, Instant)>,
}

impl StageClock {
    /// Each stage with its total.
    pub(crate) fn totals(&self) -> impl Iterator<Item = (Stage, Duration)> + '_ {
        Stage::ALL.into_iter().zip(self.totals)
    }

    /// The total of one stage.
    pub(crate) fn total(&self, stage: Stage) -> Duration {
        self.totals[stage as usize]
    }

    fn close(&mut self, now: Instant) {
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

    fn stop(&mut self) {
        self.close(Instant::now());
    }
}
