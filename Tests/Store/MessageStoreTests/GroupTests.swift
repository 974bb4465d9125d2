import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

/// Roles in groups, replies, and local ids that are used for ever.
@Suite struct GroupTests {
    private func withGroup(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            var roster = ConversationRoster.of("c", ["ada", "bob", "cy"])
            for (place, second) in [5, 3, 4].enumerated() { roster.members[place].joinedAt = .second(second) }
            #expect(try await store.create(roster, by: "ada", source: "api", at: .second(5)))
            try await body(store)
        }
    }

    private func post(_ store: SQLStore, _ messages: Message...) async throws {
        let outcomes = try await store.accept(messages, source: "api", mode: .posting, at: .second(1))
        #expect(outcomes.allSatisfy { $0 == .inserted }, "\(outcomes)")
    }

    private static func reply(
        _ id: MessageID, to root: MessageID, by sender: UserID = "bob", at second: Int, inThread: Bool = false
    ) -> Message {
        var message = Message.short("c", id, by: sender, at: second)
        if inThread { message.threadRootID = root } else { message.replyToID = root }
        return message
    }

    private func roles(_ store: SQLStore) async throws -> [UserID: MemberRole] { try await store.roles(in: "c") }

    @Test func whoMakesAGroupIsItsAdministrator() async throws {
        try await withGroup { store in
            #expect(try await roles(store) == ["ada": .admin])
            #expect(try await store.inboxEntry(of: "c", for: "bob", at: .second(6)).admins == ["ada"])
            let roster = try await store.roster(of: "c")
            #expect(try await !store.create(roster, by: "bob", source: "api", at: .second(6)))
            #expect(try await roles(store) == ["ada": .admin])

            var direct = ConversationRoster.of("d", ["ada", "bob"])
            direct.conversation.kind = .direct
            direct.conversation.name = nil
            _ = try await store.create(direct, by: "ada", source: "api", at: .second(6))
            #expect(try await store.roles(in: "d").isEmpty)
        }
    }

    @Test func theLongestStandingMemberFollowsTheLastAdministrator() async throws {
        try await withGroup { store in
            try await store.removeMember("ada", from: "c", at: .second(10))
            #expect(try await roles(store) == ["bob": .admin])
            try await store.setRole(.admin, of: "cy", in: "c", at: .second(11))
            try await store.removeMember("bob", from: "c", at: .second(12))
            #expect(try await roles(store) == ["cy": .admin])

            // Who comes back is a member like others.
            for (user, second) in [("ada", 13), ("bob", 14)] as [(UserID, Int)] {
                try await store.setMember(
                    Member(userID: user, displayName: "\(user)", joinedAt: .second(second)), in: "c", source: "api",
                    at: .second(second))
            }
            #expect(try await roles(store) == ["cy": .admin])
            _ = try await store.erase(.user("cy"), at: .second(15))
            #expect(try await roles(store) == ["ada": .admin])
        }
    }

    @Test func repliesToADeletedMessageCanBeRead() async throws {
        try await withGroup { store in
            try await post(store, .short("c", "root", at: 1))
            try await post(
                store, Self.reply("r1", to: "root", at: 2), Self.reply("r2", to: "root", at: 4, inThread: true))
            let key = MessageKey.of("c", "root")
            let start = try await store.latestChange()
            try await store.delete(key, at: .second(5))
            _ = try await store.edit(.of("c", "r2"), text: "other", at: .second(6))

            let replies = try await store.replies(to: key, for: "ada", after: nil, limit: 9, at: .second(7))
            let list = try await store.page(of: "c", asker: "ada", before: nil, limit: 9, at: .second(7))
            let feed = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 9, at: .second(7))

            #expect(replies.map(\.key.messageID) == ["r1", "r2"])
            #expect(list.map(\.key.messageID) == ["r2", "r1"])
            #expect(list[0].threadRootID == "root")
            let changed = feed.changes.compactMap { if case .message(let message, _, _) = $0 { message } else { nil } }
            #expect(changed.map(\.threadRootID) == ["root"])
        }
    }

    @Test func repliesAreCountedAsTheyAreNow() async throws {
        try await withGroup { store in
            try await post(store, .short("c", "root", at: 1))
            try await post(
                store, Self.reply("r1", to: "root", at: 2), Self.reply("r2", to: "root", at: 4, inThread: true),
                Self.reply("r3", to: "root", by: "cy", at: 3), Self.reply("other", to: "r1", at: 9))
            let key = MessageKey.of("c", "root")
            func summary() async throws -> ReplySummary? {
                try await store.replySummaries(of: [key], for: "ada", at: .second(20))[key]
            }

            #expect(try await summary() == ReplySummary(count: 3, lastAt: .second(4)))
            let first = try await store.replies(to: key, for: "ada", after: nil, limit: 2, at: .second(20))
            let rest = try await store.replies(to: key, for: "ada", after: "r3", limit: 2, at: .second(20))
            #expect(first.map(\.key.messageID) == ["r1", "r3"] && rest.map(\.key.messageID) == ["r2"])

            let start = try await store.latestChange()
            try await store.delete(.of("c", "r2"), at: .second(21))
            #expect(try await summary() == ReplySummary(count: 2, lastAt: .second(3)))
            let page = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 100, at: .second(22))
            // The notification of the reply goes too.
            guard page.changes.count == 3, case .deletion = page.changes[0],
                case .message(let root, let place, _) = page.changes[1], case .notifications = page.changes[2]
            else { return #expect(Bool(false), "\(page.changes)") }
            #expect(root.key == key && place.replies?.count == 2)

            let middle = try await store.latestChange()
            _ = try await store.erase(.user("cy"), at: .second(23))
            while try await !store.finishErasing(.user("cy"), at: .second(1_000)) {}
            #expect(try await summary() == ReplySummary(count: 1, lastAt: .second(2)))
            let later = try await store.feed(of: "ada", in: FeedRange(after: middle), limit: 100, at: .second(24))
            #expect(
                later.changes.contains { change in
                    if case .message(let root, let place, _) = change {
                        root.key == key && place.replies?.count == 1
                    } else {
                        false
                    }
                })
            try await store.delete(.of("c", "r1"), at: .second(25))
            #expect(try await summary() == nil)
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                try await store.replies(to: key, for: "eve", after: nil, limit: 9, at: .second(26))
            }
        }
    }

    @Test func aLocalIDIsUsedOnceForEver() async throws {
        try await withGroup { store in
            func send(_ id: MessageID, by sender: UserID, _ localID: String) async throws -> AcceptOutcome? {
                try await store.accept(
                    [.short("c", id, by: sender, localID: localID)], source: "api", mode: .posting, at: .second(30)
                ).first
            }
            #expect(try await send("m1", by: "bob", "l1") == .inserted)
            #expect(try await send("m2", by: "bob", "l1") == .unchanged("m1"))
            #expect(try await send("m3", by: "bob", "l2") == .inserted)
            try await store.delete(.of("c", "m1"), at: .second(31))
            #expect(try await send("m4", by: "bob", "l1") == .deletedBefore)

            _ = try await store.erase(.user("bob"), at: .second(32))
            #expect(try await send("m5", by: "bob", "l1") == .deletedBefore)
            while try await !store.finishErasing(.user("bob"), at: .second(1_000)) {}
            #expect(try await send("m6", by: "bob", "l1") == .deletedBefore)
            #expect(try await send("m7", by: "bob", "l2") == .deletedBefore)
            #expect(try await send("m8", by: "cy", "l1") == .inserted)
            #expect(try await send("m9", by: "bob", "l3") == .inserted)
        }
    }

    @Test func aFeedShowsLocalIDsToTheirSendersOnly() async throws {
        try await withGroup { store in
            let start = try await store.latestChange()
            try await post(store, .short("c", "m1", by: "bob", localID: "l1"))
            func localIDs(_ reader: UserID) async throws -> [String?] {
                try await store.feed(of: reader, in: FeedRange(after: start), limit: 9, at: .second(9)).changes.map {
                    if case .message(let message, _, _) = $0 { message.localID } else { "none" }
                }
            }
            #expect(try await localIDs("bob") == ["l1"])
            #expect(try await localIDs("ada") == [nil])
        }
    }

    @Test func aMessageHasAtMostFiftyDifferentEmojis() async throws {
        try await withGroup { store in
            try await post(store, .short("c", "m1"))
            let key = MessageKey.of("c", "m1")
            for number in 0..<50 {
                _ = try await store.react("e\(number)", isSet: true, to: key, by: "bob", at: .second(2))
            }

            await #expect(throws: RepositoryError.self) {
                try await store.react("e50", isSet: true, to: key, by: "bob", at: .second(3))
            }
            let known = try await store.react("e0", isSet: true, to: key, by: "cy", at: .second(3))
            let fewer = try await store.react("e1", isSet: false, to: key, by: "bob", at: .second(3))
            #expect(known.reactions.count == 50 && known.reactions.first?.userIDs == ["bob", "cy"])
            #expect(fewer.reactions.count == 49)
            try await store.removeMember("bob", from: "c", at: .second(4))
            #expect(try await store.stored([key])[key]?.reactions.count == 49)
        }
    }
}
