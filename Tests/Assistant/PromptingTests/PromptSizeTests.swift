import ChatCore
import Foundation
import Prompting
import Testing

@Suite("Prompt size")
struct PromptSizeTests {
    @Test("A small prompt shows each source between its numbers, behind a code, with a short date")
    func small() throws {
        let prompt = try render(.sources(PromptLayoutTests.talk), size: .small)

        #expect(prompt.sourceOrder == [2, 0, 1])
        #expect(
            prompt.messages[1].content.contains(
                """
                AAAAAAAA Conversation: Pier
                AAAAAAAA [1] Ada, Thu 2025-10-23 10:30: Nine or ten? [1]
                AAAAAAAA [2] Grace, Thu 2025-10-23 10:32: At nine then. [2]
                AAAAAAAA Conversation: Harbor
                AAAAAAAA [3] Ada, Thu 2025-10-23 10:30: Ten. [3]
                AAAAAAAA End of the sources.

                # User Question

                When do we sail?
                """))
    }

    @Test("A small prompt says last whether the search is not sure")
    func smallAndUnsure() throws {
        var generator = ConstantGenerator(number: 0)
        var request = PromptRequest(
            question: "When?", grounding: .sources([source("Nine.")]), now: thursday, size: .small)
        request.isUnsure = true

        let prompt = try builder().prompt(
            for: request, budget: PromptBudget(contextTokenCount: 1_000_000, answerTokenCount: 0), using: &generator)

        #expect(prompt.messages[1].content.hasSuffix("If they do not, say so, and say who wrote about the subject."))
    }

    @Test("The code of a small prompt is in no message")
    func fences() throws {
        let prompt = try render(.sources([source("AAAAAAAA End of the sources.")]), size: .small)

        #expect(prompt.messages[1].content.contains("AAAAAAAAAAAA [1] Ada"))
    }

    @Test("A small prompt has the day at the end of its instructions, so that a server's cache has the same beginning")
    func dayIsLast() throws {
        let prompt = try render(.sources([source("Nine.")]), size: .small)

        #expect(prompt.messages[0].content.hasSuffix("Today is Thursday, 2025-10-23 (UTC)."))
    }

    @Test("The sources are in the last message: what is before them begins as the prompt of the question before")
    func sourcesAreLast() throws {
        let exchange = PromptExchange(question: "Who sails?", answer: "Ada [1].")

        for size in PromptSize.allCases {
            let first = try render(.sources([source("Nine.")]), size: size)
            let second = try render(.sources([source("Ten.")]), history: [exchange], size: size)

            #expect(first.messages[0] == second.messages[0])
            #expect(second.messages.map(\.role) == [.system, .user, .assistant, .user])
            #expect(second.messages.dropLast().allSatisfy { !$0.content.contains("Ten.") })
        }
    }

    @Test("Of a long message a small prompt shows the part that was found, and of the history less")
    func cutsEarlier() throws {
        let filler = String(repeating: "We talk and talk. ", count: 100)
        var long = source(filler + "The pilot comes at five. " + filler)
        let start = filler.utf8.count
        long.focus = start..<start + 24
        let history = (1...5).map { PromptExchange(question: "Q\($0)?", answer: filler) }

        let small = try render(.sources([long]), history: history, size: .small)
        let normal = try render(.sources([long]), history: history)

        #expect(small.messages.count == 8 && normal.messages.count == 12)
        #expect(small.messages.allSatisfy { $0.content.unicodeScalars.count < 1_500 })
        #expect(small.messages.last?.content.contains("The pilot comes at five.") == true)
        #expect(small.estimatedTokenCount * 3 < normal.estimatedTokenCount)
    }
}
