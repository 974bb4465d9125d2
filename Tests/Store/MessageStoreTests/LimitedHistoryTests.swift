import ChatCore
import MessageStore
import TestSupport
import Testing

/// With a limited history, no list, frame, notification, file or count of somebody who joined later holds what was
/// written before.
@Suite struct LimitedHistoryTests {
    /// A group with a thread, a mention and a file; Eve joined after `m1` and left again before `m4`.
    private func withTeam(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.history = .joined
            _ = try await store.create(roster, by: "ada", source: "api", at: .second(0))
            try await post(store, .short("c", "m1", "hush one", at: 10))
            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(15)), in: "c", source: "api",
                at: .second(15))
            try await post(store, reply(to: "m1", "m2", at: 20), .short("c", "m3", "@Eve seen", at: 30))
            try await store.removeMember("eve", from: "c", at: .second(35))
            try await post(store, reply(to: "m1", "m4", at: 40), .short("c", "m5", "hush five", at: 50))
            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(55)), in: "c", source: "api",
                at: .second(55))
            try await body(store)
        }
    }

    private func post(_ store: SQLStore, _ messages: Message...) async throws {
        let posted = try await store.post(messages, source: "api", at: messages[0].timestamp)
        #expect(posted.allSatisfy { $0.outcome == .inserted })
    }

    private func reply(to root: MessageID, _ id: MessageID, at second: Int) -> Message {
        var message = Message.short("c", id, "an answer", at: second)
        message.replyToID = root
        return message
    }

    @Test func theFeedTellsWhatTheReaderCouldRead() async throws {
        try await withTeam { store in
            let start = try await store.latestChange()
            for id in ["m1", "m2", "m3", "m4", "m5"] as [MessageID] {
                _ = try await store.react("👍", isSet: true, to: .of("c", id), by: "bob", at: .second(60))
            }
            try await store.delete(.of("c", "m5"), at: .second(61))

            let page = try await store.feed(of: "eve", in: FeedRange(after: start), limit: 100, at: .second(62))

            let told = page.changes.compactMap { change -> MessageID? in
                switch change {
                case .message(let message, _, _): message.key.messageID
                case .deletion(let key, _): key.messageID
                default: nil
                }
            }
            #expect(told == ["m2", "m3"])
            let all = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 100, at: .second(62))
            #expect(all.changes.count == 5)
        }
    }

    @Test func theListShowsAndCountsWhatTheReaderCouldRead() async throws {
        try await withTeam { store in
            let before = try await store.inboxEntry(of: "c", for: "eve", at: .second(60))
            try await post(store, .short("c", "m6", at: 70))
            let after = try await store.inboxEntry(of: "c", for: "eve", at: .second(71))

            #expect(before.lastMessage?.key.messageID == "m3")
            #expect(before.unreadCount == 0)
            #expect(after.lastMessage?.key.messageID == "m6")
            #expect(after.unreadCount == 1 && after.firstUnreadID == "m6")
            let found = try await store.inbox(of: "eve", matching: "hush", at: .second(72)).entries
            #expect(found.isEmpty)
        }
    }

    @Test func repliesAreCountedAndListedAsFarAsTheReaderCouldReadThem() async throws {
        try await withTeam { store in
            let key = MessageKey.of("c", "m1")
            for (reader, wanted) in [("ada", ["m2", "m4"]), ("eve", ["m2"])] as [(UserID, [MessageID])] {
                let replies = try await store.replies(to: key, for: reader, after: nil, limit: 9, at: .second(60))
                let summary = try await store.replySummaries(of: [key], for: reader, at: .second(60))[key]
                #expect(replies.map(\.key.messageID) == wanted)
                #expect(summary?.count == wanted.count)
            }
        }
    }

    @Test func aNotificationOfATimeBeforeIsNotShown() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m6", "@Eve later", at: 60))
            let before = try await store.notifications(of: "eve", limit: 9, at: .second(61))
            #expect(before.map(\.message.messageID) == ["m6"])
            // An import learns that Eve could not read that time.
            var roster = ConversationRoster.of("c", ["ada", "bob", "eve"])
            roster.conversation.history = .joined
            roster.rights = ReadingRights(own: ["eve": [ReadingSpan(since: .second(65))]])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(70))

            #expect(try await store.notifications(of: "eve", limit: 9, at: .second(71)).isEmpty)
        }
    }

    @Test func limitingAHistoryLeavesPresentMembersWhatTheyRead() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.create(.of("c", ["ada", "bob"]), by: "ada", source: "api", at: .second(0))
            try await post(store, .short("c", "m1", at: 10))
            try await store.setHistory(.joined, of: "c", at: .second(20))
            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(25)), in: "c", source: "api",
                at: .second(25))
            try await post(store, .short("c", "m2", at: 30))
            let read = { (user: UserID) in
                try await store.page(of: "c", asker: user, before: nil, limit: 9, at: .second(60)).map(\.key.messageID)
            }

            #expect(try await read("bob") == ["m2", "m1"])
            #expect(try await read("eve") == ["m2"])
            try await store.setHistory(.all, of: "c", at: .second(40))
            #expect(try await read("eve") == ["m2", "m1"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM reading_spans") == ["0"])
        }
    }

    @Test func whoComesBackDoesNotReadTheAbsence() async throws {
        try await withTeam { store in
            let read = { () async throws -> [MessageID] in
                try await store.page(of: "c", asker: "eve", before: nil, limit: 9, at: .second(200)).map(
                    \.key.messageID)
            }
            try await store.removeMember("eve", from: "c", at: .second(60))
            try await post(store, .short("c", "m6", at: 70))
            // With the date of the first joining, as an application may have it.
            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(15)), in: "c", source: "api",
                at: .second(80))
            try await post(store, .short("c", "m7", at: 90))

            #expect(try await read() == ["m7", "m3", "m2"])
            await #expect(throws: RepositoryError.noSuchMessage(.of("c", "m1"))) {
                _ = try await store.page(of: "c", asker: "eve", after: "m1", limit: 9, at: .second(200))
            }
        }
    }

    /// A list of members without dates does not tell that somebody was there from the beginning.
    @Test func whoAnImportAddsReadsFromThenOn() async throws {
        try await withTeam { store in
            _ = try await store.store(
                [.of("c", ["ada", "bob", "zoe"])], source: "slack", mode: .importing, at: .second(60))
            try await post(store, .short("c", "m6", at: 70))

            let found = try await store.page(of: "c", asker: "zoe", before: nil, limit: 9, at: .second(80))
            #expect(found.map(\.key.messageID) == ["m6"])
        }
    }

    @Test func anErasedPersonOrConversationLeavesNoTimes() async throws {
        try await withTeam { store in
            _ = try await store.erase(.user("eve"), at: .second(60))
            #expect(try await store.inspect("SELECT COUNT(*) FROM reading_spans WHERE user_id = 'eve'") == ["0"])
            _ = try await store.erase(.conversation("c"), at: .second(61))
            #expect(try await store.inspect("SELECT COUNT(*) FROM reading_spans") == ["0"])
            while try await !store.finishErasing(.conversation("c"), at: .second(1_000)) {}
            #expect(try await store.inspect("SELECT COUNT(*) FROM conversations") == ["0"])
        }
    }

    @Test func aReaderOfSomeTimesIsToldNoIDOfAnErasedMessage() async throws {
        try await withTeam { store in
            try await store.setHistory(.all, of: "c", at: .second(58))
            try await store.setHistory(.joined, of: "c", at: .second(59))
            try await store.setMember(
                Member(userID: "zoe", displayName: "Zoe", joinedAt: .second(60)), in: "c", source: "api",
                at: .second(60))
            let start = try await store.latestChange()
            _ = try await store.erase(.user("ada"), at: .second(62))
            while try await !store.finishErasing(.user("ada"), at: .second(1_000)) {}

            let page = try await store.feed(of: "zoe", in: FeedRange(after: start), limit: 100, at: .second(63))

            // The client drops what it has and loads what is left.
            #expect(page.limited == ["c"])
            #expect(!page.changes.contains { if case .deletion = $0 { true } else { false } })
            let whole = try await store.feed(of: "bob", in: FeedRange(after: start), limit: 100, at: .second(63))
            #expect(whole.limited.isEmpty)
            #expect(whole.changes.count { if case .deletion = $0 { true } else { false } } > 1)
        }
    }

    @Test func presentMembersKeepTheirAnswersWhenAHistoryBeginsToBeLimited() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.create(.of("c", ["ada", "bob"]), by: "ada", source: "api", at: .second(0))
            try await post(store, .short("c", "m1", at: 10))
            var turn = Turn(
                id: "t1", askerID: "ada", question: "what was said", answer: "hello", sourceKeys: [],
                askedAt: .second(12))
            turn.wholeConversationID = "c"
            try await store.record(turn)
            try await store.setHistory(.joined, of: "c", at: .second(20))
            #expect(try await store.turn("t1", of: "ada").answer == "hello")
        }
    }

    @Test(arguments: ["m5", "none"] as [MessageID])
    func theIDOfAHiddenMessageIsAsUnknownAsOneThatNobodyGave(id: MessageID) async throws {
        try await withTeam { store in
            let unknown = RepositoryError.noSuchMessage(.of("c", id))
            await #expect(throws: unknown) {
                _ = try await store.markRead([id], in: "c", by: "eve", at: .second(60))
            }
            await #expect(throws: unknown) {
                _ = try await store.markUnread(from: id, in: "c", by: "eve", at: .second(60))
            }
            await #expect(throws: unknown) {
                _ = try await store.replies(
                    to: .of("c", id), for: "eve", after: nil, limit: 9, at: .second(60))
            }
            await #expect(throws: unknown) {
                _ = try await store.replies(
                    to: .of("c", "m1"), for: "eve", after: id, limit: 9, at: .second(60))
            }
            let (receipt, _) = try await store.markRead([id, "m3"], in: "c", by: "eve", at: .second(60))
            #expect(receipt.userID == "eve")
        }
    }
}
