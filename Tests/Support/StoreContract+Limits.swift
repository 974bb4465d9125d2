import ChatCore

extension StoreContract {
    /// One character of 1,201 bytes: short by characters, long by bytes.
    private static let tower = "a" + String(repeating: "\u{301}", count: 600)

    private static let tooManyBytes = "must have at most 1024 bytes"

    /// What is kept is bounded in bytes, not in characters alone.
    static let limits: [StoreContract] = [
        StoreContract("names of messages, members, conversations and authors are bounded in bytes") { store in
            _ = try await store.furnish()
            var message = Message.short("c", "1")
            message.senderName = tower
            var attached = Message.short("c", "2")
            attached.attachments = [Message.Attachment(name: tower)]
            var typed = Message.short("c", "3")
            typed.attachments = [Message.Attachment(name: "a", type: tower)]
            try demand(
                try await store.accept([message, attached, typed], source: "api", mode: .posting, at: .second(1)),
                [
                    .invalid(field: "senderName", reason: tooManyBytes),
                    .invalid(field: "attachments", reason: "names and types " + tooManyBytes),
                    .invalid(field: "attachments", reason: "names and types " + tooManyBytes),
                ])
            for member in [
                Member(userID: "eve", displayName: tower, joinedAt: .second(0)),
                Member(userID: "eve", displayName: "Eve", aliases: ["a", tower], joinedAt: .second(0)),
            ] {
                let field = member.aliases.isEmpty ? "displayName" : "aliases"
                try await demandFailure(.invalid(field: field, reason: tooManyBytes)) {
                    try await store.setMember(member, in: "c", source: "api", at: .second(1))
                }
            }
            try await demandFailure(.invalid(field: "name", reason: tooManyBytes)) {
                _ = try await store.store(
                    [.of("d", ["ada"], name: tower)], source: "api", mode: .posting, at: .second(1))
            }
            try await demandFailure(.invalid(field: "name", reason: tooManyBytes)) {
                try await store.storeAuthors([Identity(source: "api", externalID: "eve", userID: "eve", name: tower)])
            }
        },
        StoreContract("a member has a bounded number of aliases") { store in
            _ = try await store.furnish()
            let aliases = (0...Member.aliasLimit).map { "alias \($0)" }
            try await demandFailure(.invalid(field: "aliases", reason: "must have at most 50 items")) {
                try await store.setMember(
                    Member(userID: "eve", displayName: "Eve", aliases: aliases, joinedAt: .second(0)), in: "c",
                    source: "api", at: .second(1))
            }
        },
        StoreContract("reactions, extra and attachments of a message are bounded") { store in
            _ = try await store.furnish()
            func people(_ count: Int) -> [UserID] { (0..<count).map { UserID(rawValue: "u\($0)") } }
            try demand(
                try await store.outcome {
                    $0.reactions = [Message.Reaction(emoji: "x", userIDs: people(Message.reactorLimit + 1))]
                },
                .invalid(field: "reactions", reason: "userIds must have at most 1000 items"))
            try demand(
                try await store.outcome {
                    $0.reactions = (0...Message.reactionLimit).map { Message.Reaction(emoji: "\($0)", userIDs: []) }
                },
                .invalid(field: "reactions", reason: "must have at most \(Message.reactionLimit) items"))
            try demand(
                try await store.outcome { $0.reactions = [Message.Reaction(emoji: "x", userIDs: ["a\0"])] },
                .invalid(field: "reactions", reason: "userIds must be usable ids"))
            let long = people(999).map { UserID(rawValue: $0.rawValue + String(repeating: "x", count: 200)) }
            try demand(
                try await store.outcome {
                    $0.reactions = [
                        Message.Reaction(emoji: "x", userIDs: long), Message.Reaction(emoji: "y", userIDs: long),
                    ]
                },
                .invalid(
                    field: "reactions",
                    reason: "with extra and names of attachments, must have at most 262144 bytes"))
            try demand(
                try await store.outcome { $0.extra = String(repeating: "x", count: Message.extraByteLimit + 1) },
                .invalid(field: "extra", reason: "must have at most 65536 bytes"))
            try demand(
                try await store.outcome {
                    $0.attachments = (0...Message.attachmentLimit).map { Message.Attachment(name: "\($0)") }
                },
                .invalid(field: "attachments", reason: "must have at most \(Message.attachmentLimit) items"))
            try demand(
                try await store.outcome {
                    $0.reactions = [Message.Reaction(emoji: "x", userIDs: people(Message.reactorLimit))]
                }, .inserted)
        },
        StoreContract("text and captions share one limit, after an edit too") { store in
            _ = try await store.furnish()
            let half = String(repeating: "x", count: Message.textByteLimit / 2)
            var message = Message.short("c", "1", half)
            message.attachments = [Message.Attachment(name: "a", caption: half + "y")]
            let reason = "captions and text must have at most 262144 bytes together"
            try demand(
                try await store.accept([message], source: "api", mode: .posting, at: .second(1)),
                [.invalid(field: "attachments", reason: reason)])
            message.attachments[0].caption = half
            try await store.post([message], at: 1)
            try await demandFailure(.invalid(field: "attachments", reason: reason)) {
                _ = try await store.edit(message.key, text: half + "z", at: .second(2))
            }
        },
        StoreContract("candidates come without reactions, extra and local ids") { store in
            _ = try await store.furnish()
            try await store.post([.complete("c", "1", by: "ada")])
            let number = try await store.indexedMessages(after: .init(rawValue: 0), limit: 1).map(\.number)
            let found = try await store.visible(
                number, passagesOf: nil, in: SearchScope(asker: "ada", conversations: .all), at: .second(1))
            try demand(found.map(\.message.searchableText), ["Grüße 👋 from the pier [berth plan]"])
            try demand(found.map(\.message.reactions), [[]])
            try demand(found.map(\.message.extra), [nil])
            try demand(found.map(\.message.localID), [nil])
        },
    ]
}

extension Store {
    /// Posts a message that is changed before; returns what became of it.
    fileprivate func outcome(_ change: (inout Message) -> Void) async throws -> AcceptOutcome? {
        var message = Message.short("c", "1")
        change(&message)
        let outcomes = try await accept([message], source: "api", mode: .posting, at: .second(1))
        return outcomes.first
    }
}
