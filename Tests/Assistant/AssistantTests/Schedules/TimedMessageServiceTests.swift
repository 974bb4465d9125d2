import Assistant
import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// Messages that are sent at their times, and reminders.
@Suite(.hangGuard) struct TimedMessageServiceTests {
    private struct Fixture {
        let store: SQLStore
        let clock = ManualNow(.second(20))
        let counts = OutcomeCounts()

        func service(lateLimit: Duration = .seconds(600)) -> TimedMessageService {
            TimedMessageService(
                store: store, lateLimit: lateLimit, metrics: counts, now: clock.now, logger: .silent)
        }

        func schedule(_ id: MessageID, at second: Int) async throws {
            _ = try await store.schedule(.of(id, in: "c", "text of \(id)", at: second), limit: 99, at: clock.now())
        }
    }

    private func withFixture(_ body: (Fixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "timed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await ScheduledContract.furnish(store)
            try await body(Fixture(store: store))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @Test func everythingHappensAtItsTime() async throws {
        try await withFixture { fixture in
            let (store, service) = (fixture.store, fixture.service())
            #expect(try await service.doDue() == nil)
            try await fixture.schedule("s1", at: 100)
            try await fixture.schedule("s2", at: 80)
            _ = try await store.remind("ada", of: "m1", at: 90)

            #expect(try await service.doDue() == .seconds(60))
            fixture.clock.advance(by: .seconds(60))
            #expect(try await service.doDue() == .seconds(10))
            #expect(try await store.texts(in: "c") == ["first", "text of s2"])
            fixture.clock.advance(by: .seconds(10))
            #expect(try await service.doDue() == .seconds(10))
            #expect(try await store.told("ada") == ["m1"])
            fixture.clock.advance(by: .seconds(10))
            #expect(try await service.doDue() == nil)

            #expect(try await store.texts(in: "c") == ["first", "text of s2", "text of s1"])
            #expect(fixture.counts.all["sent"] == 2)
        }
    }

    /// After a time without a server reminders follow always, and messages unless they are too late.
    @Test func whatWasDueFollowsAtTheStart() async throws {
        try await withFixture { fixture in
            try await fixture.schedule("s1", at: 100)
            try await fixture.schedule("s2", at: 500)
            _ = try await fixture.store.remind("ada", of: "m1", at: 100)
            fixture.clock.advance(by: .seconds(780))

            #expect(try await fixture.service(lateLimit: .seconds(600)).doDue() == nil)

            #expect(try await fixture.store.texts(in: "c") == ["first", "text of s2"])
            #expect(try await fixture.store.told("ada") == ["m1"])
            let kept = try await fixture.store.scheduledMessages(of: "ada")
            #expect(kept.map(\.text) == ["text of s1"] && kept.map(\.refusal) == [.missed])
            #expect(fixture.counts.all == ["sent": 1, "missed": 1])
        }
    }

    /// More reminders than one transaction takes.
    @Test func manyRemindersAreNotForgotten() async throws {
        try await withFixture { fixture in
            let messages = (1...250).map { Message.short("c", MessageID(rawValue: "n\($0)"), by: "bob", at: $0) }
            _ = try await fixture.store.post(messages, source: "api", at: .second(10))
            for message in messages {
                _ = try await fixture.store.save(
                    message.key, for: "ada", reminder: .at(.second(50)), limit: 999, at: .second(11))
            }
            fixture.clock.advance(by: .seconds(40))

            #expect(try await fixture.service().doDue() == nil)

            let rows = try await fixture.store.inspect("SELECT COUNT(*) FROM notifications WHERE kind = 'reminder'")
            #expect(rows == ["250"])
        }
    }

    /// The loop hears of a new time through the change log, and does not wait for a longer sleep to end.
    @Test func aNewTimeWakesTheLoop() async throws {
        try await withFixture { fixture in
            let service = fixture.service()
            try await fixture.schedule("far", at: 900_000)
            try await withThrowingTaskGroup { group in
                group.addTask { try await service.run() }
                let start = try await fixture.store.latestChange()
                try await fixture.schedule("s1", at: 21)
                fixture.clock.advance(by: .seconds(5))
                let page = try await fixture.store.changes(after: start, limit: 99)
                service.follow(page.changes)

                while true {
                    let end = try await fixture.store.latestChange()
                    if try await fixture.store.texts(in: "c").count == 2 { break }
                    try await fixture.store.waitForChange(after: end)
                }
                group.cancelAll()
            }
            #expect(try await fixture.store.texts(in: "c") == ["first", "text of s1"])
        }
    }

    /// Changes of messages do not make it look at the times.
    @Test func onlyPersonalChangesWake() async throws {
        try await withFixture { fixture in
            let start = try await fixture.store.latestChange()
            _ = try await fixture.store.post([.short("c", "m2", by: "bob", at: 2)], source: "api", at: .second(2))
            let posted = try await fixture.store.changes(after: start, limit: 99).changes
            #expect(!posted.isEmpty && !TimedMessageService.concerns(posted))

            let before = try await fixture.store.latestChange()
            try await fixture.schedule("s1", at: 100)
            #expect(TimedMessageService.concerns(try await fixture.store.changes(after: before, limit: 99).changes))
            #expect(TimedMessageService.concerns(nil))
        }
    }
}
