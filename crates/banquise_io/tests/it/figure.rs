//! Whole figures and pages: well formed, safe for any numbers, the same bytes every time.
