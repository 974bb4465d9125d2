extension Schema {
    /// What comes with step 8; each feature has its own file.
    static let version8 = [people8, turnTexts8, links8].joined()
}
