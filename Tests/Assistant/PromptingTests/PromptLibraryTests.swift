import ChatCore
import Foundation
import Prompting
import Testing

@Suite("PromptLibrary")
struct PromptLibraryTests {
    private static let names = [
        "action-items", "conversation-assistant", "conversation-question", "deadlines", "decisions",
        "extraction-retry", "extractive", "judge-answer", "judge-summary", "link-outcome",
        "mention-failed", "mention-unsupported",
        "merge-summaries", "no-sources", "nothing-supported", "nothing-to-summarize", "priorities", "prompt-cut",
        "question", "small-question", "small-system", "smart-replies", "standalone-question",
        "suggestion-action-items", "suggestion-deadlines", "suggestion-decisions", "suggestion-summary",
        "summarize-part", "system",
    ]

    @Test("The compiled templates are the files under prompts, byte for byte")
    func defaultsEqualFiles() throws {
        let prompts = repository.appending(path: "prompts")
        let names = try FileManager.default.contentsOfDirectory(atPath: prompts.path(percentEncoded: false)).sorted()
        #expect(names == Self.names.map { $0 + ".md" })

        for name in names {
            let file = try Data(contentsOf: prompts.appending(path: name))
            #expect(PromptLibrary.defaultText(ofFile: name).map { Data($0.utf8) } == file, "\(name)")
        }
    }

    @Test("Describes its templates by name, version and hash")
    func describes() throws {
        let own = try PromptLibrary(overrides: nil).descriptions
        #expect(own.map(\.name) == Self.names)
        #expect(own.allSatisfy { !$0.isOverridden && $0.version >= 1 && $0.fingerprint.count == 16 })

        let text = "---\nname: system\nversion: 7\nvariables:\n---\nYou are a parrot.\n"
        let changed = try withFolder(["system.md": Data(text.utf8)]) { try PromptLibrary(overrides: $0).descriptions }

        #expect(changed.filter(\.isOverridden).map(\.name) == ["system"])
        #expect(changed.last?.version == 7)
        #expect(changed.last?.fingerprint == "633875473bbe26a1")
        #expect(changed.dropLast() == own.dropLast())
    }

    @Test("A template of the operator takes the place of the program's", arguments: ["\n", "\r\n"])
    func overrides(lineEnd: String) throws {
        let lines = [
            "---", "name: system", "version: 2", "variables: today", "---",
            "{{! A comment. }}It is {{{today}}}{{^today}}late{{/today}}.", "",
        ]
        let text = "\u{FEFF}" + lines.joined(separator: lineEnd)

        let library = try withFolder(["system.md": Data(text.utf8), ".hidden": Data()]) {
            try PromptLibrary(overrides: $0)
        }
        var generator = ConstantGenerator(number: 0)
        let prompt = try PromptBuilder(library: library).prompt(
            for: PromptRequest(question: "?", grounding: .nothingFound, now: thursday),
            budget: PromptBudget(contextTokenCount: 10_000, answerTokenCount: 0), using: &generator)

        #expect(prompt.messages[0].content == "It is Thursday, 2025-10-23 (UTC).")
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let file: String
        let text: String
        let message: String
        var testDescription: String { message }

        init(_ text: String, _ message: String, file: String = "system.md") {
            self.file = file
            self.text = text
            self.message = message
        }
    }

    static let header = "---\nname: system\nversion: 1\nvariables: today\n---\n"
    static let sources = "delimiter, sources, number, text, question"

    @Test(
        "Says file, line and fault of a template that cannot be used",
        arguments: [
            Fault(
                "",
                "extra.md: no such template; the templates are \(names.map { $0 + ".md" }.joined(separator: ", "))",
                file: "extra.md"),
            Fault("Hello", "system.md:1: the file must begin with a line ---"),
            Fault("---\nname: system\n", "system.md:3: the header has no closing line ---"),
            Fault("---\nversion: 1\nvariables:\n---\n", "system.md:4: \"name\" is missing"),
            Fault("---\nname: system\nversion: 1\n---\n", "system.md:4: \"variables\" is missing"),
            Fault("---\nname: question\nversion: 1\nvariables:\n---\n", "system.md:2: the name must be \"system\""),
            Fault(
                "---\nname: system\nversion: x\nvariables:\n---\n", "system.md:3: the version must be a number from 1"),
            Fault("---\nname: system\nname: system\n---\n", "system.md:3: \"name\" occurs twice"),
            Fault("---\nname: system\nauthor: me\n---\n", "system.md:3: \"author\" is not a key of the header"),
            Fault("---\nname system\n---\n", "system.md:2: a header line is \"key: value\""),
            Fault(
                "---\nname: system\nversion: 1\nvariables: today,\n---\n{{today}}",
                "system.md:4: \"\" is not a variable name, or occurs twice"),
            Fault(header + "Hello", "system.md:4: \"today\" is declared but not used"),
            Fault(
                header + "{{today}}\n\n{{asker}}", "system.md:8: {{asker}} is used but not declared under \"variables\""
            ),
            Fault(
                "---\nname: system\nversion: 1\nvariables: asker\n---\n{{asker}}",
                "system.md:4: \"asker\" is not a variable of this template"),
            Fault(
                "---\nname: question\nversion: 1\nvariables: question\n---\n{{question}}",
                "question.md:4: this template must use {{delimiter}}", file: "question.md"),
            Fault(header + "{{today}}\n{{today", "system.md:7: a tag is not closed"),
            Fault(header + "x\n{{#today}}\ny", "system.md:8: a section is not closed"),
            Fault(header + "x\n{{#today}}y{{/other}}", "system.md:7: a section is closed that is not open here"),
            Fault(
                header + "{{today}}\n{{> other}}",
                "system.md:7: only variables, sections and comments are allowed here"),
            Fault(
                header + "{{% CONTENT_TYPE:HTML}}{{today}}",
                "system.md:6: only variables, sections and comments are allowed here"),
            Fault(
                "---\nname: suggestion-summary\nversion: 1\nvariables:\n---\nTitle alone\n\n",
                "suggestion-summary.md:6: the first line must be the title, with the text below it",
                file: "suggestion-summary.md"),
            Fault(
                header + "{{=<% %>=}}<%today%>",
                "system.md:6: only variables, sections and comments are allowed here"),
        ])
    func refuses(fault: Fault) throws {
        let message = try withFolder([fault.file: Data(fault.text.utf8)]) { folder in
            #expect(throws: PromptError.self) { try PromptLibrary(overrides: folder) }?.description
        }
        #expect(message == fault.message)
    }

    @Test("Refuses what is no text, and a folder that is none")
    func refusesUnreadable() throws {
        try withFolder(["system.md": Data([0x2D, 0xFF, 0xFE])]) { folder in
            #expect(throws: PromptError.unreadable(file: "system.md")) { try PromptLibrary(overrides: folder) }
            #expect(throws: PromptError.unreadable(file: "none")) {
                try PromptLibrary(overrides: folder.appending(path: "none"))
            }
        }
    }
}
