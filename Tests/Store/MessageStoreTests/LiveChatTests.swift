import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

@Suite struct LiveChatTests {
    private func post(_ store: SQLStore, _ messages: Message...) async throws {
        let outcomes = try await store.accept(messages, source: "api", mode: .posting, at: .second(1))
        #expect(outcomes.allSatisfy { $0 == .inserted }, "\(outcomes)")
    }

    private func withTeam(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob", "eve"])], source: "api", mode: .posting, at: .second(0))
            try await body(store)
        }
    }

    @Test func liveMessagesArePlacedDenselyAndHistoryIsNot() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"), .short("c", "m2", by: "bob"))
            _ = try await store.accept(
                [.short("c", "old", by: "bob", at: -50)], source: "slack", mode: .importing, at: .second(2))
            try await post(store, .short("c", "m3"))
            _ = try await store.edit(.of("c", "m1"), text: "other", at: .second(3))
            try await store.delete(.of("c", "m2"), at: .second(3))
            try await post(store, .short("c", "m4"))

            let keys = ["m1", "m2", "old", "m3", "m4"].map { MessageKey.of("c", MessageID(rawValue: $0)) }
            let positions = try await store.positions(of: keys)
            let entry = try await store.inboxEntry(of: "c", for: "eve", at: .second(4))

            #expect(keys.map { positions[$0]?.seq } == [1, 2, nil, 3, 4])
            #expect(entry.head == 4)
            #expect(entry.unreadCount == 3 && entry.firstUnreadID == "m1")
        }
    }

    @Test func anErasedMessageKeepsItsPosition() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"), .short("c", "m2", by: "bob"))
            _ = try await store.erase(.user("bob"), at: .second(2))
            while try await !store.finishErasing(.user("bob"), at: .second(1_000)) {}
            try await post(store, .short("c", "m3"))

            #expect(try await store.positions(of: [.of("c", "m3")]).values.map(\.seq) == [3])
        }
    }

    @Test func readingIsAPositionThatOnlyMovesOn() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"), .short("c", "m2"), .short("c", "m3"))

            let first = try await store.markRead(["m2", "m1"], in: "c", by: "bob", at: .second(5))
            let again = try await store.markRead(["m1"], in: "c", by: "bob", at: .second(6))
            let unread = try await store.inboxEntry(of: "c", for: "bob", at: .second(7)).unreadCount
            let back = try await store.markUnread(from: "m2", in: "c", by: "bob", at: .second(8))

            #expect(first.isMoved && first.receipt.readSeq == 2 && first.receipt.readAt == .second(5))
            #expect(!again.isMoved && again.receipt == first.receipt)
            #expect(unread == 1)
            #expect(back.readSeq == 1)
            #expect(try await store.inboxEntry(of: "c", for: "bob", at: .second(9)).unreadCount == 2)
            await #expect(throws: RepositoryError.noSuchMessage(.of("c", "none"))) {
                try await store.markRead(["none"], in: "c", by: "bob", at: .second(9))
            }
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                try await store.markRead(["m1"], in: "c", by: "mallory", at: .second(9))
            }
        }
    }

    @Test func whatIsMarkedAsUnreadStaysDelivered() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"), .short("c", "m2"), .short("c", "m3"))
            let keys = ["m1", "m2", "m3"].map { MessageKey.of("c", MessageID(rawValue: $0)) }
            func statuses() async throws -> [MessageStatus?] {
                let found = try await store.statuses(of: keys, sender: "ada", at: .second(9))
                return keys.map { found[$0] }
            }
            _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(5))
            let back = try await store.markUnread(from: "m1", in: "c", by: "bob", at: .second(6))
            let again = try await store.markUnread(from: "m1", in: "c", by: "bob", at: .second(7))

            #expect(back.readSeq == 0 && back.deliveredSeq == 2)
            #expect(again == back)
            #expect(try await statuses() == [.delivered, .delivered, .sent])
            let shown = try await store.receipts(in: "c", asker: "ada", at: .second(9)).first { $0.userID == "bob" }
            #expect(shown?.readSeq == 0 && shown?.deliveredSeq == 2)
            let details = try await store.receipts(of: keys[1], asker: "ada", at: .second(9))
            #expect(details.readers.isEmpty && details.receivers.map(\.userID) == ["bob"])

            _ = try await store.markRead(["m1"], in: "c", by: "bob", at: .second(8))
            #expect(try await statuses() == [.read, .delivered, .sent])
            // Who hides what was read is not shown by what was read before.
            try await store.setPersonalSettings(PersonalSettings(hidesReadReceipts: true), of: "bob", at: .second(8))
            #expect(try await statuses() == [.sent, .sent, .sent])
            let hidden = try await store.receipts(in: "c", asker: "ada", at: .second(9)).first { $0.userID == "bob" }
            #expect(hidden?.readSeq == 0 && hidden?.deliveredSeq == 0)
        }
    }

    @Test func whoJoinsLaterHasNothingUnreadOfBefore() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"))
            try await store.setMember(
                Member(userID: "dan", displayName: "Dan", joinedAt: .second(2)), in: "c", source: "api",
                at: .second(2))
            try await post(store, .short("c", "m2"))
            #expect(try await store.inboxEntry(of: "c", for: "dan", at: .second(3)).unreadCount == 1)

            try await store.removeMember("dan", from: "c", at: .second(4))
            try await post(store, .short("c", "m3"))
            try await store.setMember(
                Member(userID: "dan", displayName: "Dan", joinedAt: .second(5)), in: "c", source: "api",
                at: .second(5))
            let entry = try await store.inboxEntry(of: "c", for: "dan", at: .second(6))
            #expect(entry.unreadCount == 0 && entry.readSeq == 3)
        }
    }

    @Test func deliveredFollowsFromTheAcknowledgedCursor() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"))
            let middle = try await store.latestChange()
            try await post(store, .short("c", "m2"))
            try await store.acknowledge(middle, by: "bob", at: .second(2))
            try await store.acknowledge(try await store.latestChange(), by: "eve", at: .second(2))
            try await store.acknowledge(middle, by: "eve", at: .second(4))
            _ = try await store.markRead(["m2"], in: "c", by: "ada", at: .second(5))

            let receipts = try await store.receipts(in: "c", asker: "ada", at: .second(6))
            #expect(receipts.map(\.userID) == ["ada", "bob", "eve"])
            #expect(receipts.map(\.deliveredSeq) == [2, 1, 2])
            #expect(receipts.map(\.readSeq) == [2, 0, 0])
        }
    }

    @Test func twoPeopleHaveOneDirectConversation() async throws {
        try await DataFolder.with { _, store in
            let ids = try await withThrowingTaskGroup(of: (ConversationID, Bool).self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let (first, second): (UserID, UserID) =
                            number.isMultiple(of: 2) ? ("ada", "bob") : ("bob", "ada")
                        let (roster, isNew) = try await store.openDirect(
                            first, second, names: ["ada": "Ada"], newID: ConversationID(rawValue: "d\(number)"),
                            at: .second(number))
                        return (roster.conversation.id, isNew)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let own = try await store.openDirect("ada", "ada", names: [:], newID: "self", at: .second(30))
            let again = try await store.openDirect("ada", "ada", names: [:], newID: "other", at: .second(30))

            #expect(Set(ids.map(\.0)).count == 1)
            #expect(ids.filter(\.1).count == 1)
            #expect(own.isNew && !again.isNew && again.roster.conversation.id == "self")
            #expect(own.roster.members.map(\.userID) == ["ada"])
            let inbox = try await store.inbox(of: "bob", matching: nil, at: .second(31)).entries
            #expect(inbox.map(\.displayName) == ["Ada"])
            #expect(inbox.first?.members.map(\.userID) == ["ada", "bob"])
        }
    }

    @Test func membersAreMentionedByTheirNames() async throws {
        try await withTeam { store in
            try await post(
                store, .short("c", "m1", by: "ada", "hi @Name of bob, mail me at ada@eve.example"),
                .short("c", "m2", by: "ada", "und @EVE?"))
            let key = MessageKey.of("c", "m1")
            #expect(
                try await store.memberMentions(of: [key])[key] == [MemberMention(userID: "bob", start: 3, end: 15)])
            #expect(try await store.inboxEntry(of: "c", for: "bob", at: .second(3)).mentionCount == 1)
            #expect(try await store.inboxEntry(of: "c", for: "eve", at: .second(3)).mentionCount == 1)

            _ = try await store.edit(key, text: "hi all", at: .second(4))
            #expect(try await store.memberMentions(of: [key]).isEmpty)
            #expect(try await store.inboxEntry(of: "c", for: "bob", at: .second(5)).mentionCount == 0)
        }
    }

    @Test func whatTwoDevicesChangeAtOnceIsBothKept() async throws {
        try await withTeam { store in
            async let pinned = store.changePreferences(of: "c", for: "ada", at: .second(1)) { $0.isPinned = true }
            async let muted = store.changePreferences(of: "c", for: "ada", at: .second(1)) { $0.isMuted = true }
            async let hidden = store.changePersonalSettings(of: "ada", at: .second(1)) { $0.hidesLastSeen = true }
            async let zoned = store.changePersonalSettings(of: "ada", at: .second(1)) { $0.timeZone = "Asia/Tokyo" }
            _ = try await (pinned, muted, hidden, zoned)

            let entry = try await store.inboxEntry(of: "c", for: "ada", at: .second(2))
            #expect(entry.preferences == ConversationPreferences(isMuted: true, isPinned: true))
            #expect(
                try await store.personalSettings(of: ["ada"])
                    == ["ada": PersonalSettings(timeZone: "Asia/Tokyo", hidesLastSeen: true)])
        }
    }

    @Test func theListIsByLastActivityAndCanBeSearched() async throws {
        try await withTeam { store in
            _ = try await store.store(
                [.of("d", ["ada", "bob"], name: "Ferries"), .of("e", ["ada"], name: "Notes")], source: "api",
                mode: .posting, at: .second(0))
            try await post(store, .short("c", "m1", "the crane", at: 10), .short("d", "m2", "a ship", at: 20))
            try await store.setPreferences(
                ConversationPreferences(isPinned: true), of: "e", for: "ada", at: .second(30))

            func ids(_ query: String?) async throws -> [ConversationID] {
                try await store.inbox(of: "ada", matching: query, at: .second(31)).entries.map(\.conversation.id)
            }
            #expect(try await ids(nil) == ["e", "d", "c"])
            #expect(try await ids("FERR") == ["d"])
            #expect(try await ids("crane") == ["c"])
            #expect(try await ids("name of eve") == ["c"])
            #expect(try await store.inbox(of: "eve", matching: nil, at: .second(31)).entries.count == 1)
        }
    }

    @Test func theFormsOfOneEmojiAreOneReaction() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"), .short("c", "m2"))
            let key = MessageKey.of("c", "m1")
            _ = try await store.react("\u{2764}", isSet: true, to: key, by: "ada", at: .second(2))
            _ = try await store.react("\u{2764}\u{FE0F}", isSet: true, to: key, by: "bob", at: .second(2))
            let both = try await store.react("\u{2764}\u{FE0E}", isSet: true, to: key, by: "ada", at: .second(3))
            let one = try await store.react("\u{2764}", isSet: false, to: key, by: "bob", at: .second(4))

            #expect(both.reactions == [Message.Reaction(emoji: "\u{2764}\u{FE0F}", userIDs: ["bob", "ada"])])
            #expect(one.reactions == [Message.Reaction(emoji: "\u{2764}\u{FE0F}", userIDs: ["ada"])])
        }
    }

    @Test func reactionsOfAnEarlierVersionAreReadAsOne() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"))
            let key = MessageKey.of("c", "m1")
            let old =
                "[{\"emoji\":\"\u{2764}\",\"userIds\":[\"ada\",\"bob\"]},"
                + "{\"emoji\":\"\u{2764}\u{FE0F}\",\"userIds\":[\"bob\",\"eve\"]}]"
            _ = try await store.inspect("UPDATE messages SET reactions = '\(old)' RETURNING number")

            let read = try #require(try await store.stored([key])[key])
            let changed = try await store.react("\u{2764}", isSet: false, to: key, by: "bob", at: .second(2))

            #expect(read.reactions == [Message.Reaction(emoji: "\u{2764}\u{FE0F}", userIDs: ["ada", "bob", "eve"])])
            #expect(changed.reactions == [Message.Reaction(emoji: "\u{2764}\u{FE0F}", userIDs: ["ada", "eve"])])
        }
    }

    @Test func reactionsAreAddedAndRemovedByEachPerson() async throws {
        try await withTeam { store in
            try await post(store, .short("c", "m1"))
            let key = MessageKey.of("c", "m1")
            _ = try await store.react("👍", isSet: true, to: key, by: "bob", at: .second(2))
            _ = try await store.react("👍", isSet: true, to: key, by: "bob", at: .second(2))
            let both = try await store.react("👍", isSet: true, to: key, by: "eve", at: .second(3))
            let one = try await store.react("👍", isSet: false, to: key, by: "bob", at: .second(4))
            let none = try await store.react("👍", isSet: false, to: key, by: "eve", at: .second(5))

            #expect(both.reactions == [Message.Reaction(emoji: "👍", userIDs: ["bob", "eve"])])
            #expect(one.reactions == [Message.Reaction(emoji: "👍", userIDs: ["eve"])])
            #expect(none.reactions.isEmpty)
        }
    }

    @Test func aFeedTellsWhatChangedAndNothingElse() async throws {
        try await withTeam { store in
            _ = try await store.store([.of("x", ["eve"])], source: "api", mode: .posting, at: .second(0))
            try await post(store, .short("c", "m0"), .short("c", "gone"))
            let start = try await store.latestChange()

            try await post(store, .short("c", "m1"), .short("x", "secret", by: "eve"))
            _ = try await store.edit(.of("c", "m1"), text: "m1, edited", at: .second(2))
            try await store.delete(.of("c", "gone"), at: .second(2))
            _ = try await store.markRead(["m1"], in: "c", by: "bob", at: .second(3))
            let page = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 100, at: .second(4))

            #expect(page.end == (try await store.latestChange()))
            #expect(page.changes.count == 3, "\(page.changes)")
            guard case .message(let message, let place, _) = page.changes[0],
                case .deletion(let key, _) = page.changes[1], case .receipt(let receipt, "c") = page.changes[2]
            else { return #expect(Bool(false), "\(page.changes)") }
            #expect(message.text == "m1, edited" && place.seq == 3)
            #expect(key == .of("c", "gone"))
            #expect(receipt.userID == "bob" && receipt.readSeq == 3)
            let next = try await store.feed(of: "ada", in: FeedRange(after: page.end), limit: 100, at: .second(5))
            #expect(next.changes.isEmpty && next.end == page.end)
        }
    }

    @Test func whoLeavesGetsTheDepartureAndNothingAfterIt() async throws {
        try await withTeam { store in
            let start = try await store.latestChange()
            try await store.removeMember("eve", from: "c", at: .second(2))
            try await post(store, .short("c", "m1"))

            let left = try await store.feed(of: "eve", in: FeedRange(after: start), limit: 100, at: .second(3))
            #expect(left.changes == [.departure("c")])

            try await store.setMember(
                Member(userID: "eve", displayName: "Eve", joinedAt: .second(4)), in: "c", source: "api",
                at: .second(4))
            let back = try await store.feed(of: "eve", in: FeedRange(after: left.end), limit: 100, at: .second(5))
            guard case .conversation(let entry, let members, _) = back.changes.first else {
                return #expect(Bool(false), "\(back.changes)")
            }
            #expect(back.changes.count == 1 && entry.conversation.id == "c" && members.count == 3)
        }
    }

    @Test func whoIsRemovedByAnEventGetsTheDeparture() async throws {
        try await withTeam { store in
            try await store.setRole(.admin, of: "eve", in: "c", at: .second(1))
            let start = try await store.latestChange()
            for (second, roster) in [(2, .of("c", ["ada", "bob"])), (3, nil)] as [(Int, ConversationRoster?)] {
                let event = SourceEvent(
                    id: "e\(second)", source: "s", stateTime: .second(second), subject: .conversation("c", roster))
                _ = try await store.take(event, authorSource: "api", at: .second(second))
                let pages = [
                    try await store.feed(of: "eve", in: FeedRange(after: start), limit: 100, at: .second(4)),
                    try await store.feed(of: "bob", in: FeedRange(after: start), limit: 100, at: .second(4)),
                ]
                #expect(pages[0].changes == [.departure("c")])
                #expect(pages[1].changes.contains(.departure("c")) == (roster == nil))
            }
            #expect(try await store.inspect("SELECT COUNT(*) FROM members WHERE role = 'admin'") == ["0"])
        }
    }

    @Test func anErasureReachesThoseWhoWereAway() async throws {
        try await withTeam { store in
            _ = try await store.store([.of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await post(store, .short("c", "m1", by: "bob"), .short("d", "m2"))
            let start = try await store.latestChange()
            for subject in [ErasureSubject.user("bob"), .conversation("d")] {
                _ = try await store.erase(subject, at: .second(2))
                while try await !store.finishErasing(subject, at: .second(1_000)) {}
            }

            let page = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 100, at: .second(3))
            #expect(page.changes.contains(.departure("d")))
            #expect(
                page.changes.contains { change in
                    if case .deletion(let key, _) = change { key == .of("c", "m1") } else { false }
                })
        }
    }

    @Test func aConversationThatIsFarBehindIsLimited() async throws {
        try await withTeam { store in
            let start = try await store.latestChange()
            for number in 0..<12 { try await post(store, .short("c", MessageID(rawValue: "m\(number)"))) }

            let page = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 10, at: .second(3))
            #expect(page.limited == ["c"])
            #expect(page.changes.count == 1)
        }
    }
}
