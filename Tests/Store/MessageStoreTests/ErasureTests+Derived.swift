import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

// What was made of messages goes with them.
extension ErasureTests {
    /// An item of the erased user's message goes, one that somebody else's message gives to the user loses the name.
    @Test func itemsGoWithTheUser() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            func item(_ id: ItemID, _ messageID: MessageID, _ text: String) -> ExtractedItem {
                ExtractedItem(
                    id: id, kind: .actionItem, key: .of("c", messageID), sentAt: .second(0), text: text,
                    personName: "Name of bob", personID: "bob", quote: "will be at the pier", extractedAt: .second(5))
            }
            let lease = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l", until: .second(90), at: .second(5))
            var changes = ItemChanges()
            changes.added = [
                item("i1", "secret", "change the code of the strongbox"), item("i2", "other", "come early"),
            ]
            try await store.commit(
                changes, of: lease, through: try await store.latestChange(), until: .second(90), at: .second(6))
            #expect(try folder.holds("code of the strongbox"))

            let (_, proof) = try await erase(.user("bob"), in: store)

            #expect(proof.remains.isEmpty)
            for text in ["code of the strongbox", "Name of bob"] { #expect(try !folder.holds(text), "\(text)") }
            let scope = SearchScope(asker: "ada", conversations: .all)
            let left = try await store.items(of: .actionItem, in: scope, at: .second(60))
            #expect(left.map(\.id) == ["i2"])
            #expect(left.map(\.personName) == [nil] && left.map(\.personID) == [nil])

            _ = try await erase(.conversation("c"), in: store)
            #expect(try await store.inspect("SELECT COUNT(*) FROM items") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM extractions") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM removals") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM changes WHERE kind = 6") == ["0"])
        }
    }

    /// What stands on a whole conversation goes with the messages of the erased user, without being a source of it.
    @Test func turnsOnAWholeConversationGoWithTheUser() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            for (id, conversation) in [("w1", "c"), ("w2", "d")] {
                try await store.record(
                    Turn(
                        id: TurnID(rawValue: id), askerID: "ada", question: "what is \(id) about",
                        answer: "all of \(id) told", sourceKeys: [],
                        wholeConversationID: ConversationID(rawValue: conversation), askedAt: .second(4)))
            }

            let (counts, proof) = try await erase(.user("bob"), in: store)

            #expect(proof.remains.isEmpty)
            #expect(counts.redactedTurns == 2)
            #expect(try !folder.holds("what is w1 about") && !folder.holds("all of w1 told"))
            #expect(try folder.holds("all of w2 told"))
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    /// Threads go with their user and with the conversation whose assistant was asked; a title that is made of a
    /// question goes with the question.
    @Test func threadsGoWithTheUserAndTheConversation() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            for (user, secret) in [("ada", "the ladder of the pier"), ("bob", "the winch of the pier")] {
                let user = UserID(rawValue: user)
                let thread = AssistantThread(
                    id: ThreadID(rawValue: "own \(user)"), ownerID: user, givenTitle: "All about \(secret)",
                    createdAt: .second(5))
                try await store.create(thread)
                let exchange = try await store.openExchange(
                    of: user, in: "c", id: ThreadID(rawValue: "x \(user)"), at: .second(5))
                for (place, id) in [thread.id, exchange.id].enumerated() {
                    try await store.record(
                        Turn(
                            id: TurnID(rawValue: "\(user) \(place)"), askerID: user, question: "where is \(secret)",
                            answer: "behind shed \(place) of \(user)", sourceKeys: [], askedAt: .second(6), threadID: id
                        ))
                }
            }
            #expect(try folder.holds("All about the winch"))

            try await store.delete("own bob", of: "bob")
            try await store.create(AssistantThread(id: "own bob", ownerID: "bob", createdAt: .second(7)))
            #expect(try await store.inspect("SELECT owner_id FROM removals") == ["bob"])

            let (counts, proof) = try await erase(.user("bob"), in: store)

            #expect(counts.turns == 2)
            #expect(try await store.inspect("SELECT id FROM removals").isEmpty)
            #expect(proof.remains.isEmpty)
            for text in ["the winch of the pier", "behind shed 0 of bob"] {
                #expect(try !folder.holds(text), "\(text)")
            }
            #expect(try await store.inspect("SELECT id FROM threads ORDER BY id") == ["own ada", "x ada"])
            #expect(try await store.thread("x ada", of: "ada").title == "where is the ladder of the pier")

            let before = try await store.latestChange()
            let (second, rest) = try await erase(.conversation("c"), in: store)

            #expect(second.turns == 1)
            // Ada's list of threads reports the removal; the exchange belongs to nobody any more.
            #expect(try await store.threadChanges(of: "ada", after: before, limit: 9).removedIDs == ["x ada"])
            #expect(try await store.inspect("SELECT list FROM removals") == ["thread"])
            #expect(rest.remains.isEmpty)
            #expect(try await store.inspect("SELECT id FROM threads") == ["own ada"])
            #expect(try await store.turns(of: "ada", in: "own ada", before: nil, limit: 9).count == 1)
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    /// Summaries of conversations that the erased user is in go, also of parts that he did not write in.
    @Test func summariesGoWithTheUser() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            let scope = SearchScope(asker: "ada", conversations: .all)
            let keys: [MessageKey] = [.of("c", "secret"), .of("c", "other"), .of("d", "loved")]
            let messages = try await store.messages(keys, in: scope, at: .second(9))
            for (key, text) in zip(keys, ["the strongbox opens with it [1]", "somebody waits [1]", "a boat goes [1]"]) {
                let summary = SpanSummary.of([try #require(messages[key])], text, cited: [key.messageID])
                #expect(try await store.keep(summary, madeOf: [], asker: "ada", at: .second(10)))
            }
            #expect(try folder.holds("the strongbox opens"))

            let (_, proof) = try await erase(.user("bob"), in: store)

            #expect(proof.remains.isEmpty)
            for text in ["the strongbox opens", "somebody waits", "a boat goes"] {
                #expect(try !folder.holds(text), "\(text)")
            }
            #expect(try await store.inspect("SELECT COUNT(*) FROM summaries") == ["0"])
            let left = try #require(try await store.messages(keys, in: scope, at: .second(60))[.of("d", "loved")])
            let again = SpanSummary.of([left], "a boat goes again [1]", cited: ["loved"])
            #expect(try await store.keep(again, madeOf: [], asker: "ada", at: .second(61)))
            _ = try await erase(.conversation("d"), in: store)
            #expect(try await store.inspect("SELECT COUNT(*) FROM summaries") == ["0"])
            #expect(try !folder.holds("a boat goes again"))
        }
    }

    /// What the assistant was asked in conversations, and answered there, goes with who asked and with what it stands on.
    @Test func mentionsGoWithTheUserAndTheConversation() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            _ = try await store.beginMentions()
            let asked = [
                Message.short("c", "ask bob", by: "bob", "@ai where is the winch?", at: 2),
                .short("c", "ask ada", by: "ada", "@ai where is the capstan?", at: 2),
                .short("d", "ask ada", by: "ada", "@ai where is the buoy?", at: 2),
            ]
            _ = try await store.accept(asked, source: "api", mode: .posting, at: .second(3))
            try await store.queueMentions(asked.map(\.key), through: store.latestChange(), at: .second(3))
            for (question, source) in [
                (asked[0], MessageKey.of("d", "loved")), (asked[1], .of("c", "secret")), (asked[2], .of("d", "loved")),
            ] {
                let place = question.key.conversationID
                var answer = Message.short(
                    place, MessageID(rawValue: "a \(question.key.messageID) \(place)"), by: "nexus",
                    "Told of \(question.text.dropFirst(17))", at: 4)
                answer.kind = .assistant
                #expect(
                    try await store.post(
                        answer, to: question.key, as: .answered, standingOn: [source], isDelivered: true,
                        at: .second(4)) == .posted)
            }
            #expect(try folder.holds("Told of winch"))

            let (_, proof) = try await erase(.user("bob"), in: store)

            #expect(proof.remains.isEmpty)
            for text in ["where is the winch", "Told of winch", "Told of capstan"] {
                #expect(try !folder.holds(text), "\(text)")
            }
            #expect(try folder.holds("Told of buoy"))
            #expect(try await store.inspect("SELECT COUNT(*) FROM mentions") == ["2"])
            #expect(try await store.checkIntegrity().isSound)

            _ = try await erase(.conversation("d"), in: store)
            #expect(try !folder.holds("Told of buoy"))
            #expect(try await store.inspect("SELECT COUNT(*) FROM mentions") == ["1"])
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    /// A turn that came after one that stood on an erased message goes empty with it; traces lose the erased messages,
    /// and go where their filter names the erased user.
    @Test func whatFollowedFromAMessageGoesWithIt() async throws {
        try await DataFolder.with { folder, store in
            _ = try await fill(store)
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(5)))
            func turn(_ id: TurnID, _ key: MessageID, after history: [TurnID] = []) -> Turn {
                Turn(
                    id: id, askerID: "ada", question: "what of the \(id)", answer: "it is like the \(id)",
                    sourceKeys: [.of("c", key)], askedAt: .second(6), threadID: "h", historyIDs: history)
            }
            func trace(_ keys: [MessageID], senders: [UserID]? = nil) -> TurnTrace {
                TurnTrace(
                    senderIDs: senders, limit: 5, searchedQuestion: "what of the pulley", noAnswerReason: "none",
                    hits: keys.enumerated().map {
                        TurnTrace.Hit(key: .of("c", $1), rank: $0 + 1, score: 1, relevance: 1, signals: [])
                    })
            }
            try await store.record(turn("keel", "secret"), trace: trace(["secret"]))
            try await store.record(turn("bow", "other", after: ["keel"]), trace: trace(["other"]))
            try await store.record(turn("stern", "other"), trace: trace(["secret", "other"]))
            try await store.record(turn("mast", "other"), trace: trace(["other"], senders: ["bob"]))
            let feedback = TurnFeedback(rating: .down, reason: "the capstan is meant", givenAt: .second(7))
            _ = try await store.setFeedback(feedback, on: "bow", of: "ada")
            #expect(try await store.erasureCounts(of: .user("bob")).redactedTurns == 3)

            let (counts, proof) = try await erase(.user("bob"), in: store)

            #expect(counts.redactedTurns == 3)
            #expect(proof.remains.isEmpty)
            for text in ["what of the keel", "it is like the bow", "the capstan is meant"] {
                #expect(try !folder.holds(text), "\(text)")
            }
            let left = try await store.turns(of: "ada", in: "h", before: nil, limit: 9)
            #expect(left.map(\.question) == ["what of the mast", "what of the stern", "", ""])
            #expect(try await store.inspect("SELECT message_id FROM turn_hits ORDER BY turn") == ["other", "other"])
            #expect(try await store.trace(of: "stern", user: nil, at: .second(60))?.hits.map(\.rank) == [2])
            #expect(try await store.trace(of: "mast", user: nil, at: .second(60)) == nil)

            _ = try await erase(.conversation("c"), in: store)
            #expect(try await store.inspect("SELECT COUNT(*) FROM turn_hits") == ["0"])
            #expect(try await store.checkIntegrity().isSound)
        }
    }
}
