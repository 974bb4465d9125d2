package import ChatCore

/// A store with verdicts, for tests of its rows.
package enum VerdictRowsContract {
    /// The verdicts as `person older newer`.
    package static let rows = """
        SELECT v.user_id || ' ' || o.id || ' ' || n.id FROM replacement_verdicts v
        JOIN messages o ON o.number = v.older JOIN messages n ON n.number = v.newer ORDER BY v.older, v.user_id
        """

    /// Ada, Bob, Eve and Cem are in "c"; Bob and Ada say something of messages of Eve and Cem.
    ///
    /// - Throws: Errors of the store.
    package static func fill(_ store: any Store) async throws {
        _ = try await store.store(
            [.of("c", ["ada", "bob", "eve", "cem"])], source: "api", mode: .posting, at: .second(0))
        try await store.post(
            [
                .short("c", "old", by: "eve", "the start is on the 27th", at: 5),
                .short("c", "new", by: "cem", "the start moved to the 3rd", at: 10),
                .short("c", "newest", by: "cem", "the start moved to the 9th", at: 12),
            ], at: 13)
        for (kind, older, newer, user) in [
            (ReplacementVerdict.Kind.holds, "old", "new", "bob"), (.replaced, "new", "newest", "ada"),
        ] as [(ReplacementVerdict.Kind, MessageID, MessageID, UserID)] {
            let subject = ReplacementVerdict.Subject(older: .of("c", older), newer: .of("c", newer))
            try await store.setVerdict(kind, on: subject, by: user, at: .second(20))
        }
    }
}
