import ChatCore
import MessageStore
import TestSupport
import Testing

@Suite struct PrivateReceiptTests {
    private func withTeam(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob", "eve"])], source: "api", mode: .posting, at: .second(0))
            let messages: [Message] = [.short("c", "m1"), .short("c", "m2"), .short("c", "m3", by: "bob")]
            _ = try await store.accept(messages, source: "api", mode: .posting, at: .second(1))
            try await body(store)
        }
    }

    private func positions(_ asker: UserID, _ store: SQLStore) async throws -> [UserID: Int64] {
        let receipts = try await store.receipts(in: "c", asker: asker, at: .second(50))
        return Dictionary(uniqueKeysWithValues: receipts.map { ($0.userID, $0.readSeq) })
    }

    private func feed(
        _ user: UserID, after cursor: ChangeCursor, _ store: SQLStore
    ) async throws -> [FeedChange] {
        try await store.feed(of: user, in: FeedRange(after: cursor), limit: 100, at: .second(50)).changes
    }

    private func hide(_ isHidden: Bool, _ user: UserID, _ store: SQLStore) async throws {
        try await store.setPersonalSettings(PersonalSettings(hidesReadReceipts: isHidden), of: user, at: .second(2))
    }

    @Test func whoHidesReadReceiptsIsNotShownAndIsNotShownOthers() async throws {
        try await withTeam { store in
            try await hide(true, "bob", store)
            let start = try await store.latestChange()
            _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(3))
            _ = try await store.markRead(["m1"], in: "c", by: "eve", at: .second(3))

            #expect(try await positions("ada", store) == ["ada": 0, "bob": 0, "eve": 1])
            #expect(try await positions("bob", store) == ["ada": 0, "bob": 2, "eve": 0])
            let hidden = try await store.receipts(in: "c", asker: "ada", at: .second(9))[1]
            #expect(hidden == Receipt(userID: "bob", readSeq: 0))
            // Nobody learns even that bob read, and bob does not learn that eve did.
            let seen = try await feed("ada", after: start, store)
            #expect(seen.count == 1, "\(seen)")
            guard case .receipt(let receipt, "c")? = seen.first else { return #expect(Bool(false), "\(seen)") }
            #expect(receipt.userID == "eve")
            let own = try await feed("bob", after: start, store)
            guard own.count == 1, case .conversation(let entry, _, let receipts)? = own.first else {
                return #expect(Bool(false), "\(own)")
            }
            #expect(entry.readSeq == 2 && entry.unreadCount == 0)
            #expect(receipts.map(\.readSeq) == [0, 2, 0])
        }
    }

    @Test func aChangeOfTheSettingHoldsFromThenOn() async throws {
        try await withTeam { store in
            _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(2))
            let start = try await store.latestChange()
            try await hide(true, "bob", store)
            guard case .receipt(let hidden, "c")? = try await feed("ada", after: start, store).first else {
                return #expect(Bool(false))
            }
            #expect(hidden == Receipt(userID: "bob", readSeq: 0))

            let middle = try await store.latestChange()
            try await hide(false, "bob", store)
            guard case .receipt(let shown, "c")? = try await feed("ada", after: middle, store).first else {
                return #expect(Bool(false))
            }
            #expect(shown.readSeq == 2)
            #expect(try await positions("bob", store) == ["ada": 0, "bob": 2, "eve": 0])
        }
    }

    @Test func whatReachedADeviceStaysVisibleAndReadingDoesNotMoveIt() async throws {
        try await withTeam { store in
            let first = try #require(try await store.positions(of: [.of("c", "m1")]).values.first?.arrival)
            try await hide(true, "bob", store)
            let end = try await store.latestChange()
            try await store.acknowledge(
                ChangeCursor(epoch: end.epoch, positions: [first]), by: "bob", at: .second(3))
            _ = try await store.markRead(["m2"], in: "c", by: "bob", at: .second(4))

            let receipts = try await store.receipts(in: "c", asker: "ada", at: .second(9))
            #expect(receipts.map(\.deliveredSeq) == [0, 1, 0])
            #expect(
                try await store.statuses(of: [.of("c", "m1"), .of("c", "m2")], sender: "ada", at: .second(9))
                    == [.of("c", "m1"): .delivered, .of("c", "m2"): .sent])
        }
    }

    @Test func aMessageIsSentDeliveredAndRead() async throws {
        try await withTeam { store in
            let keys: [MessageKey] = [.of("c", "m1"), .of("c", "m2"), .of("c", "m3"), .of("c", "none")]
            func statuses(_ user: UserID) async throws -> [MessageStatus?] {
                let found = try await store.statuses(of: keys, sender: user, at: .second(9))
                return keys.map { found[$0] }
            }
            #expect(try await statuses("ada") == [.sent, .sent, nil, nil])
            try await store.acknowledge(try await store.latestChange(), by: "eve", at: .second(2))
            #expect(try await statuses("ada") == [.delivered, .delivered, nil, nil])
            #expect(try await statuses("bob") == [nil, nil, .delivered, nil])
            _ = try await store.markRead(["m1"], in: "c", by: "bob", at: .second(3))
            #expect(try await statuses("ada") == [.read, .delivered, nil, nil])
            // Somebody who joins later has read nothing of it.
            try await store.removeMember("bob", from: "c", at: .second(4))
            try await store.setMember(
                Member(userID: "bob", displayName: "Bob", joinedAt: .second(5)), in: "c", source: "api",
                at: .second(5))
            #expect(try await statuses("ada") == [.delivered, .delivered, nil, nil])
        }
    }

    @Test func theReadersOfAMessageAreNamed() async throws {
        try await withTeam { store in
            try await store.setMember(
                Member(userID: "late", displayName: "Late", joinedAt: .second(2)), in: "c", source: "api",
                at: .second(2))
            _ = try await store.markRead(["m3"], in: "c", by: "bob", at: .second(3))
            try await store.acknowledge(try await store.latestChange(), by: "eve", at: .second(3))
            let key = MessageKey.of("c", "m1")

            let shown = try await store.receipts(of: key, asker: "ada", at: .second(4))
            #expect(shown.memberCount == 2)
            #expect(shown.readers.map(\.displayName) == ["Name of bob"])
            #expect(shown.receivers.map(\.userID) == ["bob", "eve"])
            try await hide(true, "bob", store)
            #expect(try await store.receipts(of: key, asker: "ada", at: .second(5)).readers.isEmpty)
            #expect(try await store.receipts(of: key, asker: "bob", at: .second(5)).readers.map(\.userID) == ["bob"])
            try await store.removeMember("eve", from: "c", at: .second(6))
            #expect(try await store.receipts(of: key, asker: "ada", at: .second(7)).memberCount == 1)
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                try await store.receipts(of: key, asker: "mallory", at: .second(7))
            }
            try await store.delete(key, at: .second(8))
            await #expect(throws: RepositoryError.noSuchMessage(key)) {
                try await store.receipts(of: key, asker: "ada", at: .second(9))
            }
        }
    }

    @Test func sendersLearnWhatReachedADeviceOnceASecond() async throws {
        try await withTeam { store in
            let start = try await store.latestChange()
            func changeCount() async throws -> Int {
                Int(try await store.inspect("SELECT COUNT(*) FROM changes WHERE kind = 11")[0]) ?? -1
            }
            try await store.acknowledge(start, by: "eve", at: .second(2))

            // One entry for each sender, whatever the number of messages.
            #expect(try await changeCount() == 2)
            for user in ["ada", "bob"] as [UserID] {
                let changes = try await feed(user, after: start, store)
                guard changes.count == 1, case .receipt(let receipt, "c")? = changes.first else {
                    return #expect(Bool(false), "\(changes)")
                }
                #expect(receipt.userID == "eve" && receipt.deliveredSeq == 3 && receipt.readSeq == 0)
            }
            #expect(try await feed("eve", after: start, store).isEmpty)

            let told = try await store.latestChange()
            _ = try await store.accept([.short("c", "m4")], source: "api", mode: .posting, at: .second(2))
            let end = try await store.latestChange()
            try await store.acknowledge(end, by: "eve", at: .second(2))
            #expect(try await changeCount() == 2)
            #expect(try await store.receipts(in: "c", asker: "ada", at: .second(3))[2].deliveredSeq == 4)
            // The next call tells of it, also if nothing has arrived since.
            try await store.acknowledge(end, by: "eve", at: .second(4))
            try await store.acknowledge(end, by: "eve", at: .second(6))
            #expect(try await changeCount() == 3)
            let receipts = try await feed("ada", after: told, store).compactMap { change in
                if case .receipt(let receipt, _) = change { receipt.deliveredSeq } else { nil }
            }
            #expect(receipts == [4])
        }
    }
}
