import ChatCore
import MessageStore
import TestSupport
import Testing

@Suite struct NotificationTests {
    private typealias Kind = PersonalNotification.Kind

    private func withTeam(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob", "eve"]), .of("d", ["ada", "bob"], kind: .direct, name: nil)], source: "api",
                mode: .posting, at: .second(0))
            try await body(store)
        }
    }

    private func post(_ store: SQLStore, _ messages: Message..., at second: Int = 1) async throws {
        let outcomes = try await store.accept(messages, source: "api", mode: .posting, at: .second(second))
        #expect(outcomes.allSatisfy { $0 == .inserted }, "\(outcomes)")
    }

    private func reply(
        _ id: MessageID, to other: MessageID, root: MessageID? = nil, by sender: UserID, in place: ConversationID = "c"
    ) -> Message {
        var message = Message.short(place, id, by: sender)
        message.replyToID = other
        message.threadRootID = root
        return message
    }

    /// The notifications of a person, newest first.
    private func told(_ user: UserID, _ store: SQLStore) async throws -> [String] {
        try await store.notifications(of: user, limit: 100, at: .second(99))
            .map { "\($0.kind) \($0.message.messageID)" }
    }

    private func set(
        _ level: NotificationLevel?, isMuted: Bool = false, of id: ConversationID = "c", for user: UserID,
        _ store: SQLStore
    ) async throws {
        try await store.setPreferences(
            ConversationPreferences(isMuted: isMuted, notifications: level), of: id, for: user, at: .second(1))
    }

    @Test func peopleAreToldOfDirectMessagesMentionsAndReplies() async throws {
        try await withTeam { store in
            try await post(store, .short("d", "d1"))
            try await post(store, .short("c", "m1"), .short("c", "m2", by: "bob", "hi @eve and @Name of bob"))
            try await post(store, reply("m3", to: "m1", by: "bob"), reply("m4", to: "m3", by: "eve"))

            #expect(try await told("bob", store) == ["reply m4", "direct d1"])
            // Ada began the chain of replies.
            #expect(try await told("ada", store) == ["reply m4", "reply m3"])
            #expect(try await told("eve", store) == ["mention m2"])
            let first = try #require(try await store.notifications(of: "bob", limit: 9, at: .second(9)).last)
            #expect(first.message == .of("d", "d1") && first.seq == 1 && first.senderID == "ada")
            #expect(first.senderName == "Name of ada" && first.text == "hello" && first.createdAt == .second(1))
            #expect(try await store.notifications(of: "mallory", limit: 9, at: .second(9)).isEmpty)
        }
    }

    @Test func theStrongestReasonCountsOnce() async throws {
        try await withTeam { store in
            try await set(.all, for: "eve", store)
            try await post(store, .short("c", "m1", by: "eve"), .short("c", "m2"))
            var both = reply("m3", to: "m1", root: "m1", by: "ada")
            both.text = "@eve yes"
            try await post(store, both, .short("d", "d1", "@bob"))

            #expect(try await told("eve", store) == ["mention m3", "message m2"])
            #expect(try await told("bob", store) == ["direct d1"])
        }
    }

    @Test func aRootIsFoundThroughTheThreadAndDeletedMessagesHaveNoAuthor() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"), .short("c", "m2", by: "eve"))
            try await store.delete(.of("c", "m2"), at: .second(2))
            try await post(store, reply("m3", to: "m2", root: "m1", by: "bob"))
            try await post(store, reply("m4", to: "unknown", by: "bob"), reply("m5", to: "m5", by: "bob"))

            #expect(try await told("ada", store) == ["reply m3"])
            #expect(try await told("eve", store) == [])
        }
    }

    @Test func aPersonChoosesWhatToBeToldOf() async throws {
        try await withTeam { store in
            try await set(nil, isMuted: true, for: "bob", store)
            try await set(.nothing, for: "eve", store)
            try await set(.mentions, of: "d", for: "bob", store)
            try await post(store, .short("c", "m1", "@bob @eve"), .short("d", "d1"), .short("d", "d2", "@bob"))
            #expect(try await told("bob", store) == ["mention d2"])
            #expect(try await told("eve", store) == [])

            try await set(.all, for: "eve", store)
            try await post(store, .short("c", "m2"), .short("c", "own", by: "eve"))
            #expect(try await told("eve", store) == ["message m2"])
        }
    }

    @Test func aLargeConversationTellsNobodyOfEverything() async throws {
        try await DataFolder.with { _, store in
            let crowd = (0..<499).map { UserID(rawValue: "user\($0)") }
            _ = try await store.store(
                [.of("c", ["ada"] + crowd)], source: "api", mode: .posting, at: .second(0))
            try await set(.all, for: "user1", store)
            try await post(store, .short("c", "m1"))
            try await store.setMember(
                Member(userID: "late", displayName: "Late", joinedAt: .second(2)), in: "c", source: "api",
                at: .second(2))
            try await post(store, .short("c", "m2"), .short("c", "m3", "@user1"))

            #expect(try await told("user1", store) == ["mention m3", "message m1"])
        }
    }

    @Test func historyAndTheSystemTellNobody() async throws {
        try await withTeam { store in
            _ = try await store.accept(
                [.short("d", "old", "@bob", at: -50)], source: "slack", mode: .importing, at: .second(2))
            var joined = Message.short("d", "s1", "@bob joined")
            joined.kind = .system
            try await post(store, joined)
            _ = try await store.edit(.of("d", "old"), text: "@bob again", at: .second(3))
            #expect(try await told("bob", store) == [])
        }
    }

    @Test func anEditAddsAndRemovesMentionsAndChangesTheText() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1", "@bob"), .short("c", "m2"))
            _ = try await store.edit(.of("c", "m1"), text: "@eve", at: .second(2))
            #expect(try await told("bob", store) == [])
            #expect(try await told("eve", store) == ["mention m1"])
            _ = try await store.edit(.of("c", "m1"), text: "@eve, please", at: .second(3))
            #expect(try await store.notifications(of: "eve", limit: 9, at: .second(9)).map(\.text) == ["@eve, please"])

            // What was dismissed does not come back, and what was read is not new.
            try await store.dismissAllNotifications(of: "eve", at: .second(4))
            _ = try await store.edit(.of("c", "m1"), text: "@eve?", at: .second(5))
            _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(5))
            _ = try await store.edit(.of("c", "m2"), text: "@bob", at: .second(6))
            #expect(try await told("eve", store) == [])
            #expect(try await told("bob", store) == [])

            // Eve is notified of everything now, so she keeps the notification of a message that mentions nobody.
            try await set(.all, for: "eve", store)
            try await post(store, .short("c", "m3", "@eve"))
            _ = try await store.edit(.of("c", "m3"), text: "nobody", at: .second(7))
            #expect(try await told("eve", store) == ["message m3"])
            let weak = try #require(try await store.notifications(of: "eve", limit: 9, at: .second(9)).first)
            _ = try await store.edit(.of("c", "m3"), text: "@eve", at: .second(8))
            let strong = try #require(try await store.notifications(of: "eve", limit: 9, at: .second(9)).first)
            #expect(strong.kind == Kind.mention && strong.number > weak.number)
        }
    }

    @Test func whatIsReadDismissedOrDeletedGoes() async throws {
        try await withTeam { store in
            for number in 1...5 { try await post(store, .short("d", MessageID(rawValue: "d\(number)"))) }
            _ = try await store.markRead(["d2"], in: "d", by: "bob", at: .second(2))
            #expect(try await told("bob", store) == ["direct d5", "direct d4", "direct d3"])
            let numbers = try await store.notifications(of: "bob", limit: 9, at: .second(3)).map(\.number)

            try await store.dismiss([numbers[2]], of: "ada", at: .second(3))
            #expect(try await told("bob", store).count == 3)
            try await store.dismiss([numbers[2], 999_999], of: "bob", at: .second(3))
            #expect(try await told("bob", store) == ["direct d5", "direct d4"])
            try await store.delete(.of("d", "d5"), at: .second(4))
            #expect(try await told("bob", store) == ["direct d4"])
            try await store.removeMember("bob", from: "d", at: .second(5))
            #expect(try await store.inspect("SELECT COUNT(*) FROM notifications") == ["0"])
        }
    }

    @Test func pushReadsThemInTheirOrder() async throws {
        try await withTeam { store in
            try await post(store, .short("d", "d1"), .short("c", "m1", "@eve @bob"), .short("d", "d2", by: "bob"))
            let (first, last) = try await store.notifications(after: 0, limit: 2, at: .second(2))
            let (rest, end) = try await store.notifications(after: last, limit: 9, at: .second(2))
            let (none, same) = try await store.notifications(after: end, limit: 9, at: .second(2))

            let people = (first + rest).map { "\($0.userID) \($0.message.messageID)" }
            #expect(people == ["bob d1", "bob m1", "eve m1", "ada d2"])
            #expect((first + rest).map(\.number) == (first + rest).map(\.number).sorted())
            #expect(none.isEmpty && same == end)
        }
    }

    @Test func aTaskIsToldToWhomItIsGiven() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1", "someone fixes the crane"), .short("c", "m2", by: "eve", "I paint"))
            func item(_ id: ItemID, _ message: MessageID, _ text: String, for user: UserID?) -> ExtractedItem {
                ExtractedItem(
                    id: id, kind: .actionItem, key: .of("c", message), sentAt: .second(0), text: text,
                    personName: user.map { "Name of \($0)" }, personID: user, quote: "", extractedAt: .second(2))
            }
            let lease = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l", until: .second(90), at: .second(2))
            var changes = ItemChanges()
            changes.added = [item("i1", "m1", "fix the crane", for: "bob"), item("i2", "m2", "paint", for: "eve")]
            try await store.commit(
                changes, of: lease, through: try await store.latestChange(), until: .second(90), at: .second(3))

            let given = try await store.notifications(of: "bob", limit: 9, at: .second(4))
            #expect(given.map(\.kind) == [.item] && given.map(\.text) == ["fix the crane"])
            // Eve took it on herself.
            #expect(try await told("eve", store) == [])
            _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(4))
            #expect(try await told("bob", store) == ["item m1"])

            let scope = SearchScope(asker: "ada", conversations: .all)
            _ = try await store.edit(
                "i1", ItemEdit(text: "fix both cranes"), kind: .actionItem, in: scope, at: .second(5))
            #expect(
                try await store.notifications(of: "bob", limit: 9, at: .second(6)).map(\.text) == ["fix both cranes"])
            _ = try await store.edit("i1", ItemEdit(personID: "eve"), kind: .actionItem, in: scope, at: .second(6))
            #expect(try await told("bob", store) == [])
            #expect(try await told("eve", store) == ["item m1"])
            _ = try await store.edit("i1", ItemEdit(personID: "ada"), kind: .actionItem, in: scope, at: .second(7))
            #expect(try await told("eve", store) == [])
            #expect(try await told("ada", store) == [])
            _ = try await store.edit("i1", ItemEdit(personID: "bob"), kind: .actionItem, in: scope, at: .second(8))
            _ = try await store.edit("i1", ItemEdit(status: .done), kind: .actionItem, in: scope, at: .second(9))
            #expect(try await told("bob", store) == [])
        }
    }

    @Test func anAnswerOfTheAssistantIsToldToItsAsker() async throws {
        try await withTeam { store in
            let start = try await store.beginMentions()
            try await post(store, .short("c", "q", by: "bob", "@ai when?"))
            try await store.queueMentions([.of("c", "q")], through: start, at: .second(2))
            _ = try #require(try await store.claimMention(until: .second(60), at: .second(3)))
            let answer = Message(
                key: .of("c", "a"), senderID: "nexus", senderName: "Nexus", text: "On Friday.", kind: .assistant,
                timestamp: .second(4), replyToID: "q", threadRootID: "q")
            let posting = try await store.post(
                answer, to: .of("c", "q"), as: .answered, standingOn: [], isDelivered: false, at: .second(4))

            #expect(posting == .posted)
            #expect(try await told("bob", store) == ["answer a"])
            #expect(try await told("ada", store) == [])
        }
    }

    @Test func anErasureLeavesNothing() async throws {
        try await withTeam { store in
            try await post(store, .short("d", "d1"), .short("d", "d2", by: "bob"), .short("c", "m1", "@eve"))
            try await store.setPersonalSettings(
                PersonalSettings(hidesLastSeen: true), of: "bob", at: .second(2))
            for subject in [ErasureSubject.user("bob"), .conversation("c")] {
                _ = try await store.erase(subject, at: .second(3))
                while try await !store.finishErasing(subject, at: .second(1_000)) {}
            }

            #expect(try await store.inspect("SELECT COUNT(*) FROM notifications") == ["0"])
            for table in ["notification_marks", "personal_settings"] {
                #expect(
                    try await store.inspect("SELECT COUNT(*) FROM \(table) WHERE user_id = 'bob'") == ["0"], "\(table)")
            }
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    @Test func onlyThePersonsOwnFeedHasThem() async throws {
        try await withTeam { store in
            let start = try await store.latestChange()
            try await post(store, .short("c", "m1", "@bob"))
            func page(_ user: UserID, after cursor: ChangeCursor) async throws -> FeedPage {
                try await store.feed(of: user, in: FeedRange(after: cursor), limit: 100, at: .second(9))
            }
            func own(_ page: FeedPage) -> [FeedChange] {
                page.changes.filter { change in
                    switch change {
                    case .notification, .notifications, .settings: true
                    default: false
                    }
                }
            }

            let told = try await page("bob", after: start)
            guard case .notification(let entry)? = own(told).first else { return #expect(Bool(false), "\(told)") }
            #expect(own(told).count == 1 && entry.notification.message == .of("c", "m1") && !entry.isQuiet)
            #expect(own(try await page("eve", after: start)).isEmpty)

            _ = try await store.markRead(["m1"], in: "c", by: "bob", at: .second(3))
            #expect(own(try await page("bob", after: told.end)) == [.notifications([])])
            #expect(own(try await page("bob", after: start)) == [.notifications([])])
            #expect(own(try await page("ada", after: start)).isEmpty)

            let settings = PersonalSettings(
                timeZone: "Europe/Berlin", quietHours: .init(start: 0, end: 1_439), hidesLastSeen: true)
            let before = try await store.latestChange()
            try await store.setPersonalSettings(settings, of: "bob", at: .second(4))
            try await store.setPersonalSettings(settings, of: "bob", at: .second(5))
            #expect(own(try await page("bob", after: before)) == [.settings(settings), .notifications([])])
            #expect(try await page("eve", after: before).changes.isEmpty)
            try await post(store, .short("c", "m2", "@bob"))
            let state = try await store.personalState(of: "bob", at: .second(9))
            #expect(state.notifications.map(\.isQuiet) == [true] && state.settings == settings)
            #expect(try await store.personalState(of: "eve", at: .second(9)).notifications.isEmpty)
            #expect(try await store.personalState(of: "eve", at: .second(9)).settings == PersonalSettings())
        }
    }
}
