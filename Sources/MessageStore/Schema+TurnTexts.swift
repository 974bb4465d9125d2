extension Schema {
    /// What a turn's text is based on, in step 8.
    static let turnTexts8 = ""
}
