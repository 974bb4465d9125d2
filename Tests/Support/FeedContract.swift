package import ChatCore

/// What readers get who ask together.
package enum FeedContract {
    /// Readers who know different parts of the log get in one transaction what each gets alone.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func readersAtDifferentPlacesGetWhatEachGetsAlone(
        _ store: any ChatStore & LiveChatRepository & ChangeFeed
    ) async throws {
        _ = try await store.store(
            [.of("c", ["ada", "bob", "eve"]), .of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        var ends = [try await store.latestChange()]
        func take(_ step: () async throws -> Void) async throws {
            try await step()
            ends.append(try await store.latestChange())
        }
        var reply = Message.short("c", "m3", by: "eve", at: 3)
        reply.replyToID = "m1"
        let answer = reply
        try await take {
            _ = try await store.post([.short("c", "m1", by: "bob", at: 1)], source: "api", at: .second(1))
        }
        try await take {
            _ = try await store.post(
                [.short("c", "m2", by: "ada", at: 2), .short("d", "n1", by: "ada", at: 2)], source: "api",
                at: .second(2))
        }
        try await take { _ = try await store.post([answer], source: "api", at: .second(3)) }
        try await take { _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(4)) }
        try await take { _ = try await store.edit(.of("c", "m2"), text: "other words", at: .second(5)) }
        try await take { _ = try await store.delete(.of("c", "m1"), at: .second(6)) }
        try await take { _ = try await store.edit(.of("d", "n1"), text: "@Name of bob look", at: .second(7)) }

        var requests: [FeedRequest] = []
        for (place, start) in ends.enumerated() {
            for end in ends[place...] {
                requests += ["ada", "bob", "eve"].map {
                    FeedRequest(reader: $0, range: FeedRange(after: start, through: end, in: ["c", "d"]))
                }
            }
        }
        for limit in [1_000, 2] {
            let pages = try await store.feeds(requests, limit: limit, at: .second(9))
            for (request, page) in zip(requests, pages) {
                let alone = try await store.feed(of: request.reader, in: request.range, limit: limit, at: .second(9))
                try demand(try page.get(), alone)
            }
            try demand(try pages.contains { try !$0.get().limited.isEmpty }, limit == 2)
        }
    }
}
