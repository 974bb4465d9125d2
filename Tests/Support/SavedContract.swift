package import ChatCore

/// Messages that people saved, in a store.
package enum SavedContract {
    package typealias SavedStore = Store & LiveChatRepository & SavedMessageRepository

    /// Ada and Bob are in "c", whose messages m1…m6 are of the seconds 1…6; Ada and Eve are in "d", with m1.
    ///
    /// - Throws: Errors of the store.
    package static func furnish(_ store: any SavedStore) async throws {
        for roster in [ConversationRoster.of("c", ["ada", "bob"]), .of("d", ["ada", "eve"])] {
            _ = try await store.create(roster, by: "ada", source: "api", at: .second(0))
        }
        let messages = (1...6).map {
            Message.short("c", MessageID(rawValue: "m\($0)"), by: "bob", "saved text \($0)", at: $0)
        }
        _ = try await store.post(
            messages + [.short("d", "m1", by: "eve", "saved text of d")], source: "api", at: .second(9))
    }

    /// A person's saved messages are their own, in the order of saving, page by page.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func savedMessagesBelongToAPerson(_ store: any SavedStore) async throws {
        try await furnish(store)
        for (place, id) in ["m2", "m5", "m1", "m4"].enumerated() {
            try demand(try await store.save(id, for: "ada", at: 10 + place), true)
        }
        try demand(try await store.save("m2", for: "bob", at: 20), true)
        // It keeps its place.
        let again = try await store.save(.of("c", "m2"), for: "ada", limit: 9, at: .second(30))
        try demand(again.isNew, false)
        try demand(again.savedAt, .second(10))
        try demand(try await store.saved(by: "ada"), ["m4", "m1", "m5", "m2"])
        try demand(try await store.saved(by: "bob"), ["m2"])
        try demand(try await store.saved(by: "eve"), [])

        let first = try await store.savedMessages(of: "ada", before: nil, limit: 3, at: .second(40))
        try demand(first.map(\.message.key.messageID), ["m4", "m1", "m5"])
        try demand(first.map(\.savedAt), [.second(13), .second(12), .second(11)])
        try demand(first.map(\.message.text), ["saved text 4", "saved text 1", "saved text 5"])
        // What others save changes no number of a person.
        try demand(first.map(\.number), [4, 3, 2])
        try demand(try await store.savedMessages(of: "bob", before: nil, limit: 3, at: .second(40)).map(\.number), [1])
        let rest = try await store.savedMessages(of: "ada", before: first.last?.number, limit: 3, at: .second(40))
        try demand(rest.map(\.message.key.messageID), ["m2"])

        try await store.endSaving(.of("c", "m1"), for: "ada")
        for key in [MessageKey.of("c", "m1"), .of("c", "none"), .of("none", "m1"), .of("c", "m5\u{0}x")] {
            try await store.endSaving(key, for: "ada")
        }
        try await store.endSaving(.of("c", "m2"), for: "ada")
        try demand(try await store.saved(by: "ada"), ["m4", "m5"])
        try demand(try await store.saved(by: "bob"), ["m2"])
        try demand(try await store.save("m1", for: "ada", at: 50), true)
        try demand(try await store.saved(by: "ada"), ["m1", "m4", "m5"])
    }

    /// Only readable messages can be saved, and only so many.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func onlyReadableMessagesAreSaved(_ store: any SavedStore) async throws {
        try await furnish(store)
        try await store.delete(.of("c", "m6"), at: .second(10))
        for (key, error) in [
            (MessageKey.of("d", "m1"), RepositoryError.noSuchConversation("d")),
            (.of("x", "m1"), .noSuchConversation("x")), (.of("c", "x"), .noSuchMessage(.of("c", "x"))),
            (.of("c", "m6"), .noSuchMessage(.of("c", "m6"))),
        ] {
            try await demandFailure(error) { _ = try await store.save(key, for: "bob", limit: 9, at: .second(11)) }
        }
        for id in ["m1", "m2"] { _ = try await store.save(id, for: "bob", at: 12) }
        do {
            _ = try await store.save(.of("c", "m3"), for: "bob", limit: 2, at: .second(13))
            throw ContractViolation(description: "a third message was saved")
        } catch RepositoryError.invalid(let field, _) {
            try demand(field, "message")
        }
        // What is saved can be saved again, and there is room after one is removed.
        try demand(try await store.save(.of("c", "m1"), for: "bob", limit: 2, at: .second(14)).isNew, false)
        try await store.endSaving(.of("c", "m1"), for: "bob")
        try demand(try await store.save(.of("c", "m3"), for: "bob", limit: 2, at: .second(15)).isNew, true)
    }

    /// The list follows rights, edits and deletions; the page is filled behind what is hidden.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func savedMessagesFollowTheirMessages(_ store: any SavedStore) async throws {
        try await furnish(store)
        for id in ["m1", "m2", "m3"] { _ = try await store.save(id, for: "ada", at: 10) }
        _ = try await store.save(.of("d", "m1"), for: "ada", limit: 9, at: .second(11))
        _ = try await store.save("m4", for: "ada", at: 12)

        _ = try await store.edit(.of("c", "m3"), text: "changed", at: .second(13))
        try await store.delete(.of("c", "m2"), at: .second(13))
        let found = try await store.savedMessages(of: "ada", before: nil, limit: 9, at: .second(14))
        try demand(found.map(\.message.text), ["saved text 4", "saved text of d", "changed", "saved text 1"])

        try await store.removeMember("ada", from: "c", at: .second(15))
        let left = try await store.savedMessages(of: "ada", before: nil, limit: 1, at: .second(16))
        try demand(left.map(\.message.text), ["saved text of d"])
        // Who comes back finds them again.
        try await store.setMember(
            Member(userID: "ada", displayName: "Ada", joinedAt: .second(-100)), in: "c", source: "api", at: .second(17))
        try demand(
            try await store.savedMessages(of: "ada", before: nil, limit: 9, at: .second(18)).map(\.message.text),
            ["saved text 4", "saved text of d", "changed", "saved text 1"])
    }

    /// In a conversation with a limited history only messages of the person's times are there.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func limitedHistoriesCount(_ store: any SavedStore) async throws {
        var roster = ConversationRoster.of("limited", ["ada", "bob"])
        roster.conversation.history = .joined
        _ = try await store.create(roster, by: "bob", source: "api", at: .second(0))
        let messages = (1...4).map { number in
            Message.short("limited", MessageID(rawValue: "m\(number)"), by: "bob", at: 10 * number)
        }
        _ = try await store.post(messages, source: "api", at: .second(1))
        for message in messages { _ = try await store.save(message.key, for: "ada", limit: 9, at: .second(2)) }
        try demand(try await store.saved(by: "ada"), ["m4", "m3", "m2", "m1"])

        try await store.removeMember("ada", from: "limited", at: .second(25))
        try demand(try await store.saved(by: "ada"), [])
        let again = Member(userID: "ada", displayName: "Ada", joinedAt: .second(35))
        try await store.setMember(again, in: "limited", source: "api", at: .second(35))

        try demand(try await store.saved(by: "ada"), ["m4", "m2", "m1"])
        let key = MessageKey.of("limited", "m3")
        try await demandFailure(.noSuchMessage(key)) {
            _ = try await store.save(key, for: "ada", limit: 9, at: .second(36))
        }
        // It can still be removed.
        try await store.endSaving(key, for: "ada")
        try await store.endSaving(.of("limited", "m4"), for: "ada")
        try demand(try await store.saved(by: "ada"), ["m2", "m1"])
    }
}

/// Reminders of saved messages.
extension SavedContract {
    package typealias ReminderStore = SavedStore & NotificationRepository & AccountRepository

    /// A person is reminded once, of a message that was read long ago too, and nobody else hears of it.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func aPersonIsRemindedOnce(_ store: any ReminderStore) async throws {
        try await furnish(store)
        _ = try await store.markRead(["m6"], in: "c", by: "ada", at: .second(10))
        try demand(try await store.nextReminder(), nil)
        try demand(try await store.remind("ada", of: "m2", at: 100), .second(100))
        try demand(try await store.remind("ada", of: "m5", at: 50), .second(50))
        try demand(try await store.remind("bob", of: "m2", at: 60), .second(60))
        // Saving again keeps the reminder.
        let kept = try await store.save(.of("c", "m2"), for: "ada", limit: 9, at: .second(12))
        try demand(
            kept, MessageSave(savedAt: .second(11), isNew: false, remindAt: .second(100)))
        try demand(try await store.nextReminder(), .second(50))
        try demand(try await store.reminders(of: "ada"), ["m5", "m2"])
        try demand(try await store.remindDue(limit: 9, at: .second(49)), 0)

        // Those after the limit follow in the next call.
        try demand(try await store.remindDue(limit: 1, at: .second(60)), 1)
        try demand(try await store.told("ada"), ["m5"])
        try demand(try await store.told("bob"), [])
        try demand(try await store.remindDue(limit: 9, at: .second(60)), 1)
        try demand(try await store.told("bob"), ["m2"])
        try demand(try await store.remindDue(limit: 9, at: .second(60)), 0)
        try demand(try await store.reminders(of: "ada"), ["m2"])
        // It is still saved.
        try demand(try await store.saved(by: "ada"), ["m5", "m2"])

        // Reading later messages does not do it, and it can be set again.
        _ = try await store.post([.short("c", "m7", by: "bob", at: 61)], source: "api", at: .second(61))
        _ = try await store.markRead(["m7"], in: "c", by: "ada", at: .second(62))
        try demand(try await store.told("ada"), ["m5"])
        let first = try await store.notifications(of: "ada", limit: 9, at: .second(63))
        try demand(try await store.remind("ada", of: "m5", at: 70), .second(70))
        try demand(try await store.remindDue(limit: 9, at: .second(70)), 1)
        let again = try await store.notifications(of: "ada", limit: 9, at: .second(71))
        try demand(again.map(\.message.messageID), ["m5"])
        try demand(again[0].number > first[0].number, true)
        try await store.dismiss([again[0].number], of: "ada", at: .second(72))
        try demand(try await store.told("ada"), [])

        // Changed, and removed.
        try demand(try await store.remind("ada", of: "m2", at: 200), .second(200))
        try demand(try await store.remindDue(limit: 9, at: .second(150)), 0)
        try demand(try await store.remind("ada", of: "m2", at: nil), nil)
        try demand(try await store.nextReminder(), nil)
        try demand(try await store.remind("ada", of: "m2", at: 300), .second(300))
        try await store.endSaving(.of("c", "m2"), for: "ada")
        try demand(try await store.nextReminder(), nil)
    }

    /// A reminder goes silently with the message, with the right to read it, and with the account.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func remindersFollowRights(_ store: any ReminderStore) async throws {
        try await furnish(store)
        for id in ["m1", "m2"] { _ = try await store.remind("ada", of: id, at: 50) }
        _ = try await store.remind("bob", of: "m2", at: 50)
        _ = try await store.save(
            .of("d", "m1"), for: "ada", reminder: .at(.second(50)), limit: 9, at: .second(11))
        try await store.delete(.of("c", "m1"), at: .second(20))
        try await store.removeMember("ada", from: "c", at: .second(20))

        try demand(try await store.remindDue(limit: 9, at: .second(60)), 3)
        let told = try await store.notifications(of: "ada", limit: 9, at: .second(61))
        try demand(told.map(\.message), [.of("d", "m1")])
        try demand(told.map(\.kind), [.reminder])
        try demand(told.map(\.text), ["saved text of d"])
        try demand(try await store.told("bob"), ["m2"])
        // Who comes back is not reminded of what was over.
        try await store.setMember(
            Member(userID: "ada", displayName: "Ada", joinedAt: .second(70)), in: "c", source: "api", at: .second(70))
        try demand(try await store.nextReminder(), nil)

        _ = try await store.acceptAccount(Account(userID: "bob", createdAt: .second(0)), at: .second(0))
        _ = try await store.remind("bob", of: "m3", at: 90)
        _ = try await store.changeAccount("bob", role: nil, isDisabled: true)
        try demand(try await store.remindDue(limit: 9, at: .second(91)), 1)
        try demand(try await store.told("bob"), ["m2"])
    }

    /// A person is reminded of a message in an open conversation without being a member, and of an own one.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func anybodyIsRemindedOfWhatTheySee(_ store: any ReminderStore) async throws {
        try await furnish(store)
        var open = ConversationRoster.of("open", ["bob"])
        open.conversation.visibility = .everyone
        _ = try await store.create(open, by: "bob", source: "api", at: .second(0))
        _ = try await store.post([.short("open", "o1", by: "bob", "open text", at: 5)], source: "api", at: .second(9))
        for user in ["eve", "bob"] as [UserID] {
            _ = try await store.save(
                .of("open", "o1"), for: user, reminder: .at(.second(50)), limit: 9, at: .second(11))
        }
        try demand(try await store.remindDue(limit: 9, at: .second(60)), 2)
        try demand(try await store.told("eve"), ["o1"])
        try demand(try await store.told("bob"), ["o1"])
        try await store.setKind(.guest, of: "eve")
        try demand(try await store.told("eve"), [])
    }
}

extension SavedMessageRepository {
    /// Saves a message without a reminder.
    package func save(
        _ key: MessageKey, for user: UserID, limit: Int, at moment: Timestamp
    ) async throws -> MessageSave {
        try await save(key, for: user, reminder: .unchanged, limit: limit, at: moment)
    }

    /// Returns all saved messages.
    package func savedMessages(
        of user: UserID, before number: Int64?, limit: Int, at moment: Timestamp
    ) async throws -> [SavedMessage] {
        try await savedMessages(of: user, hasReminder: false, before: number, limit: limit, at: moment)
    }

    /// Sets the reminder of a message in "c"; returns its time.
    package func remind(_ user: UserID, of id: String, at second: Int?) async throws -> Timestamp? {
        try await save(
            .of("c", MessageID(rawValue: id)), for: user, reminder: .at(second.map { .second($0) }), limit: 9,
            at: .second(11)
        ).remindAt
    }

    /// The messages of which a person is to be reminded, the last saved first.
    fileprivate func reminders(of user: UserID) async throws -> [MessageID] {
        try await savedMessages(of: user, hasReminder: true, before: nil, limit: 99, at: .second(900))
            .map(\.message.key.messageID)
    }
}

extension NotificationRepository {
    /// The messages of which a person was told as reminders, the last first.
    package func told(_ user: UserID) async throws -> [MessageID] {
        try await notifications(of: user, limit: 99, at: .second(900)).filter { $0.kind == .reminder }
            .map(\.message.messageID)
    }
}

extension SavedMessageRepository {
    fileprivate func save(_ id: String, for user: UserID, at second: Int) async throws -> Bool {
        try await save(.of("c", MessageID(rawValue: id)), for: user, limit: 9, at: .second(second)).isNew
    }

    /// The saved messages of a person, the last saved first.
    package func saved(by user: UserID) async throws -> [MessageID] {
        try await savedMessages(of: user, before: nil, limit: 99, at: .second(900)).map(\.message.key.messageID)
    }
}
