import ChatCore
import Prompting
import Testing

@Suite("Prompt budget")
struct PromptBudgetTests {
    static let history = (1...4).map {
        PromptExchange(question: "Question \($0)?", answer: String(repeating: "answer ", count: $0 * 2))
    }
    static let sources = (1...6).map { source("Message \($0) " + String(repeating: "text ", count: 9 - $0)) }

    private let builder: PromptBuilder

    init() throws {
        builder = PromptBuilder(library: try PromptLibrary(overrides: nil))
    }

    private func fitted(_ context: Int, answer: Int = 0, calibration: Double = 1) throws -> Prompt {
        var generator = SeededGenerator(seed: 7)
        return try builder.prompt(
            for: PromptRequest(
                question: "Which?", history: Self.history, grounding: .sources(Self.sources), now: thursday),
            budget: PromptBudget(contextTokenCount: context, answerTokenCount: answer, calibration: calibration),
            using: &generator)
    }

    private func smallestContext() throws -> Int {
        guard case .doesNotFit(let needed, 0) = #expect(throws: PromptError.self, performing: { try fitted(0) }) else {
            throw PromptError.unreadable(file: "no error at all")
        }
        return needed
    }

    @Test("At every budget: it fits, history goes before sources, and one more of either would not have fitted")
    func fitsEveryBudget() throws {
        let whole = try fitted(1_000_000)
        #expect((whole.exchangeCount, whole.sourceCount) == (4, 6))
        let smallest = try smallestContext()

        var next = whole
        for context in stride(from: whole.estimatedTokenCount, through: smallest, by: -1) {
            let prompt = try fitted(context)
            #expect(prompt.estimatedTokenCount <= context)
            #expect(prompt.exchangeCount == 0 || prompt.sourceCount == 6)
            if prompt != next {
                let steps = next.exchangeCount - prompt.exchangeCount + next.sourceCount - prompt.sourceCount
                #expect(steps == 1)
                #expect(next.estimatedTokenCount == context + 1)
                next = prompt
            }
        }
        #expect((next.exchangeCount, next.sourceCount) == (0, 0))
        #expect(next.messages.count == 2)
        #expect(next.messages[1].content.contains("the question leaves no room for them"))
        #expect(next.messages[1].content.hasSuffix("# User Question\n\nWhich?"))
    }

    @Test("Keeps the newest exchanges and the first sources")
    func keepsBest() throws {
        let whole = try fitted(1_000_000)
        let lessHistory = try fitted(whole.estimatedTokenCount - 1)
        #expect(lessHistory.messages[1].content == "Question 2?")

        let noHistory = (0...whole.estimatedTokenCount).lazy.reversed().compactMap { try? fitted($0) }
            .first { $0.sourceCount == 5 }
        let content = try #require(noHistory).messages[1].content
        #expect(content.contains("Message 5 "))
        #expect(!content.contains("Message 6 "))
    }

    @Test("Keeps room for the answer, and for what the service is known to count more")
    func reservesRoom() throws {
        let whole = try fitted(1_000_000).estimatedTokenCount

        #expect(try fitted(whole + 500, answer: 500).exchangeCount == 4)
        #expect(try fitted(whole + 499, answer: 500).exchangeCount == 3)
        #expect(try fitted(whole * 2, calibration: 2).exchangeCount == 4)
        #expect(try fitted(whole * 2 - 1, calibration: 2).exchangeCount == 3)
    }

    @Test("Instructions and question that do not fit are an error that says by how much")
    func refusesTooLittle() throws {
        let smallest = try smallestContext()
        #expect(try fitted(smallest).estimatedTokenCount == smallest)

        #expect(throws: PromptError.doesNotFit(neededTokens: smallest, availableTokens: smallest - 1)) {
            try fitted(smallest - 1)
        }
        #expect(throws: PromptError.doesNotFit(neededTokens: smallest, availableTokens: -10)) {
            try fitted(90, answer: 100)
        }
    }

    @Test(
        "The lower guess counts words, and four characters of scripts without blanks",
        arguments: [
            ("two  words", 2), ("it's 12:30, ok!", 3), ("¡Привет, мир!", 2), ("\n \t", 0), ("决定了八点", 1),
            ("八点半开会 ok", 2), ("— ══ 👍👍👍👍 == --", 0),
        ])
    func countsFloor(text: String, count: Int) throws {
        let empty = try render(.nothingFound, question: "…")
        let counted = try render(.nothingFound, question: text)

        #expect(counted.floorTokenCount - empty.floorTokenCount == count)
        #expect(counted.floorTokenCount < counted.estimatedTokenCount)
    }
}
