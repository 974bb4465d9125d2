import ChatCore
import MessageStore
import TestSupport
import Testing

/// Messages that people wrote to be sent later, in a data folder.
@Suite struct ScheduledTests {
    @Test func scheduledMessagesBelongToTheirAuthor() async throws {
        try await DataFolder.with { _, store in
            try await ScheduledContract.scheduledMessagesBelongToTheirAuthor(store)
        }
    }

    @Test func aMessageIsSentOnce() async throws {
        try await DataFolder.with { _, store in try await ScheduledContract.aMessageIsSentOnce(store) }
    }

    @Test func aMessageIsSentNow() async throws {
        try await DataFolder.with { _, store in try await ScheduledContract.aMessageIsSentNow(store) }
    }

    @Test func aRefusedMessageStays() async throws {
        try await DataFolder.with { _, store in try await ScheduledContract.aRefusedMessageStays(store) }
    }

    @Test func onlyTheAuthorIsTold() async throws {
        try await DataFolder.with { _, store in try await ScheduledContract.onlyTheAuthorIsTold(store) }
    }

    private static func send(_ store: SQLStore) async throws -> ScheduledSending? {
        try await store.sendNextScheduled(lateLimit: .seconds(60), at: .second(101))
    }

    /// What a killed process leaves, before it sent a message and after, is continued by the next one: it is sent once.
    @Test(arguments: [false, true]) func anotherProcessTakesOver(isSent: Bool) async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let first = try await folder.open()
        try await ScheduledContract.furnish(first)
        _ = try await first.schedule(.of("s1", in: "c", "once", at: 100), limit: 9, at: .second(10))
        if isSent { #expect(try await Self.send(first) == .sent) }
        // What a crash would leave.
        let copy = try folder.copied()
        defer { copy.remove() }
        await first.close()

        let second = try await copy.open()
        #expect(try await Self.send(second) == (isSent ? nil : .sent))
        #expect(try await Self.send(second) == nil)

        #expect(try await second.texts(in: "c") == ["first", "once"])
        #expect(try await second.scheduledMessages(of: "ada").isEmpty)
        await second.close()
    }

    /// The last step of the transaction fails: nothing of it is left, and the next attempt sends the message once.
    @Test func aFailureInTheMiddleLeavesTheSchedule() async throws {
        try await DataFolder.with { _, store in
            try await ScheduledContract.furnish(store)
            _ = try await store.schedule(.of("s1", in: "c", "once", at: 100), limit: 9, at: .second(10))
            // A trigger fails after the message was inserted.
            _ = try await store.inspect(
                """
                CREATE TRIGGER broken BEFORE DELETE ON scheduled_messages BEGIN SELECT RAISE(ABORT, 'broken'); END
                """)
            await #expect(throws: RepositoryError.self) { _ = try await Self.send(store) }
            #expect(try await store.texts(in: "c") == ["first"])
            #expect(try await store.scheduledMessages(of: "ada").map(\.refusal) == [nil])
            _ = try await store.inspect("DROP TRIGGER broken")

            #expect(try await Self.send(store) == .sent)

            #expect(try await store.texts(in: "c") == ["first", "once"])
        }
    }

    /// Two loops that both believe to lead.
    @Test func twoLoopsSendOnce() async throws {
        try await DataFolder.with { _, store in
            try await ScheduledContract.furnish(store)
            for number in 1...20 {
                _ = try await store.schedule(
                    .of(MessageID(rawValue: "s\(number)"), in: "c", "text \(number)", at: 50 + number), limit: 99,
                    at: .second(10))
            }
            @Sendable func sendAll() async throws -> Int {
                var count = 0
                while let result = try await Self.send(store) { count += result == .sent ? 1 : 0 }
                return count
            }
            async let one = sendAll()
            async let other = sendAll()

            #expect(try await one + other == 20)
            #expect(try await Set(store.texts(in: "c")).count == 21)
            #expect(try await store.texts(in: "c").count == 21)
        }
    }

    /// The erased author leaves no row and no text, nor does what was meant for an erased conversation.
    @Test(arguments: [(.user("ada"), ["bob"]), (.conversation("c"), ["ada"])] as [(ErasureSubject, [String])])
    func erasureLeavesNothing(_ subject: ErasureSubject, _ rest: [String]) async throws {
        try await DataFolder.with { folder, store in
            try await ScheduledContract.furnish(store)
            _ = try await store.schedule(.of("s1", in: "c", "the secret berth", at: 100), limit: 9, at: .second(10))
            let kept: ScheduledMessage =
                rest == ["ada"]
                ? .of("s2", in: "d", "open plan", at: 100) : .of("s2", in: "c", by: "bob", "open plan", at: 100)
            _ = try await store.schedule(kept, limit: 9, at: .second(10))

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))
            try await store.rewrite()

            #expect(try await store.inspect("SELECT user_id FROM scheduled_messages") == rest)
            #expect(try !folder.holds("the secret berth"))
            #expect(try folder.holds("open plan"))
            #expect(try await store.checkIntegrity().isSound)
        }
    }
}
