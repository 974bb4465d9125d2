/// Names with a dot that are said of programs and files, as `user.id` and `readme.md`, though their last label is a
/// top-level domain: these and no others may stand in an answer as they are.
///
/// Both lists are closed, so that such a name holds nothing of what a model knows: who registers all of them learns at
/// most which one was chosen, and only from a reader who opens it. What a message calls otherwise is permitted where it
/// stands in a source; see ``PermittedLinks``.
enum CodeNames {
    /// Whether a name of two labels, in small letters, is one.
    static func contains(_ first: String, _ last: String) -> Bool { firsts.contains(first) && lasts.contains(last) }

    private static let firsts = Set(
        """
        account app author channel chat client comment config conversation customer data device doc document element \
        entry event field file item job key member message model module msg node obj object order package person \
        product project record reply request response result row sender session source target task team thread \
        ticket turn user value build changelog contributing index install lib license main mod readme run script \
        setup test this self
        """.split(separator: " ").map(String.init))

    private static let lasts: Set = [
        "cc", "date", "email", "id", "info", "md", "name", "pl", "py", "rs", "sh", "tel",
    ]
}
