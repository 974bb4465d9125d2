package import ChatCore

/// Messages that people wrote to be sent later, in a store.
package enum ScheduledContract {
    package typealias ScheduledStore = Store & LiveChatRepository & ScheduledMessageRepository & AccountRepository

    /// Ada and Bob are in "c", which has m1 of Bob; Ada and Eve are in "d".
    ///
    /// - Throws: Errors of the store.
    package static func furnish(_ store: any ScheduledStore) async throws {
        for roster in [ConversationRoster.of("c", ["ada", "bob"]), .of("d", ["ada", "eve"])] {
            _ = try await store.create(roster, by: "ada", source: "api", at: .second(0))
        }
        _ = try await store.post([.short("c", "m1", by: "bob", "first", at: 1)], source: "api", at: .second(1))
    }

    /// Scheduled messages belong to their author, in the order of their times, and only so many.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func scheduledMessagesBelongToTheirAuthor(_ store: any ScheduledStore) async throws {
        try await furnish(store)
        var later = ScheduledMessage.of("s1", in: "c", "later", at: 200)
        let soon = ScheduledMessage(
            id: "s2", authorID: "ada", authorName: "Ada Q", conversationID: "d", text: "soon", threadRootID: "root",
            sendAt: .second(100), createdAt: .second(11))
        for message in [later, soon] { try demand(try await store.schedule(message, limit: 2, at: .second(11)), true) }
        try demand(try await store.scheduledMessages(of: "ada"), [soon, later])
        try demand(try await store.scheduledMessages(of: "ada", after: nil, limit: 1), [soon])
        try demand(try await store.scheduledMessages(of: "ada", after: soon.place, limit: 9), [later])
        try demand(try await store.scheduledMessages(of: "ada", after: later.place, limit: 9), [])
        try demand(try await store.scheduledMessages(of: "bob"), [])
        try demand(try await store.nextScheduledMessage(), .second(100))
        // The same request again, and one with the same id and other content.
        try demand(try await store.schedule(later, limit: 2, at: .second(12)), false)
        try await demandFailure(.conflict("scheduled message")) {
            _ = try await store.schedule(.of("s1", in: "c", "other", at: 200), limit: 9, at: .second(12))
        }
        do {
            _ = try await store.schedule(.of("s3", in: "c", "x", at: 200), limit: 2, at: .second(12))
            throw ContractViolation(description: "a third message was scheduled")
        } catch RepositoryError.invalid(let field, _) {
            try demand(field, "sendAt")
        }
        // Ids of others tell nothing.
        try demand(try await store.schedule(.of("s1", in: "c", by: "bob", at: 300), limit: 2, at: .second(12)), true)
        try await demandFailure(.noSuchConversation("d")) {
            _ = try await store.schedule(.of("s4", in: "d", by: "bob", at: 300), limit: 9, at: .second(12))
        }
        try await demandFailure(.noSuchConversation("none")) {
            _ = try await store.schedule(.of("s4", in: "none", at: 300), limit: 9, at: .second(12))
        }

        (later.text, later.sendAt) = ("changed", .second(50))
        // Each change keeps what it does not name, so that two at the same moment both hold.
        _ = try await store.changeScheduled(later.id, of: "ada", text: "changed", sendAt: nil)
        try demand(try await store.changeScheduled(later.id, of: "ada", text: nil, sendAt: .second(50)), later)
        try demand(try await store.scheduledMessages(of: "ada"), [later, soon])
        try demand(try await store.nextScheduledMessage(), .second(50))
        for id in ["s2", "none"] as [MessageID] {
            try await demandFailure(.noSuchScheduledMessage(id)) { try await store.deleteScheduled(id, of: "bob") }
            try await demandFailure(.noSuchScheduledMessage(id)) {
                _ = try await store.sendScheduled(id, of: "bob", at: .second(14))
            }
            try await demandFailure(.noSuchScheduledMessage(id)) {
                _ = try await store.changeScheduled(id, of: "bob", text: "mine", sendAt: nil)
            }
        }
        try await store.deleteScheduled("s2", of: "ada")
        try demand(try await store.scheduledMessages(of: "ada"), [later])
        try demand(try await store.scheduledMessages(of: "bob").map(\.id), ["s1"])
    }

    /// A message is posted once at its time, as others that its author posts.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aMessageIsSentOnce(_ store: any ScheduledStore) async throws {
        try await furnish(store)
        var reply = ScheduledMessage.of("s1", in: "c", "@Name of bob ready?", at: 100)
        _ = try await store.schedule(reply, limit: 9, at: .second(10))
        reply = ScheduledMessage(
            id: "s2", authorID: "ada", conversationID: "c", text: "a reply", replyToID: "m1", sendAt: .second(90),
            createdAt: .second(10))
        _ = try await store.schedule(reply, limit: 9, at: .second(10))
        try demand(try await store.texts(in: "c"), ["first"])
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(89)), nil)

        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(101)), .sent)
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(102)), .sent)
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(103)), nil)
        try demand(try await store.texts(in: "c"), ["first", "a reply", "@Name of bob ready?"])
        try demand(try await store.scheduledMessages(of: "ada"), [])
        try demand(try await store.nextScheduledMessage(), nil)
        let posted = try await store.page(of: "c", asker: "bob", before: nil, limit: 9, at: .second(200))
        // The time is that of the sending, the id that of the schedule.
        try demand(posted.map(\.timestamp), [.second(102), .second(101), .second(1)])
        try demand(posted.map(\.key.messageID), ["s1", "s2", "m1"])
        try demand(posted[1].replyToID, "m1")
        try demand(posted[0].senderName, "Name of ada")
        let mentions = try await store.memberMentions(of: [.of("c", "s1")])
        try demand(mentions[.of("c", "s1")]?.map(\.userID), ["bob"])
        let entry = try await store.inbox(of: "bob", matching: nil, at: .second(200)).entries.first
        try demand(entry?.unreadCount, 2)
    }

    /// A message is sent now, and then not at its time.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aMessageIsSentNow(_ store: any ScheduledStore) async throws {
        try await furnish(store)
        _ = try await store.schedule(.of("s1", in: "c", "now", at: 100), limit: 9, at: .second(10))
        let sent = try await store.sendScheduled("s1", of: "ada", at: .second(20))
        try demand(sent.posted.outcome, .inserted)
        try demand(sent.message.key, .of("c", "s1"))
        try await demandFailure(.noSuchScheduledMessage("s1")) {
            _ = try await store.sendScheduled("s1", of: "ada", at: .second(21))
        }
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(100)), nil)
        try demand(try await store.texts(in: "c"), ["first", "now"])
        // One that cannot be sent stays.
        _ = try await store.schedule(.of("s2", in: "c", "never", at: 100), limit: 9, at: .second(30))
        try await store.removeMember("ada", from: "c", at: .second(31))
        try demand(try await store.sendScheduled("s2", of: "ada", at: .second(32)).posted.outcome, .noSuchConversation)
        try demand(try await store.scheduledMessages(of: "ada").map(\.refusal), [nil])
    }

    /// Rights are asked at the time; what is refused stays with the reason, and is not tried again.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aRefusedMessageStays(_ store: any ScheduledStore) async throws {
        try await furnish(store)
        let replying = ScheduledMessage(
            id: "s2", authorID: "ada", conversationID: "d", text: "to nothing", replyToID: "m1", sendAt: .second(100),
            createdAt: .second(10))
        for message in [
            ScheduledMessage.of("s1", in: "c", "left", at: 100), replying, .of("s3", in: "d", "late", at: 40),
            .of("s4", in: "c", by: "bob", "barred", at: 100), .of("s5", in: "d", "taken", at: 100),
        ] {
            _ = try await store.schedule(message, limit: 9, at: .second(10))
        }
        try await store.removeMember("ada", from: "c", at: .second(20))
        _ = try await store.post([.short("d", "s5", by: "eve", "other", at: 20)], source: "api", at: .second(20))
        _ = try await store.acceptAccount(Account(userID: "bob", createdAt: .second(0)), at: .second(0))
        _ = try await store.changeAccount("bob", role: nil, isDisabled: true)

        var results: [ScheduledSending] = []
        while let result = try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(101)) {
            results.append(result)
        }
        try demand(
            results,
            [
                .refused(.missed), .refused(.conversationLeft), .refused(.replyGone), .refused(.notAccepted),
                .refused(.accountDisabled),
            ])
        let kept = try await store.scheduledMessages(of: "ada")
        try demand(kept.map(\.id), ["s3", "s1", "s2", "s5"])
        try demand(kept.map(\.refusal), [.missed, .conversationLeft, .replyGone, .notAccepted])
        try demand(kept.map(\.text), ["late", "left", "to nothing", "taken"])
        try demand(try await store.scheduledMessages(of: "bob").map(\.refusal), [.accountDisabled])
        try demand(try await store.texts(in: "d", of: "eve"), ["other"])
        try demand(try await store.texts(in: "c", of: "bob"), ["first"])
        try demand(try await store.nextScheduledMessage(), nil)

        // Another time lets it wait again; then the author is back.
        let again = try await store.changeScheduled(kept[1].id, of: "ada", text: nil, sendAt: .second(200))
        try demand(again.refusal, nil)
        try await store.setMember(
            Member(userID: "ada", displayName: "Ada", joinedAt: .second(120)), in: "c", source: "api", at: .second(120))
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(200)), .sent)
        try demand(try await store.texts(in: "c", of: "bob"), ["first", "left"])
        // What was refused can be sent now.
        try demand(try await store.sendScheduled("s3", of: "ada", at: .second(210)).posted.outcome, .inserted)
        try demand(try await store.texts(in: "d", of: "eve"), ["other", "late"])
    }

    /// The author's feed reports each change; nobody else is told anything before the message.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func onlyTheAuthorIsTold(_ store: any ScheduledStore) async throws {
        try await furnish(store)
        var cursor = try await store.latestChange()
        func changes(for user: UserID) async throws -> [FeedChange] {
            try await store.feed(of: user, in: FeedRange(after: cursor), limit: 99, at: .second(99)).changes
        }
        func expectTold() async throws {
            try demand(try await changes(for: "ada"), [.scheduled])
            try demand(try await changes(for: "bob"), [])
            cursor = try await store.latestChange()
        }
        let message = ScheduledMessage.of("s1", in: "c", "later", at: 50)
        _ = try await store.schedule(message, limit: 9, at: .second(10))
        try await expectTold()
        _ = try await store.changeScheduled(message.id, of: "ada", text: nil, sendAt: .second(60))
        try await expectTold()
        // The server was down.
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(1), at: .second(90)), .refused(.missed))
        try await expectTold()
        try await store.deleteScheduled("s1", of: "ada")
        try await expectTold()
        _ = try await store.schedule(message, limit: 9, at: .second(10))
        cursor = try await store.latestChange()
        try demand(try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(90)), .sent)
        try demand(try await changes(for: "ada").contains(.scheduled), true)
        try demand(try await changes(for: "bob").contains(.scheduled), false)
        try demand(try await changes(for: "bob").isEmpty, false)
    }
}

extension ScheduledMessage {
    package static func of(
        _ id: MessageID, in conversation: ConversationID, by author: UserID = "ada", _ text: String = "text",
        at second: Int
    ) -> ScheduledMessage {
        ScheduledMessage(
            id: id, authorID: author, conversationID: conversation, text: text, sendAt: .second(second),
            createdAt: .second(10))
    }
}

extension MessageRepository {
    /// The texts of a conversation, oldest first.
    package func texts(in id: ConversationID, of reader: UserID = "ada") async throws -> [String] {
        try await page(of: id, asker: reader, before: nil, limit: 99, at: .second(900)).reversed().map(\.text)
    }
}
