import AnswerSupport
import Assistant
import ChatCore
import Prompting
import Retrieval
import TestSupport
import Testing

@Suite("Checked answers")
struct AnswerVerificationTests {
    private let hits = [
        hit(1, "The Hamburg pilot goes live on 27 October.", timeZone: "Europe/Berlin"),
        hit(2, "The new pump costs 1,840 euros.", sender: "Ben", timeZone: "Europe/Berlin"),
        hit(3, "Lunch is at noon.", sender: "Cem", timeZone: "Europe/Berlin"),
    ]

    private func events(
        _ text: String, mode: SupportMode = .mark, hits: [Hit]? = nil, isFinal: Bool = false
    ) async throws -> [AnswerEvent] {
        let pieces = text.split(separator: " ", omittingEmptySubsequences: false).enumerated().map { place, word in
            GenerationEvent.delta((place == 0 ? "" : " ") + word)
        }
        let model = FakeLanguageModel(replies: [.events(pieces + [.finished(.stop, nil)])])
        let settings = AssistantSettings(promptLayout: .byRank, verification: mode)
        var request = ask()
        request.textIsFinal = isFinal
        return try await makeService(FakeSearching(hits: hits ?? self.hits), model: model, settings: settings)
            .events(request)
    }

    private func answer(
        _ text: String, mode: SupportMode = .mark, hits: [Hit]? = nil, isFinal: Bool = false
    ) async throws -> Answer {
        guard case .done(let answer) = try await events(text, mode: mode, hits: hits, isFinal: isFinal).last else {
            throw ModelServiceError.incompleteReply
        }
        for citation in answer.citations where !citation.range.isEmpty {
            let bracket = characters(citation.range, of: answer.text)
            #expect(bracket.hasPrefix("[") && bracket.contains(String(citation.number)))
        }
        return answer
    }

    @Test("A sentence without a citation gets the message that says it, and the answer cites something")
    func addsSources() async throws {
        let answer = try await answer("The pump costs 1840 euros. The pilot goes live on 27 October.")

        #expect(answer.text == "The pump costs 1840 euros [1]. The pilot goes live on 27 October [2].")
        #expect(answer.citations.map(\.messageKey) == [key(2), key(1)])
        #expect(answer.citations.map(\.support) == [.supported, .supported])
        #expect(answer.notices.isEmpty)
        #expect(answer.sources.map(\.number) == [2, 1, nil])
        #expect(answer.sentences?.map(\.support) == [.supported, .supported])
        #expect(
            answer.sentences?.map { characters($0.range, of: answer.text) } == [
                "The pump costs 1840 euros [1].", "The pilot goes live on 27 October [2].",
            ])
    }

    @Test("A wrong number moves to the message that says it, and numbers count from 1 again")
    func movesNumbers() async throws {
        let answer = try await answer("The pump costs 1840 euros [3]. The pilot goes live on 27 October [1].")

        #expect(answer.text == "The pump costs 1840 euros [1]. The pilot goes live on 27 October [2].")
        #expect(answer.citations.map(\.messageKey) == [key(2), key(1)])
        #expect(answer.sources.map(\.number) == [2, 1, nil])
    }

    @Test("A sentence that the messages contradict keeps its text and its citation, and says so")
    func marks() async throws {
        let answer = try await answer("Hello! The pilot goes live on 28 October [1].")

        #expect(answer.text == "Hello! The pilot goes live on 28 October [1].")
        #expect(answer.sentences?.map(\.support) == [nil, .contradicted])
        #expect(answer.sentences?.map(\.needsSource) == [false, true])
        #expect(answer.sentences?.last?.reasons == [.date])
        #expect(answer.citations.map(\.support) == [.contradicted])
        #expect(answer.reply.sentences?.last?.support == "contradicted")
    }

    @Test("The check comes after the text, before the end, with the corrected text")
    func streams() async throws {
        let events = try await events("The pump costs 1840 euros.")

        guard case .checked(let checked) = events.dropLast().last, case .done(let answer) = events.last else {
            Issue.record("no check")
            return
        }
        #expect(checked.text == answer.text && checked.citations == answer.citations)
        #expect(said(events) == "The pump costs 1840 euros.")
        #expect(answer.text == "The pump costs 1840 euros [1].")
    }

    @Test("In mode remove nobody sees a sentence that is removed, not even while it streams")
    func removes() async throws {
        let events = try await events(
            "The pilot goes live on 28 October [1]. The pump costs 1840 euros [2].", mode: .remove)

        guard case .done(let answer) = events.last else {
            Issue.record("no answer")
            return
        }
        #expect(answer.text == "The pump costs 1840 euros [1].")
        #expect(said(events) == answer.text)
        #expect(answer.notices == [.sentencesRemoved])
        #expect(answer.citations.map(\.messageKey) == [key(2)])
    }

    @Test("If nothing is left, the answer says so")
    func removesAll() async throws {
        let answer = try await answer("The pilot goes live on 28 October [1].", mode: .remove)

        #expect(answer.text.hasPrefix("No message was found"))
        #expect(answer.citations.isEmpty)
        #expect(answer.notices.contains(.sentencesRemoved))
    }

    @Test("A text that readers keep as it came gets its citations at the ends of sentences")
    func keepsText() async throws {
        let answer = try await answer(
            "The pump costs 1840 euros. The pilot goes live on 27 October [3].", isFinal: true)

        // The first number in the text is 1.
        #expect(answer.text == "The pump costs 1840 euros. The pilot goes live on 27 October [1].")
        #expect(answer.citations.map(\.messageKey) == [key(2), key(3), key(1)])
        #expect(answer.citations.map(\.range.isEmpty) == [true, false, true])
        #expect(answer.citations.map(\.range.upperBound) == [26, 64, 65])
    }

    @Test("Places count characters as people see them")
    func countsCharacters() async throws {
        let answer = try await answer("Sure 👩‍👩‍👧! The pump costs 1840 euros [2]. Café\u{301} costs 7 euros.")

        #expect(
            answer.sentences?.map { characters($0.range, of: answer.text) }.dropFirst().first
                == "The pump costs 1840 euros [1].")
    }

    @Test("What is based on messages in another language stays open, even in mode remove")
    func leavesOtherLanguagesOpen() async throws {
        let answer = try await answer(
            "Die Besprechung wurde von der Leitung auf unbestimmte Zeit verschoben, weil der Raum nicht frei ist [1].",
            mode: .remove, hits: [hit(1, "They said that the meeting will have to wait because of the room.")])

        #expect(answer.sentences?.map(\.support) == [nil])
        #expect(answer.citations.count == 1)
        #expect(answer.notices.isEmpty)
    }

    @Test("Code and rows of tables get no citation")
    func leavesCodeAlone() async throws {
        let text = "```\nThe pump costs 1840 euros.\n```\n| The pump costs 1840 euros |"

        #expect(try await answer(text).text == text)
    }

    @Test("A long conversation is compared by the messages that share words with the answer")
    func findsSourcesAmongMany() async throws {
        let many = (1...20).map { hit($0, $0 == 19 ? "The new pump costs 1,840 euros." : "Message number \($0) here.") }

        #expect(try await answer("The pump costs 1840 euros.", hits: many).citations.map(\.messageKey) == [key(19)])
    }

    @Test("Nothing is checked in mode off, nor in an answer that quotes")
    func off() async throws {
        #expect(try await answer("The pump costs 1840 euros.", mode: .off).sentences == nil)
        let service = try makeService(FakeSearching(hits: hits), model: nil, settings: AssistantSettings())
        #expect(try await service.whole().sentences == nil)
    }

    @Test("The note of a posted answer names what no message says")
    func note() async throws {
        let service = try makeService(FakeSearching(hits: hits), model: nil)

        let doubtful = try await answer("The pilot goes live on 28 October [1]. Lunch is at noon [3].")
        #expect(
            service.supportNote(of: doubtful)
                == "No message was found that says this:\n- “The pilot goes live on 28 October.”")
        #expect(service.supportNote(of: try await answer("Lunch is at noon [3].")) == nil)
    }

    private func said(_ events: [AnswerEvent]) -> String {
        events.map { if case .delta(let text) = $0 { text } else { "" } }.joined()
    }
}

@Suite("Checked answers in a conversation")
struct ConversationVerificationTests {
    @Test("An answer about a conversation is checked against its messages; a summary is not")
    func checks() async throws {
        var fixture = ConversationFixture(.text("You sail on Friday."))
        fixture.verification = .mark
        try await fixture.take(
            (1...40).map { second in
                let text = second == 7 ? "We sail on Friday." : "Ok \(second)."
                return .short("c", MessageID(rawValue: "m\(second)"), by: "bob", text, at: second)
            })

        let answer = try await fixture.answer("When do we sail?")

        #expect(answer.citations.map(\.messageKey.messageID) == ["m7"])
        #expect(answer.notices.isEmpty)
        #expect(try await fixture.answer(nil).sentences == nil)
    }
}
