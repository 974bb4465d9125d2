package import ChatCore

/// What feeds and lists say of answers that became wrong.
package enum OutdatedFeedContract {
    package typealias FeedStore = Store & LiveChatRepository & PersonalStateRepository

    /// The asker's feed tells of it once, other feeds do not.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func theAskersFeedTellsOfItOnce(_ store: any FeedStore) async throws {
        try await store.furnishAnswer(in: "h")
        let message = try await store.postNewer("new", at: 30)
        let start = try await store.latestChange()
        _ = try await store.note(["t"], by: message, at: 31)
        let middle = try await store.latestChange()
        _ = try await store.note(["t"], by: message, at: 32)
        try await store.post([.short("c", "more", at: 33)])
        let told = FeedChange.outdated("t", "h", by: .of("c", "new"))
        try demand(try await marks(of: "ada", after: start, in: store), [told])
        try demand(try await marks(of: "ada", after: middle, in: store), [])
        try demand(try await marks(of: "bob", after: start, in: store), [])
        let requests = ["ada", "bob"].map { FeedRequest(reader: $0, range: FeedRange(after: start, in: ["c"])) }
        let pages = try await store.feeds(requests, limit: 99, at: .second(40))
        try demand(try pages.map { try $0.get().changes.filter(\.isMark) }, [[told], []])
        // No feed names a message that was deleted.
        try await store.delete(message.key, at: .second(41))
        try demand(try await marks(of: "ada", after: start, in: store), [])
    }

    /// An answer that was posted in a conversation has the mark for those who may read the later message.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func postedAnswersAreMarkedForThoseWhoReadTheMessage(_ store: any FeedStore) async throws {
        try await store.furnishMentions(["m1"])
        try await store.setHistory(.joined, of: "c", at: .second(2))
        try await store.post([.short("c", "old", "the start is on the 27th", at: 3)])
        try demand(try await store.answer("m1", "a1", from: [.of("c", "old")]), true)
        try await store.removeMember("bob", from: "c", at: .second(25))
        let start = try await store.latestChange()
        let message = try await store.postNewer("new", at: 30)
        let answer = OutdatedAnswer(id: .message(.of("c", "a1")), older: .of("c", "old"))
        func note(_ answers: [OutdatedAnswer], at second: Int) async throws -> Int {
            try await store.noteOutdated(answers, by: message, at: .second(second))
        }
        try demand(try await note([answer], at: 31), 1)
        try demand(try await note([answer], at: 32), 0)
        // Who sees the answer may not see a message elsewhere.
        _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
        try await store.post([.short("d", "new", "moved to the 3rd", at: 30)])
        let elsewhere = try await store.stored([.of("d", "new")])[.of("d", "new")]
        guard let elsewhere else { return try demand("no message", "a message") }
        try demand(try await store.noteOutdated([answer], by: elsewhere, at: .second(32)), 0)
        let mark = OutdatedMark(by: .of("c", "new"), notedAt: .second(31))
        try demand(try await shown(to: "ada", after: start, in: store), [mark, mark])
        // Bob comes back, and does not see what was written meanwhile.
        try await store.setMember(
            Member(userID: "bob", displayName: "Bob", joinedAt: .second(35)), in: "c", source: "api", at: .second(35))
        try demand(try await shown(to: "bob", after: start, in: store).compactMap(\.self), [])

        let end = try await store.latestChange()
        try demand(try await note([], at: 36), 0)
        try demand(try await shown(to: "ada", after: end, in: store), [nil, nil])
        try demand(try await note([answer], at: 37), 1)
        try await store.delete(message.key, at: .second(38))
        try demand(try await shown(to: "ada", after: end, in: store), [nil, nil])
    }

    /// The tables of marks.
    package static let markTables = ["outdated_turns", "outdated_posts"]

    /// Stores a turn of Ada and an answer in the conversation, both based on what Bob wrote, and a message of Eve that
    /// makes them wrong.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func fillWithMarks(_ store: any Store) async throws {
        try await store.furnishMentions(["m1"])
        try await store.setMember(
            Member(userID: "eve", displayName: "Eve", joinedAt: .second(1)), in: "c", source: "api", at: .second(1))
        try await store.post([
            .short("c", "old", by: "bob", "the start is on the 27th", at: 3),
            .short("c", "new", by: "eve", "the start moved to the 3rd", at: 30),
        ])
        try await store.recordAnswer("t", from: ["old"], at: 7)
        try demand(try await store.answer("m1", "a1", from: [.of("c", "old")]), true)
        let message = try await store.stored([.of("c", "new")])[.of("c", "new")]
        guard let message else { return try demand("no message", "a message") }
        let answers = [GivenAnswerID.turn("t"), .message(.of("c", "a1"))].map {
            OutdatedAnswer(id: $0, older: .of("c", "old"))
        }
        try demand(try await store.noteOutdated(answers, by: message, at: .second(31)), 2)
    }

    private static func marks(
        of reader: UserID, after start: ChangeCursor, in store: any FeedStore
    ) async throws -> [FeedChange] {
        try await store.feed(of: reader, in: FeedRange(after: start), limit: 99, at: .second(50)).changes
            .filter(\.isMark)
    }

    /// The mark of the answer in a reader's feed, if it is there, and in a list.
    private static func shown(
        to reader: UserID, after start: ChangeCursor, in store: any FeedStore
    ) async throws -> [OutdatedMark?] {
        let key = MessageKey.of("c", "a1")
        let page = try await store.feed(of: reader, in: FeedRange(after: start), limit: 99, at: .second(50))
        let positions = page.changes.compactMap { change -> MessagePosition? in
            guard case .message(let message, let position, _) = change, message.key == key else { return nil }
            return position
        }
        let details = try await store.details(of: [key], for: reader, at: .second(50))
        return [positions.last?.outdated, details[key]?.position.outdated]
    }
}

extension FeedChange {
    fileprivate var isMark: Bool { if case .outdated = self { true } else { false } }
}
