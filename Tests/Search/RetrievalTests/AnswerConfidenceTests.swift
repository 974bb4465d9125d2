import ChatCore
import Retrieval
import TestSupport
import Testing

/// Confidence in the answer to a question that names a person.
@Suite struct AnswerConfidenceTests {
    private func confidence(
        _ question: String, _ messages: [(sender: UserID, text: String)], asker: UserID = "ada"
    ) async throws -> Double {
        let fixture = SearchFixture()
        try await fixture.open("dock", members: ["ada", "berta", "carlo"])
        try await fixture.accept(
            messages.enumerated().map { place, message in
                .sample("dock", MessageID(rawValue: "m\(place)"), by: message.sender, message.text, at: place * 100_000)
            })
        try await fixture.embed()
        return try #require(try await fixture.search(question).confidence)
    }

    private static let question = "Which cat does Berta have?"

    @Test func whatSomebodyElseSaysOfThemselvesIsLessSure() async throws {
        let own = try await confidence(Self.question, [("berta", "my cat is grey"), ("carlo", "money for the pilot")])
        let other = try await confidence(
            Self.question, [("carlo", "my cat is grey"), ("berta", "money for the pilot")])

        #expect(other < own - 0.3)
    }

    @Test func whatSomebodyElseSaysOfThePersonCounts() async throws {
        let about = try await confidence(
            Self.question, [("carlo", "the cat that Berta has is grey"), ("berta", "money for the pilot")])
        let addressed = try await confidence(
            Self.question, [("carlo", "my cat is grey, Berta!"), ("berta", "money for the pilot")])

        #expect(addressed < about - 0.2)
    }

    @Test func aQuestionThatNamesNobodyIsAsSureForEveryWriter() async throws {
        let texts: [(UserID, String)] = [("carlo", "my cat is grey"), ("berta", "money for the pilot")]
        let swapped: [(UserID, String)] = [("berta", "my cat is grey"), ("carlo", "money for the pilot")]

        #expect(try await confidence("a grey cat", texts) == confidence("a grey cat", swapped))
    }

    @Test func whoAsksAboutThemselvesMayBeAnsweredByOthers() async throws {
        let texts: [(UserID, String)] = [("carlo", "the cat is grey"), ("ada", "money for the pilot")]

        let own = try await confidence("Which cat do I have?", texts)
        let unnamed = try await confidence("Which cat do they have?", texts)

        #expect(abs(own - unnamed) < 0.2)
    }
}
