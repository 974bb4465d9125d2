import ChatCore

extension StoreContract {
    /// Of `VerdictRepository`.
    package static let verdicts: [StoreContract] = verdictRights + verdictEnds + verdictMarks

    private static let verdictRights: [StoreContract] = [
        StoreContract("the last verdict comes last, and each person takes back only their own") { store in
            try await store.furnishVerdicts()
            try await store.say(.replaced, "old", by: "new", "ada", at: 20)
            try await store.say(.holds, "old", by: "new", "bob", at: 21)
            try demand(try await store.said("old", to: "ada"), ["replaced new ada", "holds new bob"])
            let found = try await store.verdicts(on: [.of("c", "old")], in: .all("ada"), at: .second(50))
            try demand(found.map(\.userName), ["Name of ada", "Name of bob"])
            try demand(found.map(\.saidAt), [.second(20), .second(21)])
            try demand(found.first?.newer.text, "the start moved to the 3rd")
            try demand(found.first?.conversation.displayName, "Harbor")
            try demand(found.first?.range, nil)
            try demand(
                try await store.verdicts(naming: [.of("c", "new")]), [.of("c", "new"): [.of("c", "old"): .holds]])
            try await store.say(nil, "old", by: "new", "bob", at: 22)
            try demand(try await store.said("old", to: "ada"), ["replaced new ada"])
            try demand(
                try await store.verdicts(naming: [.of("c", "new")]), [.of("c", "new"): [.of("c", "old"): .replaced]])
            // Nothing was said, so nothing changes.
            let end = try await store.latestChange()
            try await store.say(nil, "old", by: "new", "bob", at: 23)
            try demand(try await store.latestChange(), end)
            // Who speaks again speaks last, and once.
            try await store.say(.holds, "old", by: "new", "bob", at: 24)
            try await store.say(.holds, "old", by: "new", "ada", at: 25)
            try demand(try await store.said("old", to: "bob"), ["holds new bob", "holds new ada"])
            try demand(try await store.said("new", to: "bob"), [])
        },
        StoreContract("statements of a message have verdicts of their own") { store in
            try await store.furnishVerdicts()
            try await store.say(.holds, "old", 0..<5, by: "new", "ada", at: 20)
            try await store.say(.replaced, "old", 6..<9, by: "new", "ada", at: 21)
            try await store.say(.replaced, "old", 0..<4, by: "new", "ada", at: 22)
            let found = try await store.verdicts(on: [.of("c", "old")], in: .all("ada"), at: .second(50))
            try demand(found.map(\.range), [6..<9, 0..<4])
            try await store.say(.holds, "old", by: "new", "ada", at: 23)
            try demand(try await store.said("old", to: "ada"), ["holds new ada"])
            try await store.say(nil, "old", by: "new", "ada", at: 24)
            for start in 0..<ReplacementVerdict.limit {
                try await store.say(.holds, "old", start..<start + 1, by: "new", "ada", at: 30)
            }
            try await store.refuse("message") {
                try await store.say(.holds, "old", 20..<21, by: "new", "ada", at: 31)
            }
            for range in [3..<3, 0..<25] {
                try await store.refuse("end") { try await store.say(.holds, "old", range, by: "new", "bob", at: 32) }
            }
            try await store.say(.holds, "old", 0..<24, by: "new", "bob", at: 32)
        },
        StoreContract("only those who may read both messages say something, of texts of people, in order") { store in
            try await store.furnishVerdicts()
            try await demandFailure(.noSuchConversation("c")) {
                try await store.say(.holds, "old", by: "new", "stranger", at: 20)
            }
            // Eve sees the earlier message, and not the one elsewhere.
            try await demandFailure(.noSuchConversation("d")) {
                try await store.say(.replaced, "old", by: .of("d", "elsewhere"), "eve", at: 20)
            }
            for key in [MessageKey.of("c", "none"), .of("c", "x\u{0}y")] {
                try await demandFailure(.noSuchMessage(key)) {
                    try await store.say(.replaced, "old", by: key, "ada", at: 20)
                }
            }
            try await store.delete(.of("c", "gone"), at: .second(20))
            try await demandFailure(.noSuchMessage(.of("c", "gone"))) {
                try await store.say(.replaced, "old", by: "gone", "ada", at: 21)
            }
            try await store.refuse("replacedBy") { try await store.say(.replaced, "new", by: "old", "ada", at: 20) }
            try await store.refuse("replacedBy") { try await store.say(.replaced, "old", by: "old", "ada", at: 20) }
            try await store.refuse("replacedBy") { try await store.say(.holds, "old", by: "joined", "ada", at: 20) }
            try demand(try await store.said("old", to: "ada"), [])
            try await store.removeMember("bob", from: "c", at: .second(22))
            try await demandFailure(.noSuchConversation("c")) {
                try await store.say(.holds, "old", by: "new", "bob", at: 23)
            }
        },
        StoreContract("a verdict is read where its later message may be read, in the scope") { store in
            try await store.furnishVerdicts()
            try await store.say(.replaced, "old", by: .of("d", "elsewhere"), "ada", at: 20)
            try await store.say(.holds, "old", by: "new", "bob", at: 21)
            try demand(try await store.said("old", to: "ada"), ["replaced elsewhere ada", "holds new bob"])
            try demand(try await store.said("old", to: "eve"), ["holds new bob"])
            let scope = SearchScope(asker: "ada", conversations: .only(["c"]))
            let found = try await store.verdicts(on: [.of("c", "old")], in: scope, at: .second(50))
            try demand(found.map(\.newer.key.messageID), ["new"])
            // An answer in a conversation is compared with messages of that conversation.
            try demand(try await store.verdicts(naming: [.of("d", "elsewhere")]), [:])
            try await store.removeMember("ada", from: "d", at: .second(30))
            try demand(try await store.said("old", to: "ada"), ["holds new bob"])
            // What was said stays when its person leaves.
            try await store.removeMember("bob", from: "c", at: .second(30))
            try demand(try await store.said("old", to: "eve"), ["holds new bob"])
        },
    ]

    private static let verdictEnds: [StoreContract] = [
        StoreContract("a verdict goes when one of its messages is deleted or gets other words") { store in
            try await store.furnishVerdicts()
            func sayAll(at second: Int) async throws {
                try await store.say(.holds, "old", by: "new", "ada", at: second)
                try await store.say(.replaced, "new", by: "newest", "bob", at: second)
            }
            try await sayAll(at: 20)
            _ = try await store.edit(.of("c", "new"), text: "the start moved to the 4th", at: .second(22))
            try demand(try await store.said("old", to: "ada"), [])
            try demand(try await store.said("new", to: "ada"), [])
            try await sayAll(at: 23)
            try await store.delete(.of("c", "newest"), at: .second(24))
            try demand(try await store.said("old", to: "ada"), ["holds new ada"])
            try demand(try await store.said("new", to: "ada"), [])
            _ = try await store.edit(.of("c", "old"), text: "the start is on the 28th", at: .second(25))
            try demand(try await store.said("old", to: "ada"), [])
        }
    ]

    private static let verdictMarks: [StoreContract] = [
        StoreContract("that a message holds ends the notes that another one made its answers wrong") { store in
            try await store.furnishVerdicts()
            try await store.recordAnswer("t", from: ["old"], at: 12)
            guard let newer = try await store.stored([.of("c", "new")])[.of("c", "new")] else {
                return try demand("no message", "a message")
            }
            try demand(try await store.note(["t"], by: newer, at: 13), 1)
            try demand(try await store.outdated("t", at: 14)?.message.key.messageID, "new")
            let start = try await store.latestChange()
            try await store.say(.holds, "old", by: "new", "bob", at: 20)
            try demand(try await store.outdated("t", at: 21)?.message.key, nil)
            // The message is compared again, and the asker's list has changed.
            try demand(
                try await store.subjects(after: start), [.threads("ada"), .message("new")])
            try demand(try await store.note(["t"], by: newer, at: 22), 0)
            try demand(try await store.outdated("t", at: 23)?.message.key, nil)
            // Somebody disagrees, and takes it back.
            try await store.say(.replaced, "old", by: "new", "ada", at: 24)
            try demand(try await store.note(["t"], by: newer, at: 25), 1)
            try await store.say(nil, "old", by: "new", "ada", at: 26)
            try demand(try await store.outdated("t", at: 27)?.message.key, nil)
        }
    ]
}

extension Store {
    /// Ada, Bob and Eve are in "c", Ada and Bob in "d"; messages state a start that moved.
    fileprivate func furnishVerdicts() async throws {
        for roster in [ConversationRoster.of("c", ["ada", "bob", "eve"]), .of("d", ["ada", "bob"])] {
            _ = try await store([roster], source: "api", mode: .posting, at: .second(0))
        }
        var joined = Message.short("c", "joined", "somebody joined", at: 11)
        joined.kind = .system
        try await post([
            .short("c", "old", by: "bob", "the start is on the 27th", at: 5),
            .short("c", "gone", by: "ada", "never mind", at: 8),
            .short("c", "new", by: "ada", "the start moved to the 3rd", at: 10), joined,
            .short("c", "newest", by: "ada", "the start moved to the 9th", at: 12),
            .short("d", "elsewhere", by: "ada", "the start moved to the 5th", at: 11),
        ])
    }

    /// Says something of a message of "c" and a later one of it.
    fileprivate func say(
        _ kind: ReplacementVerdict.Kind?, _ older: MessageID, _ range: Range<Int>? = nil, by newer: MessageID,
        _ user: UserID, at second: Int
    ) async throws {
        try await say(kind, older, range, by: .of("c", newer), user, at: second)
    }

    fileprivate func say(
        _ kind: ReplacementVerdict.Kind?, _ older: MessageID, _ range: Range<Int>? = nil, by newer: MessageKey,
        _ user: UserID, at second: Int
    ) async throws {
        let subject = ReplacementVerdict.Subject(older: .of("c", older), range: range, newer: newer)
        try await setVerdict(kind, on: subject, by: user, at: .second(second))
    }

    /// What is said of a message of "c", as `holds m2 ada`.
    fileprivate func said(_ older: MessageID, to reader: UserID) async throws -> [String] {
        try await verdicts(on: [.of("c", older)], in: .all(reader), at: .second(50)).map {
            "\($0.kind) \($0.newer.key.messageID) \($0.userID)"
        }
    }

    /// Expects that a field is refused.
    fileprivate func refuse(_ field: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch RepositoryError.invalid(let found, _) {
            return try demand(found, field)
        }
        throw ContractViolation(description: "a wrong \(field) was taken")
    }
}

extension SearchScope {
    fileprivate static func all(_ asker: UserID) -> SearchScope { SearchScope(asker: asker, conversations: .all) }
}
