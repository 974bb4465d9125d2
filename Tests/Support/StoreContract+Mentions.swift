import ChatCore

extension StoreContract {
    /// Of `MentionRepository`.
    package static let mentions: [StoreContract] = mentionSearch + mentionClaims + mentionAnswers + mentionDeliveries

    private static let mentionSearch: [StoreContract] = [
        StoreContract("messages are looked through from the first start on, and on from where that ended") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "old", "@ai before", at: 1)])
            let start = try await store.beginMentions()
            try demand(start, try await store.latestChange())
            try await store.post([.short("c", "m1", "@ai where", at: 2)])
            try demand(try await store.beginMentions(), start)
            let found = try await store.messagesBeginningWithAt(after: start, limit: 9, since: .second(0))
            try demand(found.messages.map(\.key.messageID), ["m1"])
            try demand(found.through, try await store.latestChange())
            try await store.queueMentions([], through: found.through, at: .second(3))
            try demand(try await store.beginMentions(), found.through)
            // Another process that is behind does not set it back.
            try await store.queueMentions([], through: start, at: .second(3))
            try demand(try await store.beginMentions(), found.through)
            let rest = try await store.messagesBeginningWithAt(after: found.through, limit: 9, since: .second(0))
            try demand(rest.messages, [])
            try demand(rest.through, found.through)
        },
        StoreContract("what people write at the beginning of a message is found, a part of the changes at a time") {
            store in
            _ = try await store.furnish()
            let start = try await store.beginMentions()
            var machine = Message.short("c", "m4", "@ai from a program", at: 5)
            machine.kind = .bot
            try await store.post([
                .short("c", "m1", " \n@ai one", at: 5), .short("c", "m2", "not @ai", at: 5),
                .short("c", "m3", "@ai too old", at: 1), machine, .short("c", "m5", "@ai gone", at: 5),
                .short("c", "m6", "nothing yet", at: 5), .short("c", "m7", "@anybody", at: 5),
            ])
            try await store.delete(.of("c", "m5"), at: .second(6))
            _ = try await store.edit(.of("c", "m6"), text: "@ai now", at: .second(7))
            _ = try await store.edit(.of("c", "m1"), text: "@ai one, please", at: .second(7))
            var found: [[MessageID]] = []
            var place = start
            while place != (try await store.latestChange()) {
                let part = try await store.messagesBeginningWithAt(after: place, limit: 6, since: .second(2))
                found.append(part.messages.map(\.key.messageID))
                place = part.through
            }
            try demand(found, [["m1", "m6"], ["m1", "m6", "m7"]])
        },
    ]

    private static let mentionClaims: [StoreContract] = [
        StoreContract("a mention is claimed by one, the longest due first, and again when its lease ends") { store in
            try await store.furnishMentions(["m1", "m2"])
            let first = try await store.claimMention(until: .second(60), at: .second(10))
            try demand(first?.message.key.messageID, "m1")
            try demand(first?.attempts, 1)
            try demand(try await store.claimMention(until: .second(61), at: .second(10))?.message.key.messageID, "m2")
            try demand(try await store.claimMention(until: .second(62), at: .second(59)) == nil, true)
            let again = try await store.claimMention(until: .second(120), at: .second(60))
            try demand(again?.message.key.messageID, "m1")
            try demand(again?.attempts, 2)
            // A process that begins takes over what another one had claimed.
            _ = try await store.beginMentions()
            let taken = try await store.claimMention(until: .second(200), at: .second(61))
            try demand(taken?.message.key.messageID, "m1")
            try demand(taken?.attempts, 3)
            // A claim that was replaced has no effect any more, one that was not has.
            try await store.settle(.of("c", "m1"), attempt: 2, as: .dropped, dueAt: nil)
            let late = try await store.post(
                Message.short("c", "a1", at: 62), to: .of("c", "m1"), attempt: 2, as: .answered, standingOn: [],
                isDelivered: false, at: .second(62))
            try demand(late, .outdated)
            let posted = try await store.post(
                Message.short("c", "a1", at: 62), to: .of("c", "m1"), attempt: 3, as: .answered, standingOn: [],
                isDelivered: false, at: .second(62))
            try demand(posted, .posted)
        },
        StoreContract("a mention that is noted again is not due again, and one not due yet is not claimed") { store in
            try await store.furnishMentions(["m1"], at: 10)
            try demand(try await store.claimMention(until: .second(60), at: .second(9)) == nil, true)
            _ = try await store.claimMention(until: .second(60), at: .second(10))
            try await store.settle(.of("c", "m1"), as: .limited, dueAt: nil)
            let number = try await store.latestChange()
            try await store.queueMentions([.of("c", "m1"), .of("c", "none")], through: number, at: .second(11))
            try demand(try await store.claimMention(until: .second(99), at: .second(90)) == nil, true)
            // What was settled stays so.
            try await store.settle(.of("c", "m1"), as: .waiting, dueAt: .second(11))
            _ = try await store.beginMentions()
            try demand(try await store.claimMention(until: .second(99), at: .second(90)) == nil, true)
        },
        StoreContract("a mention waits until it is tried again") { store in
            try await store.furnishMentions(["m1"])
            _ = try await store.claimMention(until: .second(60), at: .second(10))
            try await store.settle(.of("c", "m1"), as: .waiting, dueAt: .second(30))
            try demand(try await store.nextMentionDue(), .second(30))
            try demand(try await store.claimMention(until: .second(99), at: .second(29)) == nil, true)
            try demand(try await store.claimMention(until: .second(99), at: .second(30))?.attempts, 2)
            // A claim is a lease: it is due again when that ends.
            try demand(try await store.nextMentionDue(), .second(99))
            try await store.settle(.of("c", "m1"), as: .dropped, dueAt: nil)
            try demand(try await store.nextMentionDue(), nil)
        },
        StoreContract("a claim that was given back is due again, one that was settled is not") { store in
            try await store.furnishMentions(["m1", "m2", "m3"])
            for second in [60, 61, 62] { _ = try await store.claimMention(until: .second(second), at: .second(10)) }
            try await store.settle(.of("c", "m2"), as: .dropped, dueAt: nil)
            for second in [60, 61, 63] {
                try await store.giveBackMention(claimedUntil: .second(second), at: .second(11))
            }
            let again = try await store.claimMention(until: .second(70), at: .second(11))
            try demand(again?.message.key.messageID, "m1")
            try demand(again?.attempts, 2)
            try demand(try await store.claimMention(until: .second(70), at: .second(61)) == nil, true)
            try demand(try await store.nextMentionDue(), .second(62))
        },
        StoreContract("a mention that is deleted is dropped") { store in
            try await store.furnishMentions(["m1", "m2"])
            try await store.delete(.of("c", "m1"), at: .second(9))
            try demand(try await store.claimMention(until: .second(60), at: .second(10))?.message.key.messageID, "m2")
            try demand(try await store.answer("m1", "a1"), false)
            // One that was deleted before it was noted is none.
            try await store.queueMentions([.of("c", "m1")], through: store.latestChange(), at: .second(9))
            try demand(try await store.claimMention(until: .second(60), at: .second(10)) == nil, true)
        },
    ]

    private static let mentionAnswers: [StoreContract] = [
        StoreContract("a mention is answered once") { store in
            try await store.furnishMentions(["m1", "m2"])
            let start = try await store.latestChange()
            try demand(try await store.answer("m1", "a1"), true)
            try demand(try await store.answer("m1", "a2"), false)
            // The answer's id is taken.
            try demand(try await store.answer("m2", "a1"), false)
            try demand(try await store.subjects(after: start), [.message("a1")])
            let page = try await store.page(of: "c", asker: "bob", before: nil, limit: 9, at: .second(30))
            try demand(page.filter { $0.kind == .assistant }.map(\.key.messageID), ["a1"])
            try demand(try await store.claimMention(until: .second(60), at: .second(30))?.message.key.messageID, "m2")
            try demand(try await store.claimMention(until: .second(60), at: .second(30)) == nil, true)
            try demand(try await store.answerCount(in: "c", since: .second(20)), 0)
            try demand(try await store.answerCount(in: "c", since: .second(19)), 1)
            try demand(try await store.answerCount(in: "none", since: .second(0)), 0)
        },
        StoreContract("an answer is not posted that stands on what has gone, or is not there") { store in
            try await store.furnishMentions(["m1"])
            try await store.post([.short("c", "s1"), .short("c", "s2")])
            try await store.delete(.of("c", "s1"), at: .second(9))
            try demand(try await store.answer("m1", "a1", from: [.of("c", "s1")]), false)
            try demand(try await store.answer("m1", "a1", from: [.of("c", "none")]), false)
            try demand(try await store.answer("m1", "a1", from: [.of("c", "s2"), .of("c", "s2")]), true)
        },
        StoreContract("an answer goes with its question, and with each message that it stands on") { store in
            for gone in ["m1", "s1", "s2"] as [MessageID] {
                let place = ConversationID(rawValue: "c-\(gone)")
                try await store.furnishMentions(["m1"], in: place)
                try await store.post([.short(place, "s1"), .short(place, "s2")])
                try demand(
                    try await store.answer("m1", "a1", in: place, from: [.of(place, "s1"), .of(place, "s2")]), true)
                let asked = Turn.of(
                    TurnID(rawValue: "t-\(gone)"), "what was said", from: [.of(place, "a1")], at: 21)
                try await store.record(asked)
                try await store.delete(.of(place, gone), at: .second(25))
                let found = try await store.stored([.of(place, "a1")])
                try demand(found[.of(place, "a1")]?.deletedAt, .second(25))
                try demand(found[.of(place, "a1")]?.text, "")
                try demand(try await store.turns(of: "ada", limit: 1).map(\.question), [""])
                try demand(try await store.answer("m1", "a1", in: place), false)
                let history = try await store.answeredMentions(
                    inThread: "m1", of: place, within: [place], limit: 9)
                try demand(history.map(\.answer.key), [])
            }
        },
        StoreContract("a thread's questions and answers are told in order, without what only says that there is none") {
            store in
            try await store.furnishMentions(["m1"])
            try await store.post(
                ["m2", "m3", "m4"].map { id in
                    var message = Message.short("c", MessageID(rawValue: id), "@ai and then", at: 3)
                    message.threadRootID = "m1"
                    return message
                })
            try await store.post([.short("c", "m5", "@ai elsewhere", at: 3)])
            try await store.queueMentions(
                ["m2", "m3", "m4", "m5"].map { .of("c", $0) }, through: store.latestChange(), at: .second(4))
            for (place, id) in (["m3", "m1", "m2", "m5"] as [MessageID]).enumerated() {
                let answer = MessageID(rawValue: "a-\(id)")
                try demand(try await store.answer(id, answer, at: 20 + place), true)
            }
            try demand(try await store.answer("m4", "a-m4", as: .failed, at: 24), true)
            func told(_ limit: Int) async throws -> [[MessageID]] {
                try await store.answeredMentions(inThread: "m1", of: "c", within: ["c"], limit: limit)
                    .map { [$0.question.key.messageID, $0.answer.key.messageID] }
            }
            try demand(try await told(9), [["m3", "a-m3"], ["m1", "a-m1"], ["m2", "a-m2"]])
            try demand(try await told(2), [["m1", "a-m1"], ["m2", "a-m2"]])
            // It counts among what was posted.
            try demand(try await store.answerCount(in: "c", since: .second(23)), 1)
            try demand(try await store.claimMention(until: .second(60), at: .second(50)) == nil, true)
        },
    ]

    private static let mentionDeliveries: [StoreContract] = [
        StoreContract("an answer is delivered to another system until the system confirms it") { store in
            try await store.furnishMentions(["m1", "m2"])
            try demand(try await store.claimDelivery(until: .second(60), at: .second(50)) == nil, true)
            try demand(try await store.answer("m1", "a1", isDelivered: true), true)
            try demand(try await store.answer("m2", "a2"), true)
            try demand(try await store.claimDelivery(until: .second(60), at: .second(19)) == nil, true)
            let first = try await store.claimDelivery(until: .second(60), at: .second(20))
            try demand(first?.answer.key, .of("c", "a1"))
            try demand(first?.attempts, 1)
            try demand(try await store.claimDelivery(until: .second(99), at: .second(59)) == nil, true)
            guard let again = try await store.claimDelivery(until: .second(99), at: .second(60)) else {
                return try demand("nothing is due", "a delivery")
            }
            try demand(again.attempts, 2)
            try await store.settle(again, retryAt: .second(70))
            try demand(try await store.claimDelivery(until: .second(99), at: .second(69)) == nil, true)
            _ = try await store.claimDelivery(until: .second(99), at: .second(70))
            _ = try await store.beginMentions()
            guard let last = try await store.claimDelivery(until: .second(99), at: .second(71)) else {
                return try demand("nothing is due", "a delivery")
            }
            try demand(last.attempts, 4)
            try await store.settle(last, retryAt: nil)
            _ = try await store.beginMentions()
            try demand(try await store.claimDelivery(until: .second(300), at: .second(200)) == nil, true)
        },
        StoreContract("a system that received an answer learns of its removal, also during the delivery") { store in
            try await store.furnishMentions(["m1"])
            try demand(try await store.answer("m1", "a1", isDelivered: true), true)
            guard let first = try await store.claimDelivery(until: .second(60), at: .second(20)) else {
                return try demand("nothing is due", "a delivery")
            }
            try await store.delete(.of("c", "m1"), at: .second(21))
            try await store.settle(first, retryAt: nil)
            guard let gone = try await store.claimDelivery(until: .second(90), at: .second(22)) else {
                return try demand("nothing is due", "a delivery")
            }
            try demand(gone.answer.deletedAt, .second(21))
            try demand(gone.answer.text, "")
            try demand(gone.attempts, 1)
            try await store.settle(gone, retryAt: nil)
            try demand(try await store.claimDelivery(until: .second(99), at: .second(95)) == nil, true)
        },
    ]
}

extension Store {
    /// Makes a conversation of Ada and Bob in which messages ask the assistant, due from a moment on.
    func furnishMentions(
        _ ids: [MessageID], in place: ConversationID = "c", at second: Int = 5
    ) async throws {
        _ = try await store([.of(place, ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        _ = try await beginMentions()
        try await post(ids.map { .short(place, $0, "@ai where is the crane?", at: 2) })
        try await queueMentions(ids.map { .of(place, $0) }, through: latestChange(), at: .second(second))
    }

    func answer(
        _ question: MessageID, _ id: MessageID, in place: ConversationID = "c", as state: Mention.State = .answered,
        from sources: [MessageKey] = [], isDelivered: Bool = false, at second: Int = 20
    ) async throws -> Bool {
        var message = Message.short(place, id, by: "nexus", "At berth nine.", at: second)
        message.kind = .assistant
        return try await post(
            message, to: .of(place, question), as: state, standingOn: sources, isDelivered: isDelivered,
            at: .second(second)) == .posted
    }
}
