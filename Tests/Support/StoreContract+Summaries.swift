package import ChatCore

extension StoreContract {
    /// Of `SummaryRepository`.
    package static let summaries: [StoreContract] = summaryKeeping + summariesOfMessages

    private static let summaryKeeping: [StoreContract] = [
        StoreContract("a summary is read as it was kept, by who may see the conversation and by its recipe") { store in
            let messages = try await store.furnishSummaries()
            let late = SpanSummary.of(messages[3...4], "later [1]", cited: ["m5"])
            let early = SpanSummary.of(messages[0...2], "earlier [2][1]", cited: ["m1", "m3"])
            for summary in [late, early] {
                try demand(try await store.keep(summary, madeOf: [], asker: "ada", at: .second(20)), true)
            }

            try demand(try await store.summaries(of: "c", by: "r", asker: "bob", at: .second(21)), [early, late])
            try demand(try await store.summaries(of: "c", by: "other", asker: "bob", at: .second(21)), [])
            try await demandFailure(.noSuchConversation("c")) {
                _ = try await store.summaries(of: "c", by: "r", asker: "eve", at: .second(21))
            }
            try await demandFailure(.noSuchConversation("c")) {
                _ = try await store.keep(early, madeOf: [], asker: "eve", at: .second(21))
            }
        },
        StoreContract("a summary of what is not there any more is not kept") { store in
            let messages = try await store.furnishSummaries()
            let whole = SpanSummary.of(messages[0...4], "all [1]", cited: ["m1"])
            let gap = SpanSummary.of([messages[0], messages[2]], "with a gap [1]", cited: ["m1"])
            var backwards = whole
            backwards.span = .init(firstID: "m5", lastID: "m1")
            var unknown = whole
            unknown.span.lastID = "m9"
            for summary in [gap, backwards, unknown] {
                try demand(try await store.keep(summary, madeOf: [], asker: "ada", at: .second(20)), false)
            }
            _ = try await store.edit(.of("c", "m2"), text: "other words", at: .second(21))
            try demand(try await store.keep(whole, madeOf: [], asker: "ada", at: .second(22)), false)
            try demand(try await store.summaries(of: "c", by: "r", asker: "ada", at: .second(23)), [])
        },
        StoreContract("a summary takes the place of those of its level that it overlaps, whatever their recipe") {
            store in
            let messages = try await store.furnishSummaries()
            let first = SpanSummary.of(messages[0...1], "one [1]", cited: ["m1"])
            let second = SpanSummary.of(messages[2...4], "two [1]", cited: ["m3"])
            var merged = SpanSummary.of(messages[0...4], "both [1]", cited: ["m1"])
            merged.level = 1
            merged.contentHash = SpanSummary.contentHash(of: [first, second])
            var newer = SpanSummary.of(messages[1...2], "between [1]", cited: ["m2"])
            newer.recipe = "r2"
            for summary in [first, second] {
                try demand(try await store.keep(summary, madeOf: [], asker: "ada", at: .second(20)), true)
            }
            try demand(try await store.keep(merged, madeOf: [first, second], asker: "ada", at: .second(20)), true)
            try demand(
                try await store.summaries(of: "c", by: "r", asker: "ada", at: .second(21)), [first, second, merged])

            try demand(try await store.keep(newer, madeOf: [], asker: "ada", at: .second(22)), true)

            try demand(try await store.summaries(of: "c", by: "r", asker: "ada", at: .second(23)), [merged])
            try demand(try await store.summaries(of: "c", by: "r2", asker: "ada", at: .second(23)), [newer])
            try demand(try await store.keep(merged, madeOf: [first, second], asker: "ada", at: .second(24)), false)
        },
        StoreContract("a summary without words, or with too many, is refused") { store in
            let messages = try await store.furnishSummaries()
            for text in [" \n", "a\0b", String(repeating: "x", count: SpanSummary.textByteLimit + 1)] {
                let refusal = RepositoryError.invalid(
                    field: "text", reason: "must have 1 to \(SpanSummary.textByteLimit) bytes, and no NUL")
                try await demandFailure(refusal) {
                    let summary = SpanSummary.of(messages[0...1], text, cited: [])
                    _ = try await store.keep(summary, madeOf: [], asker: "ada", at: .second(20))
                }
            }
        },
    ]

    private static let summariesOfMessages: [StoreContract] = [
        StoreContract("a summary goes with each message in its span, and others stay") { store in
            for change in 0..<4 {
                let c = ConversationID(rawValue: "c\(change)")
                let messages = try await store.furnishSummaries(in: c)
                let parts = [
                    SpanSummary.of(messages[0...1], "one [1]", cited: ["m1"]),
                    SpanSummary.of(messages[2...3], "two [1]", cited: ["m3"]),
                ]
                for part in parts {
                    try demand(try await store.keep(part, madeOf: [], asker: "ada", at: .second(20)), true)
                }
                var merged = SpanSummary.of(messages[0...3], "both [1]", cited: ["m1"])
                merged.level = 1
                merged.contentHash = SpanSummary.contentHash(of: parts)
                try demand(try await store.keep(merged, madeOf: parts, asker: "ada", at: .second(20)), true)

                switch change {
                case 0: _ = try await store.edit(.of(c, "m3"), text: "new words", at: .second(30))
                case 1: try await store.delete(.of(c, "m4"), at: .second(30))
                case 2: try await store.renew(.short(c, "m4", "hello", at: 40))
                default:
                    try await store.renew(
                        Message(
                            key: .of(c, "m3"), senderID: "ada", senderName: "Countess", text: "hello",
                            timestamp: .second(3)))
                }

                try demand(try await store.summaries(of: c, by: "r", asker: "ada", at: .second(50)), [parts[0]])
            }
        },
        StoreContract("what does not change a text leaves summaries alone") { store in
            let messages = try await store.furnishSummaries()
            let summary = SpanSummary.of(messages[0...3], "all [1]", cited: ["m1"])
            try demand(try await store.keep(summary, madeOf: [], asker: "ada", at: .second(20)), true)
            var loved = messages[1]
            loved.reactions = [Message.Reaction(emoji: "👍", userIDs: ["bob"])]
            try await store.renew(loved)
            _ = try await store.edit(.of("c", "m5"), text: "behind the span", at: .second(21))
            try await store.delete(.of("c", "m5"), at: .second(22))

            try demand(try await store.summaries(of: "c", by: "r", asker: "ada", at: .second(23)), [summary])
        },
    ]
}

extension Store {
    /// Makes a conversation with messages `m1` to `m5`, a second apart.
    fileprivate func furnishSummaries(in id: ConversationID = "c") async throws -> [Message] {
        _ = try await store([.of(id, ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let messages = (1...5).map { Message.short(id, MessageID(rawValue: "m\($0)"), "hello", at: $0) }
        try await post(messages)
        return messages
    }

    /// Imports a message from a history again.
    fileprivate func renew(_ message: Message) async throws {
        try demand(try await accept([message], source: "api", mode: .importing, at: .second(30)), [.updated])
    }
}

extension SpanSummary {
    /// A summary of these messages by the recipe `r`.
    package static func of(
        _ messages: some BidirectionalCollection<Message>, _ text: String, cited: [MessageID]
    ) -> SpanSummary {
        let first = messages.first?.key ?? .of("c", "none")
        return SpanSummary(
            conversationID: first.conversationID,
            span: .init(firstID: first.messageID, lastID: messages.last?.key.messageID ?? first.messageID),
            messageCount: messages.count, contentHash: contentHash(of: messages), recipe: "r", text: text,
            citedIDs: cited, madeAt: .second(20))
    }
}
