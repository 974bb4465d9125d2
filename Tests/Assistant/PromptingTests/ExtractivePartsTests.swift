import ChatCore
import Prompting
import Testing

@Suite("Extractive parts")
struct ExtractivePartsTests {
    @Test("Quotes each source with writer and number")
    func quotes() throws {
        let parts = try builder(limits: PromptLimits(quotationLength: 32)).extractiveParts(
            for: .sources([
                source("We sail at nine.\nSee [2] & <b>.", timeZone: "Europe/Berlin"),
                source("0123456789 0123456789 0123456789 9", sender: "Bob"),
            ]))

        #expect(parts.map(\.number) == [1, 2])
        #expect(
            parts.map(\.text).joined() == """
                > Ada, 2025-10-23: We sail at nine.
                > See [2] & <b>. [1]

                > Bob, 2025-10-23: 0123456789 0123456789 0123456789 […] [2]
                """)
    }

    @Test("Says first that nothing answers for certain, and who wrote the nearest messages")
    func saysWhoWroteTheNearest() throws {
        let sources = [
            source("We sail at nine."), source("Ten.", sender: "Bob"), source("Soon.", sender: "Bob"),
            source("Late.", sender: "Cy"),
        ]

        let parts = try builder().extractiveParts(for: .sources(sources), isUnsure: true)
        let none = try builder().extractiveParts(for: .sources([]), isUnsure: true)

        #expect(
            parts.first?.text == """
                No message that you may read answers this for certain. Nearest is what Ada wrote in \
                \(sources[0].conversation) and Bob wrote in \(sources[1].conversation):
                """)
        #expect(parts.map(\.number) == [nil, 1, 2, 3, 4])
        #expect(none.map(\.text) == (try builder().extractiveParts(for: .sources([]))).map(\.text))
    }

    @Test("Says first that the language model failed")
    func saysThatTheModelFailed() throws {
        let parts = try builder().extractiveParts(for: .sources([source("We sail at nine.")]), modelFailed: true)

        #expect(
            parts.map(\.text) == [
                "The language model cannot be used at present. Quoted instead:",
                "\n\n> Ada, 2025-10-23: We sail at nine. [1]",
            ])
    }

    @Test(
        "Says of a replaced message by which one it is replaced, in its language",
        arguments: [
            ("The regatta is on 12 October, as every year.", "(replaced by [1]) [2]"),
            ("Die Regatta ist am 12. Oktober, wie jedes Jahr.", "(ersetzt durch [1]) [2]"),
        ])
    func marksReplaced(text: String, mark: String) throws {
        var older = source(text)
        older.replacedBy = 0
        var astray = source("Bring rope.")
        astray.replacedBy = 7

        let parts = try builder().extractiveParts(for: .sources([source("Moved."), older, astray]))

        #expect(parts.map(\.number) == [1, 2, 3])
        #expect(parts[0].text.hasSuffix("Moved. [1]"))
        #expect(parts[1].text.hasSuffix(mark))
        #expect(parts[2].text.hasSuffix("Bring rope. [3]"))
    }

    @Test(
        "Says so when there is nothing to quote",
        arguments: [
            (
                Grounding.nothingFound,
                "No matching message was found in your conversations (no language model is configured)."
            ),
            (.sources([]), "No matching message was found in your conversations (no language model is configured)."),
            (
                .searchFailed,
                "The messages could not be searched just now; please ask again in a while "
                    + "(no language model is configured)."
            ),
        ])
    func saysWhyNot(grounding: Grounding, text: String) throws {
        let parts = try builder().extractiveParts(for: grounding)
        #expect(parts.map(\.text) == [text])
        #expect(parts.map(\.number) == [nil])
    }
}
