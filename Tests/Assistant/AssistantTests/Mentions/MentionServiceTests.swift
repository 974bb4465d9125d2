import Assistant
import ChatCore
import CoreMetrics
import Foundation
import Ingest
import Logging
import MessageStore
import Prompting
import Retrieval
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A store in a folder, an assistant over it whose model repeats its prompt, and the service that answers mentions.
struct MentionFixture {
    let store: SQLStore
    let clock = ManualNow(.second(0))
    let service: MentionService
    let metrics = OutcomeCounts()
    private let worker: IngestWorker

    static func with(
        _ settings: MentionSettings = MentionSettings(), model: any LanguageModel = RepeatingModel(end: "[1] [2] [3]"),
        _ body: (MentionFixture) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "mentions-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(try MentionFixture(store, settings, model))
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    private init(_ store: SQLStore, _ settings: MentionSettings, _ model: any LanguageModel) throws {
        self.store = store
        let source = FakeEmbedderSource(FakeEmbedder())
        let searcher = HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: .silent),
            lexicon: LiveLexicon(store: store, logger: .silent), embedders: source, now: clock.now, logger: .silent)
        let answering = AnswerService(
            searching: searcher,
            session: ModelSession(
                model: model, prompts: try PromptLibrary(overrides: nil), now: clock.now, logger: .silent),
            turns: store, settings: unchecked)
        service = MentionService(
            store: store, answering: answering, settings: settings, failureText: answering.mentionFailedText(_:),
            linkText: answering.linkOutcomeText(_:account:), supportNote: answering.supportNote(of:), metrics: metrics,
            now: clock.now, logger: .silent)
        worker = IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent)
    }

    func make(
        _ id: ConversationID, _ members: [UserID], _ visibility: Conversation.Visibility = .members,
        kind: Conversation.Kind = .group
    ) async throws {
        let roster = ConversationRoster.of(id, members, kind: kind, visibility: visibility, name: "Room \(id)")
        _ = try await store.store([roster], source: "api", mode: .posting, at: clock.now())
    }

    @discardableResult
    func write(_ message: Message) async throws -> AcceptOutcome? {
        try await store.accept([message], source: "api", mode: .posting, at: clock.now()).first
    }

    /// Looks and answers until nothing is due.
    func work() async throws {
        try await worker.drain { _ in }
        _ = try await service.look(from: nil)
        while try await service.answerNext() {}
    }

    /// The assistant's messages in a conversation, oldest first.
    func answers(in id: ConversationID, asker: UserID = "ada") async throws -> [Message] {
        try await store.page(of: id, asker: asker, before: nil, limit: 1_000, at: clock.now())
            .filter { $0.senderID == MentionSettings.assistantID }.reversed()
    }

    func states() async throws -> [String: Int] {
        try await store.mentionCounts()
    }
}

/// A language model during whose first answer the store fails.
private final class InterruptedModel: LanguageModel {
    let name = "interrupted"
    let contextTokenCount = 16_384
    private let wasAsked = Mutex(false)

    func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let isFirst = wasAsked.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
        guard !isFirst else { throw RepositoryError.unavailable(reason: "it restarts") }
        await deliver(.delta("At berth nine."))
        await deliver(.finished(.stop, nil))
    }
}

@Suite("Mentions", .hangGuard)
struct MentionServiceTests {
    private static func mention(_ id: MessageID, _ text: String = "@ai where is the crane?", at second: Int = 10)
        -> Message
    {
        .short("c", id, text, at: second)
    }

    @Test(
        arguments: [
            ("@ai where is it?", "where is it?"), ("  @AI: where?", "where?"), ("@Nexus, where\nis it", "where\nis it"),
            ("@ai", nil), ("@ai ?!", nil), ("@aiden where?", nil), ("where is @ai", nil), ("ai where?", nil),
            ("@bot where?", nil), ("", nil), ("@ai-team where?", nil), ("@ai.bot where?", nil),
            ("@ai‑team where?", nil),
            ("@ai@chat.example where?", nil), ("@ai... where?", "... where?"), ("`@ai where?`", nil),
            ("> @ai where?", nil),
            ("```\n@ai where?\n```", nil), ("@ai - where?", "where?"),
        ] as [(String, String?)])
    func aNameAtTheBeginningAsks(text: String, question: String?) {
        #expect(MentionSettings().question(in: text) == question)
    }

    @Test func isAnsweredOnceInItsThreadWithItsSources() async throws {
        try await MentionFixture.with { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("c", "m1", by: "bob", "The crane stands at berth nine", at: 1))
            try await fixture.write(Self.mention("m2"))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()

            let answers = try await fixture.answers(in: "c")
            let answer = try #require(answers.first)
            #expect(answers.count == 1)
            #expect(answer.kind == .assistant)
            #expect(answer.replyToID == "m2")
            #expect(answer.threadRootID == "m2")
            #expect(answer.text.contains("berth nine"))
            #expect(answer.text.hasSuffix("Name of bob, 2025-06-15"))
            #expect(answer.extra?.contains(#""messageId":"m1""#) == true)
            #expect(answer.extra?.contains(#""isElsewhere":false"#) == true)

            // Sent again, edited, and after a restart of the service.
            #expect(try await fixture.write(Self.mention("m2")) == .unchanged("m2"))
            _ = try await fixture.store.edit(.of("c", "m2"), text: "@ai and where is the tug?", at: fixture.clock.now())
            try await fixture.work()
            #expect(try await fixture.answers(in: "c") == answers)
            #expect(try await fixture.states() == ["answered": 1])
        }
    }

    @Test func aFollowUpInTheThreadKnowsWhatWasSaid() async throws {
        let model = RepeatingModel(end: "[1] [2] [3]")
        try await MentionFixture.with(model: model) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("c", "m1", by: "bob", "The crane stands at berth nine", at: 1))
            try await fixture.write(Self.mention("m2", "@ai where is the heliotrope crane?"))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            var next = Self.mention("m3", "@ai and since when?", at: 30)
            next.threadRootID = "m2"
            try await fixture.write(next)
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()

            #expect(try await fixture.answers(in: "c").map(\.threadRootID) == ["m2", "m2"])
            #expect(model.prompts.last?.contains("heliotrope") == true)
        }
    }

    @Test func whatIsNoQuestionOfAPersonIsNotAnswered() async throws {
        try await MentionFixture.with { fixture in
            try await fixture.make("c", ["ada", "bob"])
            // What was there before the first look is history.
            try await fixture.write(Self.mention("m0"))
            _ = try await fixture.service.look(from: nil)
            for (id, kind) in [("m1", Message.Kind.bot), ("m2", .system), ("m3", .assistant)] {
                var message = Self.mention(MessageID(rawValue: id))
                message.kind = kind
                try await fixture.write(message)
            }
            var own = Self.mention("m4")
            own.senderID = MentionSettings.assistantID
            try await fixture.write(own)
            try await fixture.write(Self.mention("m5", at: -10_000))
            try await fixture.write(Self.mention("m6"))
            try await fixture.store.delete(.of("c", "m6"), at: fixture.clock.now())
            try await fixture.write(.short("c", "m7", by: "eve", "@ai where is the crane?", at: 10))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()

            #expect(try await fixture.answers(in: "c").map(\.key.messageID) == ["m4"])
            #expect(try await fixture.states() == ["dropped": 1])
        }
    }

    @Test func aConversationThatAsksTooMuchWaitsAMinute() async throws {
        try await MentionFixture.with(MentionSettings(answersPerMinute: 2)) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            for number in 1...4 { try await fixture.write(Self.mention(MessageID(rawValue: "m\(number)"))) }
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            #expect(try await fixture.states() == ["answered": 2, "limited": 2])
            // The limit is reported once.
            let told = try await fixture.answers(in: "c").filter { $0.text.contains("too many questions") }
            #expect(told.map(\.replyToID) == ["m3"])
            #expect(told.first?.extra?.contains("limited") == true)
            fixture.clock.advance(by: .seconds(61))
            try await fixture.write(Self.mention("m5", at: 80))
            try await fixture.work()
            #expect(try await fixture.states() == ["answered": 3, "limited": 2])
        }
    }

    @Test func aModelThatFailsIsAskedAgainAndThenNoMore() async throws {
        let model = FakeLanguageModel(replies: [
            .failure(after: [.delta("The")], .incompleteReply), .text("At berth nine."),
        ])
        try await MentionFixture.with(model: model) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(Self.mention("m1"))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            #expect(try await fixture.states() == ["waiting": 1])
            fixture.clock.advance(by: .seconds(11))
            try await fixture.work()
            #expect(try await fixture.answers(in: "c").map(\.text) == ["At berth nine."])
        }
        let refusing = FakeLanguageModel(replies: [.failure(after: [], .unreachable(reason: "refused"))])
        try await MentionFixture.with(model: refusing) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(Self.mention("m1"))
            for _ in 0..<10 {
                fixture.clock.advance(by: .seconds(100))
                try await fixture.work()
            }
            #expect(try await fixture.states() == ["failed": 1])
            #expect(refusing.requests.count == 4)
            #expect(fixture.metrics.all == ["again": 3, "failed": 1])
        }
    }

    @Test func aFailureOfTheStoreDelaysAnAnswerOnlyUntilItIsThereAgain() async throws {
        try await MentionFixture.with(model: InterruptedModel()) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(Self.mention("m1"))
            fixture.clock.advance(by: .seconds(20))
            await #expect(throws: RepositoryError.unavailable(reason: "it restarts")) { try await fixture.work() }
            #expect(try await fixture.states() == ["waiting": 1])

            // No time has passed.
            while try await fixture.service.answerNext() {}

            #expect(try await fixture.answers(in: "c").map(\.text) == ["At berth nine."])
            #expect(try await fixture.states() == ["answered": 1])
        }
    }

    /// The asker does not keep waiting: the failure is reported in the conversation once, and the question is settled.
    @Test(arguments: [
        (ModelServiceError.unreachable(reason: "refused"), 4), (.unauthorized(status: 401), 1), (.tooLong, 1),
    ])
    func aModelThatGivesNoAnswerIsToldOf(error: ModelServiceError, calls: Int) async throws {
        let model = FakeLanguageModel(replies: [.failure(after: [], error)])
        try await MentionFixture.with(MentionSettings(isDelivered: true), model: model) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(Self.mention("m1"))
            for _ in 0..<10 {
                fixture.clock.advance(by: .seconds(100))
                try await fixture.work()
            }

            let answers = try await fixture.answers(in: "c")
            #expect(answers.map(\.replyToID) == ["m1"])
            #expect(answers.first?.kind == .assistant)
            #expect(answers.first?.text.contains("the language model could not be reached") == true)
            #expect(
                answers.first?.extra == #"{"nexus":{"notices":["failed"],"question":"m1","sources":[]}}"#)
            // A prompt that is too long is made shorter first.
            if error != .tooLong { #expect(model.requests.count == calls) }
            #expect(try await fixture.states() == ["failed": 1])
            #expect(fixture.metrics.all["failed"] == 1 && fixture.metrics.all["answered"] == nil)
            let delivery = try await fixture.store.claimDelivery(until: .second(9_999), at: fixture.clock.now())
            #expect(delivery?.answer == answers.first)

            // It is no answer that a later question would come after, and goes with the question.
            #expect(try await fixture.store.answeredMentions(inThread: "m1", of: "c", within: ["c"], limit: 9).isEmpty)
            try await fixture.store.delete(.of("c", "m1"), at: fixture.clock.now())
            #expect(try await fixture.answers(in: "c").isEmpty)
        }
    }

    @Test func theTurnGoesWithTheQuestion() async throws {
        try await MentionFixture.with { fixture in
            try await fixture.make("c", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            let mention = Self.mention("m1")
            try await fixture.write(mention)
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            let asked = try await fixture.store.turns(of: mention.senderID, limit: 10)
            #expect(asked.map(\.question) == ["where is the crane?"])

            try await fixture.store.delete(mention.key, at: fixture.clock.now())

            let left = try await fixture.store.turns(of: mention.senderID, limit: 10)
            #expect(left.map(\.question) == [""] && left.map(\.answer) == [""])
        }
    }

    @Test func anAnswerGoesWithWhatItStandsOn() async throws {
        try await MentionFixture.with(MentionSettings(isDelivered: true)) { fixture in
            try await fixture.make("c", ["ada", "bob"])
            try await fixture.make("d", ["ada", "bob"])
            _ = try await fixture.service.look(from: nil)
            try await fixture.write(.short("d", "m1", by: "bob", "The heliotrope crane stands at berth nine", at: 1))
            try await fixture.write(Self.mention("m2", "@ai where is the heliotrope crane?"))
            fixture.clock.advance(by: .seconds(20))
            try await fixture.work()
            let answer = try #require(try await fixture.answers(in: "c").first)
            #expect(answer.text.contains(", from Room d"))
            #expect(answer.extra?.contains(#""isElsewhere":true"#) == true)
            let delivery = try #require(
                try await fixture.store.claimDelivery(until: .second(60), at: fixture.clock.now()))
            #expect(delivery == MentionDelivery(answer: answer, attempts: 1))
            try await fixture.store.settle(delivery, retryAt: nil)
            #expect(try await fixture.store.claimDelivery(until: .second(60), at: fixture.clock.now()) == nil)

            try await fixture.store.delete(.of("d", "m1"), at: fixture.clock.now())

            #expect(try await fixture.answers(in: "c").isEmpty)
            let gone = try #require(
                try await fixture.store.claimDelivery(until: .second(60), at: fixture.clock.now()))
            #expect(gone.answer.key == answer.key)
            #expect(gone.answer.deletedAt != nil)
            #expect(gone.answer.text.isEmpty && gone.answer.extra == nil)
            try await fixture.work()
            #expect(try await fixture.answers(in: "c").isEmpty)
        }
    }

    /// Nothing of a conversation that any reader of the answer may not see is in it, however people come and go.
    @Test(arguments: [MentionSettings.Reach.audience, .thisConversation])
    func anAnswerStandsOnWhatAllItsReadersMaySee(reach: MentionSettings.Reach) async throws {
        var random = SystemRandomNumberGenerator()
        let users: [UserID] = ["ada", "bob", "cleo", "dan"]
        let ids = (0..<6).map { ConversationID(rawValue: "k\($0)") }
        try await MentionFixture.with(MentionSettings(reach: reach, answersPerMinute: 1_000)) { fixture in
            var members: [ConversationID: Set<UserID>] = [:]
            for id in ids {
                let first = Set(users.shuffled(using: &random).prefix(3))
                members[id] = first
                try await fixture.make(id, first.sorted(), id == ids[5] ? .everyone : .members)
                for number in 0..<3 {
                    let text = "the crane of hush\(id)x stands at berth \(number)"
                    try await fixture.write(
                        .short(id, MessageID(rawValue: "\(id)m\(number)"), by: first.sorted()[0], text, at: 1))
                }
            }
            _ = try await fixture.service.look(from: nil)
            var heard: Set<String> = []
            for step in 0..<25 {
                let id = ids[Int.random(in: 0..<6, using: &random)]
                let user = users[Int.random(in: 0..<4, using: &random)]
                if Bool.random(using: &random) {
                    try await fixture.store.removeMember(user, from: id, at: fixture.clock.now())
                    members[id]?.remove(user)
                } else {
                    let member = Member(userID: user, displayName: "Name", joinedAt: .second(0))
                    try await fixture.store.setMember(member, in: id, source: "api", at: fixture.clock.now())
                    members[id]?.insert(user)
                }
                fixture.clock.advance(by: .seconds(5))
                let place = ids[Int.random(in: 0..<6, using: &random)]
                guard let asker = members[place]?.sorted().first else { continue }
                let key = MessageID(rawValue: "ask\(step)")
                try await fixture.write(
                    .short(place, key, by: asker, "@ai where is the crane?", at: 5 * step + 5))
                try await fixture.work()
                let answer = try await fixture.answers(in: place, asker: asker).first { $0.replyToID == key }
                let text = try #require(answer).text + (answer?.extra ?? "")
                let readers = place == ids[5] ? nil : members[place]
                for other in ids where text.contains("hush\(other)x") || text.contains("\"\(other)\"") {
                    heard.insert(other.rawValue + place.rawValue)
                    let isOpen = other == ids[5]
                    let isSeen = readers.map { $0.isSubset(of: members[other] ?? []) } ?? false
                    #expect(other == place || (reach == .audience && (isOpen || isSeen)), "\(other) in \(place)")
                }
            }
            let elsewhere = heard.filter { $0.prefix(2) != $0.suffix(2) }
            #expect(heard.count > elsewhere.count)
            #expect(reach == .thisConversation ? elsewhere.isEmpty : !elsewhere.isEmpty)
        }
    }
}

/// Counts mentions by what became of them.
final class OutcomeCounts: MetricsFactory {
    private let counts = Mutex<[String: Int]>([:])

    var all: [String: Int] { counts.withLock { $0 } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Handler(owner: self, outcome: dimensions.first { $0.0 == "outcome" }?.1 ?? label)
    }

    private final class Handler: CounterHandler {
        let owner: OutcomeCounts
        let outcome: String

        init(owner: OutcomeCounts, outcome: String) {
            self.owner = owner
            self.outcome = outcome
        }

        func increment(by amount: Int64) {
            owner.counts.withLock { $0[outcome, default: 0] += Int(amount) }
        }

        func reset() {}
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
