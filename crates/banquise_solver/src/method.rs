//! Names of the methods, for reports.

/// Method by which impulses were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// No contact approaches: zero impulses solve the problem.
    Trivial,
    /// Closed form: enumeration of all states of one or two contacts.
    ClosedForm,
    /// Lemke's method.
    Lemke,
    /// Lemke's method along another path.
    LemkeOtherPath,
    /// An interior-point method along one of several paths, then Newton's method.
    InteriorPoint,
    /// Gauss–Seidel sweeps and Newton's method, within the proximal point method where they fail alone.
    GaussSeidelNewton,
    /// Lemke's method with fresh factors at every pivot, on the problem or one slightly perturbed.
    LemkePerturbed,
    /// The convex relaxation: not a solution of the friction problem itself.
    Relaxation,
}

impl Method {
    /// All methods, in order of the policy.
    pub const ALL: [Self; 8] = [
        Self::Trivial,
        Self::ClosedForm,
        Self::Lemke,
        Self::LemkeOtherPath,
        Self::InteriorPoint,
        Self::GaussSeidelNewton,
        Self::LemkePerturbed,
        Self::Relaxation,
    ];

    /// The name in reports and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Trivial => "trivial",
            Self::ClosedForm => "closed_form",
            Self::Lemke => "lemke",
            Self::LemkeOtherPath => "lemke_other_path",
            Self::InteriorPoint => "interior_point",
            Self::GaussSeidelNewton => "gauss_seidel_newton",
            Self::LemkePerturbed => "lemke_perturbed",
            Self::Relaxation => "relaxation",
        }
    }
}
