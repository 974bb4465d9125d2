import ChatCore

extension StoreContract {
    /// Of `OutdatedAnswerRepository`.
    package static let outdated: [StoreContract] = outdatedReading + outdatedNotes + outdatedEnds

    private static let outdatedReading: [StoreContract] = [
        StoreContract("messages are compared from the first start on, in conversations with answers only") { store in
            try await store.furnishAnswer()
            let start = try await store.beginOutdatedAnswers()
            try demand(start, try await store.latestChange())
            _ = try await store.store([.of("quiet", ["ada"])], source: "api", mode: .posting, at: .second(0))
            var machine = Message.short("c", "bot", "moved to the 4th", at: 31)
            var silent = Message.short("c", "system", at: 32)
            (machine.kind, silent.kind) = (.bot, .system)
            try await store.post([
                .short("c", "new", "moved to the 3rd", at: 30), machine, silent, .short("c", "gone", at: 33),
                .short("quiet", "m", "moved to the 3rd", at: 30),
            ])
            try await store.delete(.of("c", "gone"), at: .second(34))
            let found = try await store.messagesToCompare(after: start, limit: 99)
            try demand(found.messages.map(\.key), [.of("c", "new"), .of("c", "bot")])
            try demand(found.through, try await store.latestChange())
            try demand(try await store.messagesToCompare(after: start, limit: 1).messages, [])
            try demand(try await store.beginOutdatedAnswers(), start)
            try await store.noteCompared(through: found.through)
            try await store.noteCompared(through: start)
            try demand(try await store.beginOutdatedAnswers(), found.through)
        },
        StoreContract("the newest answers that are based on a conversation are returned with their messages") { store in
            try await store.furnishAnswer()
            try await store.post([.short("c", "other", "bring ropes", at: 6), .short("c", "new", "moved", at: 30)])
            try await store.recordAnswer("later", from: ["other", "old"], at: 8)
            // It knows the message, so it does not become wrong by it.
            try await store.recordAnswer("knowing", from: ["old", "new"], at: 31)
            // Its only message is not cited.
            try await store.recordAnswer("uncited", from: ["other"], number: nil, at: 32)
            // It says what was known before.
            try await store.recordAnswer("then", from: ["old"], notices: [TurnReply.asOfNotice], at: 33)
            let found = try await store.citingAnswers(of: .of("c", "new"), limit: 9, preceding: 2)
            try demand(found?.answers.map(\.id), [.turn("later"), .turn("t")])
            try demand(found?.answers.map(\.text), ["answer to later", "answer to when"])
            try demand(found?.answers.map(\.keys), [[.of("c", "other"), .of("c", "old")], [.of("c", "old")]])
            try demand(found?.cited.map(\.key.messageID), ["other", "old"])
            try demand(found?.preceding.map(\.key.messageID), ["other", "old"])
            try demand(found?.timeZone, "Europe/Berlin")
            let first = try await store.citingAnswers(of: .of("c", "new"), limit: 1, preceding: 0)
            try demand(first?.cited.map(\.key.messageID), ["other"])
            try demand(first?.answers.map(\.id), [.turn("later")])
            try await store.delete(.of("c", "new"), at: .second(40))
            try demand(try await store.citingAnswers(of: .of("c", "new"), limit: 9, preceding: 2), nil)
        },
        StoreContract("answers that the assistant posted are among them, with what people wrote") { store in
            try await store.furnishMentions(["m1", "m2"])
            try await store.post([.short("c", "old", "the start is on the 27th", at: 3)])
            try demand(try await store.answer("m1", "a1", from: [.of("c", "old")]), true)
            try demand(try await store.answer("m2", "a2", from: [.of("c", "a1")], at: 21), true)
            try await store.post([.short("c", "new", "moved", at: 30)])
            let found = try await store.citingAnswers(of: .of("c", "new"), limit: 9, preceding: 0)
            try demand(
                Set(found?.answers.map(\.id) ?? []), [.message(.of("c", "a1")), .message(.of("c", "a2"))])
            try demand(Set(found?.cited.map(\.key.messageID) ?? []), ["old", "m1", "m2"])
            try demand(
                try await store.messagesToCompare(after: try await store.beginMentions(), limit: 99).messages
                    .contains { $0.key == .of("c", "new") }, true)
        },
    ]

    private static let outdatedNotes: [StoreContract] = [
        StoreContract("an answer is noted once for a message, and the feed of its asker says so") { store in
            try await store.furnishAnswer(in: "h")
            let message = try await store.postNewer("new", at: 30)
            let start = try await store.latestChange()
            try demand(try await store.note(["t"], by: message, at: 31), 1)
            try demand(try await store.subjects(after: start), [.threads("ada")])
            let end = try await store.latestChange()
            try demand(try await store.note(["t"], by: message, at: 32), 0)
            try demand(try await store.latestChange(), end)
            let found = try await store.outdated("t", at: 33)
            try demand(found?.message.key, .of("c", "new"))
            try demand(found?.conversationName, "Harbor")
            try demand(found?.notedAt, .second(31))
            // Another message, and the newer of both is shown.
            let last = try await store.postNewer("last", at: 40)
            try demand(try await store.note(["t"], by: last, at: 41), 1)
            try demand(try await store.outdated("t", at: 42)?.message.key, .of("c", "last"))
            try demand(try await store.note([], by: last, at: 43), 0)
            try demand(try await store.outdated("t", at: 44)?.message.key, .of("c", "new"))
            let changes = try await store.threadChanges(of: "ada", after: start, limit: 9)
            try demand(changes.items.map(\.id), ["h"])
        },
        StoreContract("a message that was edited or deleted since it was read makes nothing wrong") { store in
            try await store.furnishAnswer()
            let message = try await store.postNewer("new", at: 30)
            _ = try await store.edit(message.key, text: "never mind", at: .second(31))
            try demand(try await store.note(["t"], by: message, at: 32), 0)
            let other = try await store.postNewer("other", at: 33)
            try await store.delete(other.key, at: .second(34))
            try demand(try await store.note(["t"], by: other, at: 35), 0)
            try demand(try await store.outdated("t", at: 36) == nil, true)
        },
        StoreContract("only those see what made an answer wrong who may read it now") { store in
            try await store.furnishAnswer()
            _ = try await store.store([.of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("d", "n", "moved to the 3rd", at: 30)])
            let message = try await store.stored([.of("d", "n")])[.of("d", "n")]
            guard let message else { return try demand("no message", "a message") }
            try demand(try await store.note(["t"], by: message, at: 31), 1)
            try demand(try await store.outdated("t", at: 32)?.message.key, .of("d", "n"))
            try await store.removeMember("ada", from: "d", at: .second(33))
            try demand(try await store.outdated("t", at: 34) == nil, true)
            try demand(try await store.readableTurn("t", at: 34).isWhole, true)
            try await store.setMember(
                Member(userID: "ada", displayName: "Ada", joinedAt: .second(35)), in: "d", source: "api",
                at: .second(35))
            try demand(try await store.outdated("t", at: 36)?.message.key, .of("d", "n"))
            // An answer that is not shown is not called wrong.
            try await store.removeMember("ada", from: "c", at: .second(37))
            try demand(try await store.readableTurn("t", at: 38).withholding, .notPermitted)
            try demand(try await store.outdated("t", at: 38) == nil, true)
        },
    ]

    private static let outdatedEnds: [StoreContract] = [
        StoreContract("a note goes with either message and with its turn") { store in
            for (place, step) in ["newer", "older", "turn"].enumerated() {
                let id = ConversationID(rawValue: "c\(place)")
                let turn = TurnID(rawValue: "t\(place)")
                _ = try await store.store([.of(id, ["ada"])], source: "api", mode: .posting, at: .second(0))
                try await store.post([.short(id, "old", "on the 27th", at: 5), .short(id, "new", "moved", at: 30)])
                try await store.recordAnswer(turn, from: ["old"], in: id, at: 7)
                let message = try await store.stored([.of(id, "new")])[.of(id, "new")]
                guard let message else { return try demand("no message", "a message") }
                try demand(try await store.note([turn], by: message, older: .of(id, "old"), at: 31), 1)
                let start = try await store.latestChange()
                switch step {
                case "newer": try await store.delete(.of(id, "new"), at: .second(32))
                case "older": try await store.delete(.of(id, "old"), at: .second(32))
                default: try await store.deleteTurn(turn, of: "ada")
                }
                if step == "turn" {
                    try demand(try await store.note([turn], by: message, older: .of(id, "old"), at: 33), 0)
                    continue
                }
                try demand(try await store.outdated(turn, at: 33) == nil, true)
                if step == "newer" {
                    try demand(try await store.subjects(after: start).contains(.threads("ada")), true)
                }
            }
        },
        StoreContract("an answer that an edit removed names the edited message, and nothing else") { store in
            try await store.furnishAnswer(in: "h")
            let message = try await store.postNewer("new", at: 30)
            try demand(try await store.note(["t"], by: message, at: 31), 1)
            _ = try await store.edit(.of("c", "old"), text: "the start moved to the 3rd", at: .second(32))
            let found = try await store.readableTurn("t", at: 33)
            try demand(found.withholding, .sourceEdited)
            try demand(found.outdated?.message.key, .of("c", "old"))
            try demand(found.outdated?.message.text, "the start moved to the 3rd")
            try demand(found.outdated?.notedAt, .second(32))
            // It has no text that could be wrong.
            try demand(try await store.note(["t"], by: message, at: 34), 0)
            _ = try await store.edit(.of("c", "old"), text: "the start moved to the 4th", at: .second(35))
            try demand(try await store.outdated("t", at: 36)?.notedAt, .second(32))
            try await store.delete(.of("c", "old"), at: .second(37))
            try demand(try await store.outdated("t", at: 38) == nil, true)
        },
        StoreContract("a question that was edited is not what its answer was about") { store in
            try await store.furnishMentions(["m1"])
            try await store.record(.of("t", "where", from: [.of("c", "m1")], at: 7))
            _ = try await store.edit(.of("c", "m1"), text: "@ai where is the barge?", at: .second(8))
            try demand(try await store.readableTurn("t", at: 9).withholding, .sourceEdited)
            try demand(try await store.outdated("t", at: 9) == nil, true)
        },
    ]
}

extension Store {
    /// Makes a conversation with a message `old` and Ada's turn `t` that is based on it, and reads from there.
    func furnishAnswer(in thread: ThreadID? = nil) async throws {
        _ = try await furnish()
        if let thread { try await create(AssistantThread(id: thread, ownerID: "ada", createdAt: .second(0))) }
        try await post([.short("c", "old", by: "bob", "the start is on the 27th", at: 5)])
        try await recordAnswer("t", asking: "when", from: ["old"], thread: thread, at: 7)
    }

    /// Stores a turn of Ada whose answer cites messages; without a number it only lists them.
    func recordAnswer(
        _ id: TurnID, asking question: String? = nil, from messages: [MessageID], in place: ConversationID = "c",
        number: Int? = 1, thread: ThreadID? = nil, notices: [String] = [], at second: Int
    ) async throws {
        let keys = messages.map { MessageKey.of(place, $0) }
        var turn = Turn.of(id, question ?? id.rawValue, from: keys, at: second, in: thread)
        turn.reply = TurnReply(
            sources: keys.enumerated().map { rank, key in
                .init(key: key, number: number.map { $0 + rank }, rank: rank + 1, relevance: 0.5)
            }, citations: [], notices: notices, noAnswerReason: "none", mode: "hybrid")
        try await record(turn)
    }

    /// Posts a message that moves the start, and returns it.
    func postNewer(_ id: MessageID, at second: Int) async throws -> Message {
        try await post([.short("c", id, by: "bob", "the start moved, see \(id.rawValue)", at: second)], at: second)
        guard let message = try await stored([.of("c", id)])[.of("c", id)] else {
            throw RepositoryError.noSuchMessage(.of("c", id))
        }
        return message
    }

    /// Notes that a message makes turns wrong.
    func note(
        _ turns: [TurnID], by message: Message, older: MessageKey = .of("c", "old"), at second: Int
    ) async throws -> Int {
        try await noteOutdated(
            turns.map { OutdatedAnswer(id: .turn($0), older: older) }, by: message, at: .second(second))
    }

    func readableTurn(_ id: TurnID, at second: Int) async throws -> ReadableTurn {
        guard let found = try await readable([try await turn(id, of: "ada")], at: .second(second)).first else {
            throw RepositoryError.noSuchTurn(id)
        }
        return found
    }

    func outdated(_ id: TurnID, at second: Int) async throws -> ReadableTurn.Outdated? {
        try await readableTurn(id, at: second).outdated
    }
}
