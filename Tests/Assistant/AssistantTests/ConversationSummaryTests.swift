import Assistant
import ChatCore
import Prompting
import Retrieval
import Synchronization
import TestSupport
import Testing

@Suite("Running summaries", .hangGuard)
struct ConversationSummaryTests {
    /// Messages with a fact at each of some places.
    private static func talk(_ count: Int, facts: [Int: String]) -> [Message] {
        (0..<count).map { place in
            .short(
                "c", MessageID(rawValue: "m\(place)"), by: place.isMultiple(of: 3) ? "ada" : "bob",
                facts[place].map { "\($0) was told" } ?? "message number \(place) is about the weather", at: place * 60)
        }
    }

    private static func progress(_ events: [AnswerEvent]) -> [[Int]] {
        events.compactMap { if case .progress(let part, let parts) = $0 { [part, parts] } else { nil } }
    }

    @Test("Twenty thousand messages: facts from five places reach the answer, in as many calls as are stated")
    func coversTheWhole() async throws {
        let model = KeepingModel()
        let fixture = ConversationFixture(model: model)
        let places = [0: "FACTa", 5_000: "FACTb", 10_000: "FACTc", 15_000: "FACTd", 19_999: "FACTe"]
        try await fixture.take(Self.talk(20_000, facts: places))

        let events = try await fixture.events(nil)

        guard case .done(let answer) = events.last else { throw ModelServiceError.incompleteReply }
        let first = model.takeCounts()
        // 51 parts of about 12,000 tokens by the estimate; 8 summaries are made into one twice, until there is room.
        #expect(first == KeepingModel.Counts(parts: 51, merges: 2, answers: 1))
        #expect(
            answer.coverage
                == ConversationCoverage(messageCount: 20_000, summarizedCount: 19_886, writtenCount: 53))
        #expect(answer.usage == TokenUsage(promptTokens: first.promptTokens, completionTokens: 540))
        for fact in places.values { #expect(model.lastPrompt.contains("\(fact) was told"), "\(fact)") }
        #expect(answer.text.replacing(#/ \[\d+\]/#, with: "").hasPrefix("FACTa. FACTb. FACTc. FACTd. Done."))
        #expect(answer.citations.map(\.messageKey.messageID) == ["m0", "m5000", "m10000", "m15000"])
        #expect(answer.promptMessageKeys.last?.messageID == "m19999")
        #expect(!answer.notices.contains(.incomplete))
        #expect(Self.progress(events).prefix(first.parts) == (1...first.parts).map { [$0, first.parts] }[...])
        #expect(Self.progress(events).count == first.parts + first.merges)

        // Nothing is asked twice.
        _ = try await fixture.events("Which facts?")
        let second = model.takeCounts()
        #expect(second == KeepingModel.Counts(parts: 0, merges: 0, answers: 1))
        for fact in places.values { #expect(model.lastPrompt.contains("\(fact) was told"), "\(fact)") }

        // Only the part of an edited message is written again.
        _ = try await fixture.store.edit(.of("c", "m5000"), text: "FACTx was told", at: .second(0))
        let edited = try await fixture.answer(nil)
        #expect(edited.text.contains("FACTx [") && edited.citations.map(\.messageKey.messageID)[1] == "m5000")
        #expect(model.takeCounts() == KeepingModel.Counts(parts: 1, merges: 1, answers: 1))
        #expect(!model.lastPrompt.contains("FACTb"))

        // What is deleted is gone.
        try await fixture.store.delete(.of("c", "m10000"), at: .second(0))
        let left = try await fixture.answer(nil)
        #expect(left.citations.map(\.messageKey.messageID) == ["m0", "m5000", "m15000"])
        #expect(model.takeCounts() == KeepingModel.Counts(parts: 1, merges: 0, answers: 1))
        #expect(!model.lastPrompt.contains("FACTc"))
    }
}

@Suite("Summaries that go wrong", .hangGuard)
struct ConversationPartTests {
    /// Sixty messages of which the model's context takes a few: parts are short.
    private static let talk: [Message] = (0..<60).map { place in
        .short(
            "c", MessageID(rawValue: "m\(place)"), by: "bob",
            "word\(place)w see https://harbor.example/\(place) " + String(repeating: "and so on ", count: 10), at: place
        )
    }

    /// A conversation with three parts, and a model that says these for them, then an answer.
    private func fixture(_ replies: FakeLanguageModel.Reply...) async throws -> ConversationFixture {
        var fixture = ConversationFixture(model: FakeLanguageModel(contextTokenCount: 4_096, replies: replies))
        fixture.settings = ConversationSettings(partTokenCount: 1_300, concurrency: 1)
        try await fixture.take(Self.talk)
        return fixture
    }

    private func prompts(_ fixture: ConversationFixture, _ start: String) -> [String] {
        fixture.requests.compactMap(\.messages.last?.content).filter { $0.hasPrefix(start) }
    }

    @Test("What is written of a part is filtered, and cited messages keep their numbers' meaning")
    func filtersNotes() async throws {
        let fixture = try await fixture(
            .text(
                """
                # Notes
                - Bob said word3 [4][99], see https://evil.example/x <b>and</b> https://harbor.example/3
                no citation here
                - Later word1 [2]
                - [3]
                - Only foreign [77]
                """), .text("- Nothing much [1]"), .text("- Nothing more [1]"), .text("As said [1][2]."))

        let answer = try await fixture.answer("What did Bob say of all these words?")

        let kept = try await fixture.summaries()
        #expect(kept.count == 3)
        #expect(kept[0].text == "- Bob said word3 [1], see … and  https://harbor.example/3\n- Later word1 [2]")
        #expect(kept[0].citedIDs == ["m3", "m1"])
        #expect(kept[0].span.firstID == "m0")
        #expect(kept.map(\.messageCount).reduce(0, +) == answer.coverage?.summarizedCount)
        let prompt = try #require(fixture.requests.last?.messages.last?.content)
        // m0 is cited by nothing: of the messages that have a number m1 is the first.
        #expect(prompt.contains("- Bob said word3 [2], see … and  https://harbor.example/3\n- Later word1 [1]\nEND"))
        #expect(answer.citations.map(\.messageKey.messageID) == ["m1", "m3"])
        #expect(!answer.notices.contains(.incomplete))
    }

    @Test("A useless reply is requested once more, then the part is left out, and the answer says so")
    func leavesOut() async throws {
        let fixture = try await fixture(
            .text(""), .text("I'm sorry, I can't help with that."),
            .events([.delta("- cut [1]"), .finished(.length, nil)]),
            .events([.finished(.contentFilter, nil)]), .text("- Third part [1]"), .text("Well [1]."))

        let answer = try await fixture.answer("What did Bob say of all these words?")

        #expect(fixture.requests.count == 6)
        #expect(try await fixture.summaries().map(\.text) == ["- Third part [1]"])
        #expect(answer.notices.contains(.incomplete))
        let prompt = try #require(fixture.requests.last?.messages.last?.content)
        #expect(prompt.contains("There was no room for all of them"))

        // The next question asks for what is missing, and no more.
        let again = try await fixture.answer("What did Bob say of all these words?")
        #expect(!again.notices.contains(.incomplete))
        // Two parts, the question put in other words after the first one, the answer.
        #expect(fixture.requests.count == 10)
    }

    @Test("Of a reply that was cut off the last statement is left out")
    func takesWholeStatements() async throws {
        let fixture = try await fixture(
            .events([.delta("- whole [1]\n- half a stat [2]"), .finished(.length, nil)]), .text("- b [1]"),
            .text("- c [1]"), .text("Well [1]."))

        _ = try await fixture.answer("What did Bob say of all these words?")

        #expect(try await fixture.summaries().map(\.text) == ["- whole [1]", "- b [1]", "- c [1]"])
    }

    @Test(
        "A model that fails ends the answer with its error; what was written before is kept",
        arguments: [
            ModelServiceError.failed(status: 500), .unreachable(reason: "timed out"), .quotaExhausted, .incompleteReply,
        ])
    func keepsWhatWasWritten(error: ModelServiceError) async throws {
        let failure: FakeLanguageModel.Reply =
            error == .incompleteReply ? .events([.delta("- half [1]")]) : .failure(after: [.delta("- half [1]")], error)
        var fixture = try await fixture(
            .text("- first [1]"), failure, .text("- second [1]"), .text("- third [1]"), .text("Well [1]."))
        fixture.fallback = .error

        await #expect(throws: error) { try await fixture.answer("What did Bob say of all these words?") }
        #expect(try await fixture.summaries().map(\.text) == ["- first [1]"])

        _ = try await fixture.answer("What did Bob say of all these words?")
        #expect(try await fixture.summaries().map(\.text) == ["- first [1]", "- second [1]", "- third [1]"])
        #expect(fixture.requests.count == 2 + 2 + 1)
    }

    @Test("A part that is too long for the service is written of in halves")
    func halves() async throws {
        let fixture = try await fixture(
            .failure(after: [], .tooLong), .text("- a [1]"), .text("- b [1]"), .text("- c [1]"), .text("- d [1]"),
            .text("Well [1]."))

        _ = try await fixture.answer("What did Bob say of all these words?")

        let kept = try await fixture.summaries()
        #expect(kept.map(\.text).prefix(2) == ["- a [1]", "- b [1]"])
        #expect(kept[0].span.firstID == "m0" && kept[1].citedIDs == [kept[1].span.firstID])
        #expect([kept[0].messageCount, kept[1].messageCount] == [10, 10])
    }

    private static let cut = TokenUsage(promptTokens: 90, completionTokens: 7)

    @Test("A part whose prompt the service cut without a word is read again in halves")
    func readsAgainInHalves() async throws {
        let fixture = try await fixture(
            .text("- lost [1]", usage: Self.cut), .text("- a [1]"), .text("- b [1]"), .text("- c [1]"),
            .text("- d [1]"), .text("Well [1]."))

        let answer = try await fixture.answer("What did Bob say of all these words?")

        let kept = try await fixture.summaries()
        #expect(kept.map(\.text).prefix(2) == ["- a [1]", "- b [1]"])
        #expect([kept[0].messageCount, kept[1].messageCount] == [10, 10])
        #expect(fixture.requests.last?.messages.last?.content.contains("lost") == false)
        #expect(answer.notices.isEmpty)
        #expect(answer.usage?.promptTokens == 90)
    }

    @Test("Halves that are cut too serve one answer, which says so, and are written again for the next")
    func saysWhatWasCut() async throws {
        var replies: [FakeLanguageModel.Reply] = ["- lost [1]", "- some [1]", "- more [1]"].map {
            .text($0, usage: Self.cut)
        }
        replies += ["- c [1]", "- d [1]", "Well [1].", "- a [1]", "- b [1]"].map { .text($0) }
        var fixture = ConversationFixture(model: FakeLanguageModel(contextTokenCount: 4_096, replies: replies))
        fixture.settings = ConversationSettings(partTokenCount: 1_300, concurrency: 1)
        try await fixture.take(Self.talk)

        let answer = try await fixture.answer("What did Bob say of all these words?")

        #expect(answer.notices == [.promptCut, .incomplete])
        let shown = try #require(fixture.requests.last?.messages.last?.content)
        #expect(shown.contains("- some") && shown.contains("- more") && !shown.contains("lost"))
        #expect(try await fixture.summaries().map(\.text) == ["- c [1]", "- d [1]"])
        let count = fixture.requests.count
        _ = try await fixture.answer("And what did he say then?")
        #expect(try await fixture.summaries().map(\.text).prefix(1) == ["- a [1]"])
        #expect(fixture.requests.count > count + 1)
    }

    @Test("What the assistant said in the conversation is no source of an answer")
    func passesOverItsOwnMessages() async throws {
        let fixture = ConversationFixture(.text("At noon [1]."))
        var own = Message.short("c", "m1", by: "nexus", "The heliotrope is told of elsewhere", at: 2)
        own.kind = .assistant
        try await fixture.take([.short("c", "m0", by: "bob", "We sail at noon", at: 1), own])

        let answer = try await fixture.answer()

        #expect(fixture.requests.last?.messages.contains { $0.content.contains("heliotrope") } == false)
        #expect(answer.coverage?.messageCount == 1)
    }

    @Test("No more of the context is used than the settings say")
    func keepsWithinTheContext() async throws {
        var fixture = ConversationFixture(.text("Well [1]."))
        try await fixture.take(Self.talk)
        _ = try await fixture.answer("What did Bob say of all these words?")
        #expect(fixture.requests.count == 1)

        fixture.settings = ConversationSettings(contextTokenCount: 4_096, partTokenCount: 1_300)
        _ = try await fixture.answer("What did Bob say of all these words?")

        #expect(!prompts(fixture, "Below is a part").isEmpty)
        let longest = fixture.requests.dropFirst().map { request in
            request.messages.reduce(0) { $0 + TokenEstimate.count($1.content) } + request.maximumTokenCount
        }.max()
        #expect(longest ?? .max <= 4_096)
    }

    @Test("A part that is edited while it is written of is not kept, and not used")
    func passesOverWhatChanged() async throws {
        let store = InMemoryStore()
        let model = MeddlingModel(store: store)
        var fixture = ConversationFixture(model: model, store: store)
        fixture.settings = ConversationSettings(partTokenCount: 1_300, concurrency: 1)
        try await fixture.take(Self.talk)

        let answer = try await fixture.answer("What did Bob say of all these words?")

        #expect(answer.notices.contains(.incomplete))
        #expect(try await fixture.summaries().count == 2)
        #expect(!model.lastPrompt.contains("secret"))
    }

    @Test("The messages of a part are fenced, one a line, and numbered")
    func showsParts() async throws {
        let fixture = try await fixture(.text("- a [1]"), .text("- b [1]"), .text("- c [1]"), .text("Well [1]."))

        let events = try await fixture.events("What did Bob say of all these words?")

        let parts = prompts(fixture, "Below is a part")
        #expect(parts.count == 3)
        let fence = String(repeating: "A", count: 16)
        #expect(
            parts[0].contains("\n\nBEGIN \(fence)\nSunday, 2025-06-15 (UTC+02:00)\n[1] 17:06 Name of bob: word0w see"))
        #expect(parts[1].contains("[1] 17:07 Name of bob: word20w"))
        #expect(
            events.prefix(3) == [
                .progress(part: 1, parts: 3), .progress(part: 2, parts: 3), .progress(part: 3, parts: 3),
            ])
        #expect(fixture.requests.prefix(3).allSatisfy { $0.maximumTokenCount == 600 && !$0.streams })
    }

    @Test("Filtered messages that do not fit are summarized without being kept")
    func keepsNoFiltered() async throws {
        let fixture = try await fixture(.text("- a [1]"), .text("- b [1]"), .text("- c [1]"), .text("Well [1]."))

        let answer = try await fixture.answer(nil, filter: ConversationFilter(senderID: "bob"))

        #expect(answer.coverage?.writtenCount == 3)
        #expect(try await fixture.summaries().isEmpty)
        #expect(
            fixture.requests.last?.messages.last?.content.contains("It has 60 messages that were asked for") == true)
    }

    @Test("No more parts are written than the limit; the next question continues")
    func stopsAtTheLimit() async throws {
        var fixture = try await fixture(
            .text("- a [1]"), .text("- b [1]"), .text("Well [1]."), .text("- c [1]"), .text("Well [1]."))
        fixture.settings.partLimit = 2

        let first = try await fixture.answer("What did Bob say of all these words?")
        let second = try await fixture.answer("What did Bob say of all these words?")

        #expect(first.notices.contains(.incomplete) && !second.notices.contains(.incomplete))
        #expect(try await fixture.summaries().map(\.text) == ["- a [1]", "- b [1]", "- c [1]"])
        // The second question is put in other words after the first one.
        #expect(fixture.requests.count == 6)
    }

    @Test("The search finds messages that are shown beside the newest ones; one that fails takes nothing away")
    func showsWhatIsFound() async throws {
        for isFailing in [false, true] {
            var fixture = try await fixture(.text("- a [1]"), .text("- b [1]"), .text("- c [1]"), .text("Well [1][2]."))
            let place = PermittedConversation(
                id: "c", number: ConversationNumber(rawValue: 1), displayName: "Harbor works", timeZone: nil,
                isMember: true)
            let found = Hit(message: Self.talk[5], conversation: place, rank: 1, relevance: 0.8)
            fixture.searching =
                isFailing ? FakeSearching(failure: ModelServiceError.failed(status: 500)) : FakeSearching(hits: [found])

            let events = try await fixture.events("What did Bob say of all these words?")

            guard case .done(let answer) = events.last, case .retrieved(let sources) = events[3] else {
                throw ModelServiceError.incompleteReply
            }
            let prompt = try #require(fixture.requests.last?.messages.last?.content)
            #expect(prompt.contains("Name of bob: word5w") == !isFailing)
            #expect(prompt.contains("Name of bob: word59w"))
            #expect(sources.map(\.hit.message.key.messageID) == (isFailing ? [] : ["m5"]))
            #expect(sources.map(\.number) == (isFailing ? [] : [nil]))
            #expect(answer.citations.map(\.messageKey.messageID) == (isFailing ? ["m0", "m20"] : ["m0", "m5"]))
            #expect(answer.noAnswerReason == .none)
        }
    }

    @Test("The tokens of the day pay for summaries too; when they are used up what was written is kept")
    func paysForSummaries() async throws {
        let usage = TokenUsage(promptTokens: 2_000, completionTokens: 20)
        let fixture = try await fixture(.events([.delta("- a [1]"), .finished(.stop, usage)]))
        let allowance = TokenAllowance(limit: 4_500, usage: fixture.store, now: { thursday })

        await #expect(throws: DailyTokensUsedUp.self) {
            try await fixture.answer("What did Bob say of all these words?", allowance: allowance)
        }

        #expect(try await fixture.summaries().count == fixture.requests.count)
        #expect((1...2).contains(fixture.requests.count))
    }
}

/// A model that edits a message while it writes of the part that holds it.
private final class MeddlingModel: LanguageModel {
    let name = "meddling"
    let contextTokenCount = 4_096
    private let store: InMemoryStore
    private let answered = Mutex("")

    init(store: InMemoryStore) {
        self.store = store
    }

    var lastPrompt: String { answered.withLock { $0 } }

    func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let prompt = request.messages.last?.content ?? ""
        if prompt.hasPrefix("Below is a part"), prompt.contains("word3w") {
            _ = try await store.edit(.of("c", "m3"), text: "nothing", at: .second(0))
            await deliver(.delta("- the secret word3w [4]"))
        } else {
            if !prompt.hasPrefix("Below") { answered.withLock { $0 = prompt } }
            await deliver(.delta("- Some [1]"))
        }
        await deliver(.finished(.stop, nil))
    }
}
