import Assistant
import ChatCore
import Foundation
import Logging
import Prompting
import Synchronization
import TestSupport
import Testing

/// Tokens of users by day, from the question to the store.
@Suite(.hangGuard) struct TokenAllowanceTests {
    private static let usage = TokenUsage(promptTokens: 700, completionTokens: 50)

    private let store = InMemoryStore()

    private func allowance(_ limit: Int, at now: Timestamp = thursday) -> TokenAllowance {
        TokenAllowance(limit: limit, usage: store, now: { now })
    }

    private func service(_ model: FakeLanguageModel, _ allowance: TokenAllowance) throws -> AnswerService {
        try makeService(FakeSearching(hits: [hit(1)]), model: model, allowance: allowance)
    }

    private func used() async throws -> Int { try await store.usedTokens(of: ask().scope.asker, on: thursday.day) }

    @Test func whatTheServiceCountedIsCountedAndKept() async throws {
        let allowance = allowance(100_000)
        let model = FakeLanguageModel(replies: [.text("Yes [1].", usage: Self.usage)])
        let service = try service(model, allowance)

        _ = try await service.whole()
        _ = try await service.whole()
        #expect(try await used() == 0)
        try await allowance.save()
        try await allowance.save()

        #expect(try await used() == 1_500)
    }

    @Test func whoHasUsedUpTheDayIsRefusedUntilMidnightUTC() async throws {
        try await store.addUsedTokens([ask().scope.asker: 9_999], on: thursday.day)
        let model = FakeLanguageModel(replies: [.text("Yes.", usage: Self.usage)])

        // 10:30 UTC: 13.5 hours are left of the day.
        await #expect(throws: DailyTokensUsedUp(retryAfter: 48_600)) {
            try await service(model, allowance(10_000)).whole()
        }
        #expect(model.requests.isEmpty)
        // Before anything is said, so that a stream can still be refused with a status.
        var events: [AnswerEvent] = []
        await #expect(throws: DailyTokensUsedUp.self) {
            try await service(model, allowance(10_000)).answer(ask()) { events.append($0) }
        }
        #expect(events.isEmpty)

        let nextDay = thursday + .seconds(48_600)
        _ = try await service(model, allowance(10_000, at: nextDay)).whole()
        #expect(model.requests.count == 1)
    }

    @Test func anAnswerThatWasCutOffCountsItsEstimate() async throws {
        let allowance = allowance(100_000)
        let model = FakeLanguageModel(replies: [.silence(after: [.delta("Some words that came.")])])
        let service = try service(model, allowance)

        await service.leave { if case .delta = $0 { true } else { false } }
        await model.aborted()
        let prompt = try #require(model.requests.first).messages.reduce(0) { $0 + TokenEstimate.count($1.content) }
        let wanted = prompt + TokenEstimate.count("Some words that came.")
        while try await used() == 0 {
            try await allowance.save()
            await shortPause()
        }

        #expect(try await used() == wanted)
    }

    @Test func aServiceThatFailsBeforeItAnswersCostsNothing() async throws {
        let allowance = allowance(100_000)
        let model = FakeLanguageModel(replies: [.failure(after: [], .failed(status: 500))])

        #expect(try await service(model, allowance).whole().notices == [.modelUnavailable])
        try await allowance.save()

        #expect(try await used() == 0)
    }

    @Test func whatIsUnderWayCountsAgainstTheLimit() async throws {
        // One prompt with its longest answer fits, two do not.
        let allowance = allowance(2_600)
        let model = FakeLanguageModel(replies: [
            .silence(after: [.delta("Hm, well.")]), .text("Yes.", usage: Self.usage),
        ])
        let service = try service(model, allowance)

        let (words, word) = AsyncStream<Void>.makeStream()
        await withTaskGroup { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await service.answer(ask()) { event in if case .delta = event { word.yield() } }
                }
            }
            for await _ in words { break }
            await #expect(throws: DailyTokensUsedUp.self) { try await service.whole() }
            group.cancelAll()
        }
        #expect(model.requests.count == 1)
    }

    @Test func anErasedUsersTokensAreForgotten() async throws {
        let allowance = allowance(100_000)
        let model = FakeLanguageModel(replies: [.text("Yes [1].", usage: Self.usage)])
        _ = try await service(model, allowance).whole()

        allowance.forget(ask().scope.asker)
        try await allowance.save()

        #expect(try await used() == 0)
    }

    @Test func aFollowUpIsNotAskedWithoutTokens() async throws {
        try await store.addUsedTokens([ask().scope.asker: 10_000], on: thursday.day)
        let model = FakeLanguageModel(replies: [.text("Yes.", usage: Self.usage)])
        var followUp = ask("And when does it leave?")
        followUp.history = [Exchange(question: "Which ferry goes to the island?", answer: "The red one.")]

        await #expect(throws: DailyTokensUsedUp.self) { try await service(model, allowance(10_000)).whole(followUp) }

        #expect(model.requests.isEmpty)
    }

    @Test func aStoreThatFailsLosesNothing() async throws {
        let failing = FailingUsage()
        let allowance = TokenAllowance(limit: 100_000, usage: failing, now: { thursday })
        let model = FakeLanguageModel(replies: [.text("Yes.", usage: Self.usage)])
        _ = try await service(model, allowance).whole()

        await #expect(throws: RepositoryError.storageFull) { try await allowance.save() }
        failing.fails.withLock { $0 = false }
        try await allowance.save()

        #expect(failing.kept.withLock { $0 } == [ask().scope.asker: 750])
    }

    private final class FailingUsage: TokenUsageRepository {
        let fails = Mutex(true)
        let kept = Mutex<[UserID: Int]>([:])

        func usedTokens(of user: UserID, on day: Int) async throws -> Int { 0 }

        func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws {
            if fails.withLock({ $0 }) { throw RepositoryError.storageFull }
            kept.withLock { $0.merge(counts) { $0 + $1 } }
        }
    }

    @Test func severalNodesShareTheLimit() async throws {
        let nodes = [allowance(100), allowance(100)]
        for number in 0..<10 {
            _ = try await nodes[number % 2].counting(10, for: "ada") { ((), 10) }
            try await nodes[number % 2].save()
        }
        for node in nodes {
            await #expect(throws: DailyTokensUsedUp.self) { try await node.counting(10, for: "ada") { ((), 10) } }
        }
    }

    @Test func theNumberOfUsersInMemoryIsBoundedAndNothingIsForgotten() async throws {
        let allowance = allowance(1_000)
        for number in 0..<(TokenAllowance.userLimit + 10) {
            _ = try await allowance.counting(10, for: UserID(rawValue: "u\(number)")) { ((), 10) }
            if number % 10_000 == 0 { try await allowance.save() }
        }
        try await allowance.save()
        _ = try await allowance.counting(10, for: "another") { ((), 10) }
        #expect(allowance.userCount <= TokenAllowance.userLimit)

        await #expect(throws: DailyTokensUsedUp.self) {
            try await allowance.counting(995, for: "u0") { ((), 995) }
        }
    }
}
