extension Schema {
    /// Links to messages in the application they came from, and what a turn shows of its sources, in step 8.
    static let links8 = ""
}
