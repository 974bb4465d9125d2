import Assistant
import ChatCore
import Logging
import Prompting
import TestSupport
import Testing

/// A conversation in a store, and a service over it that suggests replies to Ada.
struct ReplyFixture {
    let store = InMemoryStore()
    let model: FakeLanguageModel

    init(_ replies: FakeLanguageModel.Reply..., contextTokenCount: Int = 16_384) {
        model = FakeLanguageModel(contextTokenCount: contextTokenCount, replies: replies)
    }

    func take(_ messages: [Message], members: [UserID] = ["ada", "bob"]) async throws {
        for id in Set(messages.map(\.key.conversationID) + ["c"]).sorted() {
            let roster = ConversationRoster.of(id, id == "c" ? members : ["eve"])
            _ = try await store.store([roster], source: "test", mode: .posting, at: .second(0))
        }
        for outcome in try await store.accept(messages, source: "test", mode: .posting, at: .second(0)) {
            #expect(outcome == .inserted)
        }
    }

    func replies(
        for asker: UserID = "ada", hasModel: Bool = true, allowance: TokenAllowance? = nil, timeZone: String? = nil
    ) async throws -> SmartReplies {
        let assistant = try makeService(FakeSearching(hits: []), model: hasModel ? model : nil, allowance: allowance)
        return try await SmartReplyService(session: assistant.session, messages: store).replies(
            for: asker, in: "c", timeZone: timeZone)
    }

    /// Returns what is suggested where the model says `text`, and where it was cut off after it.
    static func suggested(_ text: String, to last: String = "Can we sail on Friday?") async throws -> (
        whole: SmartReplies, cut: SmartReplies
    ) {
        let fixture = ReplyFixture(.text(text), .events([.delta(text), .finished(.length, nil)]))
        try await fixture.take([.short("c", "m1", by: "bob", last)])
        return (try await fixture.replies(), try await fixture.replies())
    }
}

@Suite("Smart replies", .hangGuard)
struct SmartReplyTests {
    private static let question = Message.short("c", "m9", by: "bob", "Can we sail on Friday?", at: 9)

    @Test("Times are those of the person's zone, or of the conversation's", arguments: [nil, "Asia/Tokyo"])
    func showsTimesInTheZone(zone: String?) async throws {
        let fixture = ReplyFixture(.text(#"["Sure!"]"#))
        try await fixture.take([Self.question])

        _ = try await fixture.replies(timeZone: zone)

        let prompt = try #require(fixture.model.requests.first?.messages.first?.content)
        // The conversation is in Berlin.
        #expect(prompt.contains(zone == nil ? "17:06 (UTC+02:00)" : "00:06 (UTC+09:00)"))
    }

    @Test("The whole prompt: fenced messages, the asker's own marked outside the fence and shown for their tone")
    func showsTheConversation() async throws {
        let fixture = ReplyFixture(.text(#"["Sure!", "Sorry, no.", "When exactly?"]"#))
        var joined = Message.short("c", "m0", by: "bob", "Bob joined", at: 1)
        joined.kind = .system
        let own = Message.short("c", "m1", "yep, moin 👋 {{last}}", at: 2)
        try await fixture.take([joined, own, Self.question])

        let suggested = try await fixture.replies()

        #expect(suggested == SmartReplies(replies: ["Sure!", "Sorry, no.", "When exactly?"]))
        let request = try #require(fixture.model.requests.first)
        #expect(fixture.model.requests.count == 1)
        #expect(request.messages.map(\.role) == [.user])
        #expect(request.maximumTokenCount == 1_024)
        #expect(request.streams == false)
        let prompt = try #require(request.messages.first?.content)
        let fence = String(repeating: "A", count: 16)
        let data = prompt.split(separator: "# How the user writes").last.map(String.init)
        #expect(
            data == """


                BEGIN \(fence)
                yep, moin 👋 {{last}}
                END \(fence)

                # The messages before, oldest first

                By the user:
                BEGIN \(fence)
                From: Name of ada
                Date: Sunday, 2025-06-15 17:06 (UTC+02:00)
                Text: yep, moin 👋 {{last}}
                END \(fence)

                # The last message, to which the user replies

                By somebody else:
                BEGIN \(fence)
                From: Name of bob
                Date: Sunday, 2025-06-15 17:06 (UTC+02:00)
                Text: Can we sail on Friday?
                END \(fence)
                """)
        #expect(prompt.contains("Write in the language of the last message"))
    }

    @Test("Twenty messages are shown, and the newest five of the asker's own among a hundred")
    func showsTheNewest() async throws {
        let fixture = ReplyFixture(.text(#"["Yes"]"#))
        let others = (0..<120).map { number in
            Message.short(
                "c", MessageID(rawValue: "m\(number)"), by: number % 10 == 0 ? "ada" : "bob", "text\(number)q",
                at: number)
        }
        try await fixture.take(others)

        _ = try await fixture.replies()

        let prompt = try #require(fixture.model.requests.first?.messages.first?.content)
        let shown = prompt.matches(of: /Text: text(\d+)q/).compactMap { Int($0.1) }
        #expect(shown == Array(100...119))
        let examples = prompt.matches(of: /A\ntext(\d+)q/).compactMap { Int($0.1) }
        #expect(examples == [110, 100, 90, 80, 70])
    }

    @Test("A prompt that is too long loses the oldest messages, then the oldest examples")
    func fits() async throws {
        let fixture = ReplyFixture(.text(#"["Yes"]"#), contextTokenCount: 1_800)
        let earlier = (0..<19).map { number in
            Message.short(
                "c", MessageID(rawValue: "m\(number)"), "text\(number) " + String(repeating: "word ", count: 20),
                at: number)
        }
        try await fixture.take(earlier + [.short("c", "last", by: "bob", "Can we?", at: 99)])

        _ = try await fixture.replies()

        let prompt = try #require(fixture.model.requests.first?.messages.first?.content)
        let shown = prompt.matches(of: /Text: text(\d+)\s/).compactMap { Int($0.1) }
        #expect(shown == Array((19 - shown.count)..<19))
        #expect((1...12).contains(shown.count))
        #expect(prompt.contains("Text: Can we?"))
        #expect(TokenEstimate.count(prompt) <= 900)

        let tiny = ReplyFixture(.text("[]"), contextTokenCount: 200)
        try await tiny.take([Self.question])
        await #expect(throws: ModelServiceError.tooLong) { try await tiny.replies() }
        #expect(tiny.model.requests.isEmpty)
    }

    @Test("Nothing is suggested where nothing is to be answered, and the model is not asked")
    func saysWhyNot() async throws {
        func suggested(_ kind: Message.Kind, by sender: UserID, _ text: String = "Done.") async throws -> SmartReplies {
            let fixture = ReplyFixture(.text(#"["Yes"]"#))
            var last = Message.short("c", "m2", by: sender, text, at: 5)
            last.kind = kind
            if text.isEmpty { last.attachments = [.init(name: "pier.jpg")] }
            try await fixture.take([.short("c", "m1", by: "bob", "Can we?"), last])
            let suggested = try await fixture.replies()
            #expect(fixture.model.requests.count == (suggested.reason == nil ? 1 : 0))
            return suggested
        }

        #expect(try await suggested(.text, by: "ada") == SmartReplies(reason: .ownLastMessage))
        #expect(try await suggested(.system, by: "bob") == SmartReplies(reason: .machineMessage))
        #expect(try await suggested(.system, by: "ada") == SmartReplies(reason: .machineMessage))
        #expect(try await suggested(.bot, by: "robot") == SmartReplies(reason: .machineMessage))
        #expect(try await suggested(.text, by: "bob", "") == SmartReplies(reason: .nothingWritten))
        #expect(try await suggested(.text, by: "bob") == SmartReplies(replies: ["Yes"]))
        let empty = ReplyFixture(.text(#"["Yes"]"#))
        try await empty.take([])
        #expect(try await empty.replies() == SmartReplies(reason: .emptyConversation))
        #expect(try await empty.replies(hasModel: false) == SmartReplies(reason: .noLanguageModel))
    }

    @Test("A deleted last message is none: the one before it counts")
    func passesOverDeleted() async throws {
        let fixture = ReplyFixture(.text(#"["Yes"]"#))
        try await fixture.take([Self.question, .short("c", "m10", "hush", at: 10)])
        try await fixture.store.delete(.of("c", "m10"), at: .second(11))

        #expect(try await fixture.replies() == SmartReplies(replies: ["Yes"]))
        #expect(fixture.model.requests.first?.messages.first?.content.contains("hush") == false)
    }

    @Test("Who is no member gets nothing, with a model and without")
    func isForMembers() async throws {
        let fixture = ReplyFixture(.text(#"["Yes"]"#))
        try await fixture.take([Self.question, .short("d", "m1", by: "eve", "canary")])

        for hasModel in [true, false] {
            await #expect(throws: RepositoryError.noSuchConversation("c")) {
                try await fixture.replies(for: "eve", hasModel: hasModel)
            }
        }
        #expect(fixture.model.requests.isEmpty)
        _ = try await fixture.replies()
        #expect(fixture.model.requests.first?.messages.first?.content.contains("canary") == false)
    }

    @Test("The tokens of the day are those of questions")
    func countsTokens() async throws {
        let usage = TokenUsage(promptTokens: 400, completionTokens: 20)
        let fixture = ReplyFixture(.events([.delta(#"["Yes"]"#), .finished(.stop, usage)]))
        try await fixture.take([Self.question])
        let allowance = TokenAllowance(limit: 100_000, usage: fixture.store, now: { thursday })

        _ = try await fixture.replies(allowance: allowance)
        try await allowance.save()
        #expect(try await fixture.store.usedTokens(of: "ada", on: thursday.day) == 420)

        let spent = TokenAllowance(limit: 421, usage: fixture.store, now: { thursday })
        await #expect(throws: DailyTokensUsedUp.self) { try await fixture.replies(allowance: spent) }
        #expect(fixture.model.requests.count == 1)
    }

    @Test("A model that fails is an error, not an empty list")
    func tellsFailures() async throws {
        let fixture = ReplyFixture(.failure(after: [], .failed(status: 500)), .events([.delta(#"["Yes"]"#)]))
        try await fixture.take([Self.question])

        await #expect(throws: ModelServiceError.failed(status: 500)) { try await fixture.replies() }
        await #expect(throws: ModelServiceError.incompleteReply) { try await fixture.replies() }
    }
}
