import Assistant
import ChatCore
import Foundation
import MessageStore
import Retrieval
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// Gives the answers that a test sets, instead of an assistant, and remembers the requests.
private final class SetAnswers: QuestionAnswering {
    /// What one question gets.
    enum Reply: Sendable {
        case answer(String, citing: [MessageKey])
        case nothing
        case failure(ModelServiceError)
        /// Runs a body before it answers.
        case after(@Sendable () async throws -> Void, String, citing: [MessageKey])
    }

    private let state = Mutex<(replies: [Reply], requests: [AskRequest])>(([], []))

    var requests: [AskRequest] { state.withLock { $0.requests } }

    /// Sets the replies; the last one is repeated.
    func set(_ replies: Reply...) { state.withLock { $0.replies = replies } }

    func answer(_ request: AskRequest, deliver: (AnswerEvent) -> Void) async throws {
        let (reply, count) = state.withLock { state in
            state.requests.append(request)
            let reply = state.replies.count > 1 ? state.replies.removeFirst() : state.replies[0]
            return (reply, state.requests.count)
        }
        let id = TurnID(rawValue: "turn-\(count)")
        switch reply {
        case .answer(let text, let keys): deliver(.done(.of(text, citing: keys, id: id)))
        case .nothing:
            var answer = Answer.of("There is nothing.", citing: [], id: id)
            answer.noAnswerReason = .nothingInScope
            deliver(.done(answer))
        case .failure(let error): throw error
        case .after(let body, let text, let keys):
            try await body()
            deliver(.done(.of(text, citing: keys, id: id)))
        }
    }

    func perform(_ task: ClientTask, deliver: (AnswerEvent) -> Void) async throws {}
}

extension Answer {
    fileprivate static func of(_ text: String, citing keys: [MessageKey], id: TurnID) -> Answer {
        let sources = keys.enumerated().map { place, key in
            Source(
                number: place + 1,
                hit: Hit(
                    message: Message(key: key, senderID: "bob", senderName: "Bob", text: "text", timestamp: thursday),
                    conversation: PermittedConversation(
                        id: key.conversationID, number: ConversationNumber(rawValue: 1), displayName: "Harbor",
                        timeZone: nil, isMember: true),
                    rank: place + 1, relevance: 0.9, passage: nil))
        }
        let citations = sources.compactMap { source in
            source.number.map { Citation(number: $0, messageKey: source.hit.message.key, range: 0..<0) }
        }
        return Answer(
            turnID: id, text: text, sources: sources, citations: citations, noAnswerReason: .none, mode: nil,
            generation: nil, promptMessageKeys: keys, usage: nil, notices: [])
    }
}

/// A store in a folder with the service of schedules; it is Monday, 2026-11-02 07:00 in Berlin.
private struct ScheduleFixture {
    let store: SQLStore
    let answers = SetAnswers()
    let clock: ManualNow
    let counts = OutcomeCounts()

    static let start = "2026-11-02T06:00:00Z"

    static func with(_ body: (ScheduleFixture) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "schedules-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(
                ScheduleFixture(store: store, clock: ManualNow(try #require(Timestamp(iso8601: start)))))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    func service(_ settings: ScheduleSettings = ScheduleSettings()) -> ScheduleService {
        ScheduleService(
            store: store, answering: answers, settings: settings, supportNote: { _ in nil }, metrics: counts,
            now: clock.now, logger: .silent)
    }

    /// Makes a conversation of Ada and Bob with two messages of Bob.
    func furnish() async throws {
        _ = try await store.store(
            [.of("c", ["ada", "bob"], name: "Ferry line")], source: "api", mode: .posting, at: clock.now())
        try await post("m1", "the launch is on the 27th")
        try await post("m2", "the crane is at berth nine")
    }

    func post(_ id: MessageID, _ text: String, by sender: UserID = "bob") async throws {
        _ = try await store.post(
            [
                Message(
                    key: .of("c", id), senderID: sender, senderName: sender == "bob" ? "Bob" : "Ada", text: text,
                    timestamp: clock.now())
            ], source: "api", at: clock.now())
    }

    /// Saves a schedule of Ada for Mondays at 09:00 in Berlin.
    func save(_ content: Schedule.Content = .question("What about the launch?", nil), language: String = "en")
        async throws
    {
        let times = try #require(ScheduleTimes(days: [.monday], minute: 540, timeZone: "Europe/Berlin"))
        let schedule = Schedule(
            id: "s", ownerID: "ada", content: content, times: times, language: language,
            next: times.next(after: clock.now()), createdAt: clock.now())
        #expect(try await store.create(schedule, limit: 9))
    }

    func run(_ settings: ScheduleSettings = ScheduleSettings()) async throws {
        let service = service(settings)
        while try await service.runNext() {}
    }

    func posts() async throws -> [Message] {
        guard let conversation = try await store.assistantConversation(of: "ada") else { return [] }
        return try await store.page(of: conversation, asker: "ada", before: nil, limit: 99, at: clock.now()).reversed()
    }

    var schedule: Schedule { get async throws { try await store.schedule("s", of: "ada") } }

    func advance(hours: Int) { clock.advance(by: .seconds(hours * 3_600)) }
}

@Suite struct ScheduleServiceTests {
    private static let m1 = MessageKey.of("c", "m1")

    @Test func asksAsThePersonAndPostsTheAnswer() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save(.question("What about the launch?", "c"))
            fixture.answers.set(.answer("On the 27th [1].", citing: [Self.m1]))

            try await fixture.run()
            #expect(fixture.answers.requests.isEmpty)
            fixture.advance(hours: 2)
            try await fixture.run()

            let request = try #require(fixture.answers.requests.first)
            #expect(fixture.answers.requests.count == 1)
            #expect(request.scope == SearchScope(asker: "ada", conversations: .only(["c"])))
            #expect(request.timeZone == "Europe/Berlin" && !request.isKept)
            let post = try #require(try await fixture.posts().first)
            #expect(
                post.text
                    == "What about the launch?\n\nOn the 27th [1].\n\n[1] Bob, 2025-10-23, from Harbor")
            #expect(post.kind == .assistant && post.senderID == "nexus")
            #expect(post.extra?.contains(#""messageId":"m1""#) == true)
            #expect(try await fixture.schedule.next?.iso8601 == "2026-11-09T08:00:00.000Z")
            #expect(try await fixture.schedule.last?.outcome == .delivered)
            let turn = try await fixture.store.turns(of: "ada", in: nil, before: nil, limit: 9).first
            #expect(turn?.answer == "On the 27th [1].")
            #expect(fixture.counts.all["delivered"] == 1)
        }
    }

    @Test func isSilentWithoutAnythingNew() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save()
            fixture.answers.set(.nothing)
            fixture.advance(hours: 2)
            try await fixture.run()
            #expect(try await fixture.schedule.last?.outcome == .silent)
            #expect(try await fixture.posts().isEmpty)

            // The same messages as last time say nothing new; others do.
            fixture.answers.set(
                .answer("One [1].", citing: [Self.m1]), .answer("In other words: one [1].", citing: [Self.m1]),
                .answer("Two [1].", citing: [.of("c", "m2")]))
            for wanted in [Schedule.Outcome.delivered, .silent, .delivered] {
                fixture.advance(hours: 24 * 7)
                try await fixture.run()
                #expect(try await fixture.schedule.last?.outcome == wanted)
            }
            #expect(try await fixture.posts().count == 2)
            let turns = try await fixture.store.turns(of: "ada", in: nil, before: nil, limit: 9)
            #expect(turns.map(\.answer) == ["Two [1].", "One [1]."])
        }
    }

    /// After three weeks without a server one time is run, if it is not too late.
    @Test(arguments: [(hours: 11, outcome: Schedule.Outcome.delivered), (13, .missed)])
    func runsAtMostOneMissedTime(_ hours: Int, _ outcome: Schedule.Outcome) async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save()
            fixture.answers.set(.answer("One [1].", citing: [Self.m1]))
            fixture.advance(hours: 2 + 24 * 21 + hours)

            try await fixture.run()

            #expect(try await fixture.posts().count == (outcome == .delivered ? 1 : 0))
            let last = try await fixture.schedule.last
            #expect(last?.outcome == outcome)
            #expect(last?.occurrence.iso8601 == "2026-11-23T08:00:00.000Z")
            #expect(try await fixture.schedule.next?.iso8601 == "2026-11-30T08:00:00.000Z")
        }
    }

    /// A model that fails is asked again; the last attempt may quote.
    @Test func triesAgainAndThenGivesUp() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save()
            fixture.answers.set(.failure(.unreachable(reason: "down")))
            fixture.advance(hours: 2)
            for wanted in [1, 2, 3] {
                try await fixture.run()
                #expect(fixture.answers.requests.count == wanted)
                // Not before the pause is over.
                try await fixture.run()
                #expect(fixture.answers.requests.count == wanted)
                fixture.clock.advance(by: .seconds(300))
            }
            try await fixture.run()

            #expect(fixture.answers.requests.map(\.allowsFallback) == [false, false, true])
            #expect(try await fixture.schedule.last?.outcome == .failed)
            #expect(try await fixture.posts().isEmpty)
        }
    }

    /// A process that is killed while it answers leaves a lease; the next one asks again, and one message is posted.
    @Test func continuesAfterAKill() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save()
            fixture.advance(hours: 2)
            fixture.answers.set(
                .after(
                    {
                        // Another process takes the run over and finishes it, while this one still answers.
                        try await fixture.store.beginSchedules()
                        try await fixture.run()
                    }, "late [1]", citing: [Self.m1]), .answer("first [1]", citing: [Self.m1]))

            try await fixture.run()

            #expect(try await fixture.posts().map(\.text.isEmpty) == [false])
            #expect(try await fixture.posts().first?.text.contains("first [1]") == true)
            #expect(try await fixture.store.turns(of: "ada", in: nil, before: nil, limit: 9).count == 1)
            #expect(fixture.counts.all["dropped"] == 1)
        }
    }

    /// A message that is deleted while the answer is written is not quoted; the question is asked again.
    @Test func asksAgainIfASourceGoesMeanwhile() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save()
            fixture.advance(hours: 2)
            fixture.answers.set(
                .after(
                    { try await fixture.store.delete(Self.m1, at: fixture.clock.now()) }, "m1 [1]", citing: [Self.m1]),
                .answer("m2 [1]", citing: [.of("c", "m2")]))

            try await fixture.run()
            #expect(try await fixture.posts().isEmpty)
            fixture.advance(hours: 1)
            try await fixture.run()

            #expect(try await fixture.posts().first?.text.contains("m2 [1]") == true)
        }
    }

    @Test func pausesForSomebodyWhoLeft() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save(.question("What about the launch?", "c"))
            fixture.answers.set(.answer("One [1].", citing: [Self.m1]))
            fixture.advance(hours: 1)
            try await fixture.store.removeMember("ada", from: "c", at: fixture.clock.now())
            fixture.advance(hours: 1)

            try await fixture.run()

            #expect(fixture.answers.requests.isEmpty)
            #expect(try await fixture.schedule.pause == .conversationLeft)
        }
    }
}

/// Digests, which ask no language model.
@Suite struct DigestTests {
    private func item(
        _ id: ItemID, _ kind: ExtractedItem.Kind, from message: MessageID, _ text: String, due: String? = nil,
        person: UserID? = "ada", at moment: Timestamp, supersededBy: ItemID? = nil
    ) throws -> ExtractedItem {
        ExtractedItem(
            id: id, kind: kind, key: .of("c", message), sentAt: moment, text: text, personID: person,
            due: try due.map { try #require(Timestamp(iso8601: $0)) }, quote: "quote", supersededByID: supersededBy,
            extractedAt: moment)
    }

    private func add(_ items: [ExtractedItem], to fixture: ScheduleFixture) async throws {
        for kind in Set(items.map(\.kind)) {
            let end = fixture.clock.now() + .seconds(60)
            let lease = try await fixture.store.beginExtraction(
                of: kind, in: "c", asker: "ada", leaseID: "\(kind)-\(end.microseconds)", until: end,
                at: fixture.clock.now())
            var changes = ItemChanges()
            changes.added = items.filter { $0.kind == kind }
            try await fixture.store.commit(
                changes, of: lease, through: try await fixture.store.latestChange(), until: end,
                at: fixture.clock.now())
            try await fixture.store.endExtraction(lease)
        }
    }

    @Test func saysWhatWasMissedWhatIsDueAndWhatWasDecided() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            let now = fixture.clock.now()
            try await fixture.save(.digest(Set(Schedule.DigestPart.allCases)))
            try await add(
                [
                    try item(
                        "i1", .actionItem, from: "m1", "order the sensors", due: "2026-11-05T17:00:00Z", at: now),
                    try item(
                        "i2", .actionItem, from: "m1", "not Ada's", due: "2026-11-05T17:00:00Z", person: "bob", at: now),
                    try item("i3", .actionItem, from: "m1", "much later", due: "2026-12-24T17:00:00Z", at: now),
                    try item(
                        "i4", .deadline, from: "m2", "the tender", due: "2026-11-01T17:00:00Z", person: nil, at: now),
                    try item("d1", .decision, from: "m1", "launch on the 27th", at: now, supersededBy: "d2"),
                    try item("d2", .decision, from: "m2", "launch on the 3rd", at: now),
                ], to: fixture)
            fixture.advance(hours: 2)

            try await fixture.run()

            let text = try #require(try await fixture.posts().first?.text)
            #expect(
                text.split(separator: "\n").map(String.init) == [
                    "Digest of 2026-11-02",
                    "- Ferry line: 2 unread messages. Bob: “the crane is at berth nine” [1]",
                    "- Overdue since 2026-11-01: the tender (Ferry line) [1]",
                    "- Due on 2026-11-05: order the sensors (Ferry line) [2]",
                    "- Decision changed (Ferry line): launch on the 3rd [1]. Before: launch on the 27th [2]",
                ])
            // Each line goes with each of its messages.
            try await fixture.store.delete(.of("c", "m1"), at: fixture.clock.now())
            #expect(
                try await fixture.posts().first?.text.split(separator: "\n").map(String.init) == [
                    "Digest of 2026-11-02",
                    "- Ferry line: 2 unread messages. Bob: “the crane is at berth nine” [1]",
                    "- Overdue since 2026-11-01: the tender (Ferry line) [1]",
                ])
        }
    }

    @Test func isSilentWhenNothingHappened() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save(.digest([.missed, .due, .decisions]), language: "de")
            fixture.advance(hours: 2)
            try await fixture.run()
            #expect(
                try await fixture.posts().first?.text
                    == "Überblick vom 2026-11-02\n- Ferry line: 2 ungelesene Nachrichten. Bob: „the crane is at berth nine“ [1]"
            )

            // Nothing was written since, although the messages and the digest are still unread.
            fixture.advance(hours: 24 * 7)
            try await fixture.run()
            #expect(try await fixture.schedule.last?.outcome == .silent)

            fixture.advance(hours: 24)
            try await fixture.post("m3", "the tender is out")
            fixture.advance(hours: 24 * 6)
            try await fixture.run()
            #expect(try await fixture.posts().count == 2)
            #expect(try await fixture.posts().last?.text.contains("3 ungelesene Nachrichten") == true)
        }
    }

    @Test func leavesOutWhatIsReadOrMutedOrOwn() async throws {
        try await ScheduleFixture.with { fixture in
            try await fixture.furnish()
            try await fixture.save(.digest([.missed]))
            _ = try await fixture.store.changePreferences(of: "c", for: "ada", at: fixture.clock.now()) {
                $0.isMuted = true
            }
            fixture.advance(hours: 2)
            try await fixture.run()
            #expect(try await fixture.schedule.last?.outcome == .silent)

            _ = try await fixture.store.changePreferences(of: "c", for: "ada", at: fixture.clock.now()) {
                $0.isMuted = false
            }
            _ = try await fixture.store.markRead(["m2"], in: "c", by: "ada", at: fixture.clock.now())
            fixture.advance(hours: 24 * 7)
            try await fixture.post("m3", "mine", by: "ada")
            try await fixture.run()
            #expect(try await fixture.schedule.last?.outcome == .silent)
        }
    }
}
