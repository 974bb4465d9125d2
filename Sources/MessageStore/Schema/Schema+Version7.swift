extension Schema {
    /// What comes with step 7; each feature in its own file.
    static let version7 = [threads7, following7, summaries7, mentions7].joined()
}
