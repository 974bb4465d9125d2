import ChatCore

extension StoreContract {
    /// What turns keep of messages that changed, and of conversations that their askers left.
    static let turnTexts: [StoreContract] = [
        StoreContract("a turn loses its answer when the text of a source changes, and the turns after it") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(0)))
            for turn in [
                Turn.of("t1", "one", from: [.of("c", "1")], at: 1, in: "h"),
                .of("t2", "two", from: [.of("c", "2")], at: 2, in: "h", after: ["t1"]),
                .of("t3", "three", from: [.of("c", "2")], at: 3, in: "h"),
            ] { try await store.record(turn, trace: .of([.of("c", "1")])) }
            let judged = TurnFeedback(rating: .up, reason: "quotes it", givenAt: .second(4))
            _ = try await store.setFeedback(judged, on: "t1", of: "ada")
            let start = try await store.latestChange()
            _ = try await store.edit(.of("c", "1"), text: "said otherwise", at: .second(9))

            let turns = try await store.turns(of: "ada", limit: 9).reversed() as [Turn]
            try demand(turns.map(\.question), ["one", "two", "three"])
            try demand(turns.map(\.answer), ["", "", "answer to three"])
            try demand(turns.map(\.redaction), [.sourceEdited, .sourceEdited, nil])
            try demand(turns.map { $0.feedback?.reason }, [nil, nil, nil])
            let shown = try await store.readable(turns, at: .second(10))
            try demand(shown.map(\.withholding), [.sourceEdited, .sourceEdited, nil])
            try demand(try await store.history(of: "h", user: "ada", at: .second(10)).map(\.id), ["t3"])
            try demand(try await store.trace(of: "t1", user: "ada", at: .second(10))?.searchedQuestion, nil)
            try demand(try await store.judgedTurns(after: nil, limit: 9), [])
            try demand(try await store.threadChanges(of: "ada", after: start, limit: 9).items.map(\.id), ["h"])

            // The same text again is no change; what is deleted takes the question too.
            _ = try await store.edit(.of("c", "2"), text: "hello", at: .second(11))
            try await store.delete(.of("c", "1"), at: .second(12))
            let last = try await store.turns(of: "ada", limit: 9).reversed() as [Turn]
            try demand(last.prefix(2).map(\.question), ["", ""])
            try demand(last.prefix(2).map(\.redaction), [.sourceDeleted, .sourceDeleted])
        },
        StoreContract("a turn about a whole conversation loses its answer when a message that was there changes") {
            store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1")])
            let thread = try await store.openExchange(of: "ada", in: "c", id: "x", at: .second(0)).id
            func turn(_ id: TurnID, at second: Int) -> Turn {
                var turn = Turn.of(id, "what is new", at: second, in: thread)
                turn.wholeConversationID = "c"
                return turn
            }
            try await store.record(turn("t1", at: 1))
            try await store.post([.short("c", "2")])
            _ = try await store.edit(.of("c", "2"), text: "came later", at: .second(5))
            try demand(try await store.turns(of: "ada", limit: 9).map(\.redaction), [nil])
            _ = try await store.edit(.of("c", "1"), text: "was there", at: .second(6))
            try demand(try await store.turns(of: "ada", limit: 9).map(\.redaction), [.sourceEdited])
            // Edited between question and answer, and before the question.
            try await store.record(turn("t2", at: 5))
            try await store.record(turn("t3", at: 7))
            try demand(
                try await store.turns(of: "ada", limit: 9).reversed().map(\.redaction),
                [.sourceEdited, .sourceEdited, nil])
        },
        StoreContract("a turn is kept without its answer when a source was edited since it was asked") { store in
            try await store.furnishMentions(["m1"])
            try await store.post([.short("c", "1")])
            _ = try await store.edit(.of("c", "1"), text: "another text", at: .second(8))
            try await store.record(.of("t1", "before", from: [.of("c", "1")], at: 7))
            try await store.record(.of("t2", "behind", from: [.of("c", "1")], at: 9))
            _ = try await store.edit(.of("c", "m1"), text: "@ai another question", at: .second(12))
            try await store.record(.of("t3", "where is the crane?", from: [.of("c", "m1")], at: 11))
            let turns = try await store.turns(of: "ada", limit: 9).reversed() as [Turn]
            try demand(turns.map(\.redaction), [.sourceEdited, nil, .sourceEdited])
            try demand(turns.map(\.question), ["before", "behind", ""])
            try demand(turns.map(\.answer), ["", "answer to behind", ""])
        },
        StoreContract("who left a conversation is shown nothing of it in turns and titles, until coming back") {
            store in
            try await store.furnishMentions(["m1"])
            let exchange = try await store.openExchange(of: "ada", in: "c", id: "x", at: .second(0)).id
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(0)))
            try await store.record(.of("t1", "what did bob say here", at: 1, in: exchange))
            try await store.record(.of("t2", "where is the crane?", from: [.of("c", "m1")], at: 2))
            try await store.record(.of("t3", "across", at: 3, in: "h"))
            func shown(at second: Int) async throws -> [String] {
                let turns = try await store.turns(of: "ada", limit: 9).reversed() as [Turn]
                return try await store.readable(turns, at: .second(second)).map(\.turn.question)
            }
            func titles(at second: Int) async throws -> Set<String> {
                let threads = try await store.threads(of: "ada", after: nil, limit: 9)
                return Set(try await store.shown(threads, at: .second(second)).map(\.title))
            }
            try demand(try await shown(at: 5), ["what did bob say here", "where is the crane?", "across"])
            try demand(try await titles(at: 5), ["what did bob say here", "across"])
            try await store.removeMember("ada", from: "c", at: .second(6))
            try demand(try await shown(at: 7), ["", "", "across"])
            try demand(try await titles(at: 7), ["", "across"])
            try await store.setMember(
                Member(userID: "ada", displayName: "Ada", joinedAt: .second(8)), in: "c", source: "api", at: .second(8))
            try demand(try await shown(at: 9), ["what did bob say here", "where is the crane?", "across"])
            try demand(try await titles(at: 9), ["what did bob say here", "across"])
        },
    ]

    /// Who may see answers of the assistant that are posted in conversations.
    static let audiences: [StoreContract] = [
        StoreContract("an answer may be based on what all who are there may see, and on no direct conversation") {
            store in
            try await store.furnishMentions(["m1"])
            _ = try await store.store(
                [
                    .of("both", ["ada", "bob", "eve"]), .of("one", ["ada"]), .of("dm", ["ada", "bob"], kind: .direct),
                    .of("open", [], visibility: .everyone), .of("hall", ["ada"], visibility: .everyone),
                ], source: "api", mode: .posting, at: .second(0))
            func audience(_ id: ConversationID, _ asker: UserID = "ada", at second: Int = 5) async throws -> [String] {
                try await store.audience(of: id, asker: asker, at: .second(second)).map(\.rawValue).sorted()
            }
            try demand(try await audience("c"), ["both", "c", "hall", "open"])
            try demand(try await audience("dm"), ["both", "c", "dm", "hall", "open"])
            try demand(try await audience("one"), ["both", "c", "hall", "one", "open"])
            try demand(try await audience("hall"), ["hall", "open"])
            try demand(try await audience("c", "eve"), [])
            try demand(try await audience("none"), [])
            try await store.removeMember("bob", from: "both", at: .second(6))
            try demand(try await audience("c", at: 7), ["c", "hall", "open"])
            try await store.removeMember("bob", from: "c", at: .second(8))
            try demand(try await audience("c", at: 9), ["both", "c", "hall", "one", "open"])
        },
        StoreContract("who is there is checked once more when an answer is posted") { store in
            try await store.furnishMentions(["m1", "m2"])
            _ = try await store.store([.of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("d", "1")])
            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(6)), in: "c", source: "api", at: .second(6))
            var answer = Message.short("c", "a1", by: "nexus", "At berth nine.", at: 20)
            answer.kind = .assistant
            func post() async throws -> MentionPosting {
                try await store.post(
                    answer, to: .of("c", "m1"), as: .answered, standingOn: [.of("d", "1")], isDelivered: false,
                    at: .second(20))
            }
            try demand(try await post(), .audienceChanged)
            try demand(try await store.stored([.of("c", "a1")]), [:])
            try await store.removeMember("eve", from: "c", at: .second(19))
            try demand(try await post(), .posted)
            // Its asker left.
            try await store.removeMember("bob", from: "c", at: .second(20))
            answer = Message.short("c", "a2", by: "nexus", "At berth nine.", at: 21)
            answer.kind = .assistant
            let writer = try await store.stored([.of("c", "m2")])[.of("c", "m2")]?.senderID
            if let writer { try await store.removeMember(writer, from: "c", at: .second(20)) }
            try demand(
                try await store.post(
                    answer, to: .of("c", "m2"), as: .answered, standingOn: [], isDelivered: false, at: .second(21)),
                .audienceChanged)
        },
        StoreContract("an answer is hidden from who may not see a source of it, wherever it is read") { store in
            try await store.furnishMentions(["m1", "m2"])
            _ = try await store.store([.of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("d", "1")])
            try demand(try await store.answer("m1", "a1", from: [.of("d", "1")]), true)
            // An answer that is based on an answer is based on its sources too.
            try demand(try await store.answer("m2", "a2", from: [.of("c", "a1")], at: 21), true)
            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(22)), in: "c", source: "api",
                at: .second(22))
            func read(_ user: UserID, at second: Int) async throws -> [[MessageID]] {
                let moment = Timestamp.second(second)
                let keys = ["m1", "m2", "a1", "a2"].map { MessageKey.of("c", MessageID(rawValue: $0)) }
                let scope = SearchScope(asker: user, conversations: .all)
                let numbers = try await store.indexedMessages(of: keys).map(\.number)
                return [
                    try await store.page(of: "c", asker: user, before: nil, limit: 2, at: moment),
                    try await store.page(of: "c", asker: user, after: "m1", limit: 3, at: moment),
                    try await store.messages(keys, in: scope, at: moment).values.sorted { $0.key < $1.key },
                    try await store.visible(numbers, passagesOf: nil, in: scope, at: moment).map(\.message)
                        .sorted { $0.key < $1.key },
                ].map { $0.map(\.key.messageID) }
            }
            let all: [[MessageID]] = [
                ["a2", "a1"], ["m2", "a1", "a2"], ["a1", "a2", "m1", "m2"], ["a1", "a2", "m1", "m2"],
            ]
            let rest: [[MessageID]] = [["m2", "m1"], ["m2"], ["m1", "m2"], ["m1", "m2"]]
            try demand(try await read("bob", at: 23), all)
            try demand(try await read("eve", at: 23), rest)
            // A turn that is based on it shows nothing of it, nor does a response that is kept.
            try await store.record(Turn.of("t1", "what was said", from: [.of("c", "a1")], at: 23))
            let turns = try await store.turns(of: "ada", limit: 1)
            try demand(try await store.readable(turns, at: .second(24)).map(\.withholding), [nil])
            try await store.removeMember("ada", from: "d", at: .second(25))
            try demand(try await read("ada", at: 26), rest)
            try demand(try await store.readable(turns, at: .second(26)).map(\.withholding), [.notPermitted])
            try demand(try await store.readable(turns, at: .second(26)).map(\.turn.sourceKeys), [[]])
            // A new answer does not get it.
            let history = try await store.answeredMentions(inThread: "m1", of: "c", within: ["c"], limit: 9)
            try demand(history.map(\.answer.key.messageID), [])
            try demand(
                try await store.answeredMentions(inThread: "m1", of: "c", within: ["c", "d"], limit: 9).count, 1)
        },
        StoreContract("an answer to what was edited while it was written is not posted") { store in
            try await store.furnishMentions(["m1"])
            try await store.post([.short("c", "s1")])
            _ = try await store.claimMention(until: .second(60), at: .second(10))
            _ = try await store.edit(.of("c", "s1"), text: "at another berth", at: .second(11))
            try demand(try await store.answer("m1", "a1", from: [.of("c", "s1")]), false)
            try await store.settle(.of("c", "m1"), as: .waiting, dueAt: .second(12))
            _ = try await store.claimMention(until: .second(60), at: .second(12))
            try demand(try await store.answer("m1", "a1", from: [.of("c", "s1")]), true)
        },
        StoreContract("an answer is withdrawn when the text of a source changes, and its receivers learn of that") {
            store in
            try await store.furnishMentions(["m1", "m2"])
            try await store.post([.short("c", "s1", "the crane at berth nine")])
            try demand(try await store.answer("m1", "a1", from: [.of("c", "s1")], isDelivered: true), true)
            try demand(try await store.answer("m2", "a2", from: [.of("c", "a1")], at: 21), true)
            guard let told = try await store.claimDelivery(until: .second(60), at: .second(22)) else {
                return try demand("nothing is due", "a delivery")
            }
            try await store.settle(told, retryAt: nil)
            // The question itself may be put otherwise.
            _ = try await store.edit(.of("c", "m2"), text: "@ai where now", at: .second(23))
            try demand(try await store.stored([.of("c", "a2")])[.of("c", "a2")]?.text, "At berth nine.")
            _ = try await store.edit(.of("c", "s1"), text: "at another berth", at: .second(24))
            for id in ["a1", "a2"] as [MessageID] {
                let answer = try await store.stored([.of("c", id)])[.of("c", id)]
                try demand(answer?.text, MentionWithdrawal.text)
                try demand(answer?.editedAt, .second(24))
                try demand(answer?.deletedAt, nil)
            }
            let again = try await store.claimDelivery(until: .second(90), at: .second(25))
            try demand(again?.answer.key, .of("c", "a1"))
            try demand(again?.answer.text, MentionWithdrawal.text)
        },
    ]

    /// Whether what was read is as it was.
    static let bases: [StoreContract] = [
        StoreContract("what was read is unchanged until a message of it changes, goes, or may not be seen") { store in
            func basis(of id: ConversationID, keys: Set<MessageKey> = []) async throws -> ReadBasis {
                let since = try await store.latestChange()
                return ReadBasis(
                    asker: "ada", keys: keys, extent: keys.isEmpty ? try await store.extent(of: id) : nil, since: since)
            }
            try demand(try await store.extent(of: "none") == nil, true)
            for (place, act) in ["edited", "deleted", "left", "later"].enumerated() {
                let id = ConversationID(rawValue: act)
                _ = try await store.store([.of(id, ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
                try await store.post([.short(id, "1"), .short(id, "2")])
                let whole = try await basis(of: id)
                let single = try await basis(of: id, keys: [.of(id, "1")])
                let other = try await basis(of: id, keys: [.of(id, "2")])
                for basis in [whole, single, other] {
                    try demand(try await store.isUnchanged(basis, at: .second(5)), true)
                }
                switch place {
                case 0: _ = try await store.edit(.of(id, "1"), text: "otherwise", at: .second(6))
                case 1: try await store.delete(.of(id, "1"), at: .second(6))
                case 2: try await store.removeMember("ada", from: id, at: .second(6))
                default:
                    try await store.post([.short(id, "3")])
                    _ = try await store.edit(.of(id, "3"), text: "otherwise", at: .second(6))
                }
                var found: [Bool] = []
                for basis in [whole, single, other] {
                    found.append(try await store.isUnchanged(basis, at: .second(7)))
                }
                try demand(
                    found,
                    [[false, false, true], [false, false, true], [false, false, false], [true, true, true]][place])
            }
        }
    ]
}
