package import ChatCore
package import Foundation

/// The templates of a process: the built-in ones, or the operator's own instead.
///
/// A template file has a header between two `---` lines with `name`, `version` and `variables`, then Mustache text.
/// Prompts are plain text: nothing is escaped, and the value of a variable is never read as a template.
package struct PromptLibrary: Sendable {
    /// One template as records of evaluation runs name it.
    package struct Description: Hashable, Sendable, Codable {
        /// The template's name.
        package let name: String
        /// The version in its header.
        package let version: Int
        /// A hash of its file: 16 hexadecimal digits.
        package let fingerprint: String
        /// Whether it comes from the operator's folder.
        package let isOverridden: Bool
    }

    private struct Entry {
        let template: PromptTemplate
        let isOverridden: Bool
    }

    private let entries: [PromptName: Entry]
    /// The prompts that people are offered in a conversation, in the order in which they are shown; one of each kind.
    package let suggestions: [Suggestion]

    /// Loads and checks all templates.
    ///
    /// - Parameter overrides: A folder with files that take the place of those of the same name; hidden files are
    ///   passed over. Without one the program's own are used.
    /// - Throws: ``PromptError``; the first fault in order of the file names.
    package init(overrides: URL?) throws(PromptError) {
        var texts = DefaultPrompts.files
        let own = try overrides.map { folder throws(PromptError) in try Self.texts(in: folder) } ?? [:]
        texts.merge(own) { _, override in override }
        var entries: [PromptName: Entry] = [:]
        for name in PromptName.allCases.sorted(by: { $0.fileName < $1.fileName }) {
            guard let text = texts[name.fileName] else { throw .unreadable(file: name.fileName) }
            let template = try PromptTemplate(text: text, name: name, file: name.fileName)
            entries[name] = Entry(template: template, isOverridden: own[name.fileName] != nil)
        }
        self.entries = entries
        suggestions = Suggestion.ID.allCases.compactMap { id in
            entries[id.template].flatMap { Suggestion(id, in: $0.template.render([:])) }
        }
    }

    /// The templates in use, ordered by name.
    package var descriptions: [Description] {
        entries.map { name, entry in
            Description(
                name: name.rawValue, version: entry.template.version, fingerprint: entry.template.fingerprint,
                isOverridden: entry.isOverridden)
        }.sorted { $0.name < $1.name }
    }

    /// Returns a filled template; see ``PromptTemplate/render(_:)``.
    ///
    /// In texts for a language model, tokens of chat templates are broken up; see ``ChatTokens``.
    func render(_ name: PromptName, _ values: [String: any Sendable]) -> String {
        entries[name]?.template.render(name.isForPeople ? values : ChatTokens.broken(in: values)) ?? ""
    }

    /// Reads the files of a folder; line ends become LF, and a byte order mark is removed.
    private static func texts(in folder: URL) throws(PromptError) -> [String: String] {
        let known = PromptName.allCases.map(\.fileName).sorted()
        var texts: [String: String] = [:]
        for file in try fileNames(in: folder) {
            guard known.contains(file) else { throw .unknownFile(file: file, known: known) }
            guard
                let data = RegularFile.contents(folder.appending(path: file).path(percentEncoded: false)),
                let text = String(validating: data, as: UTF8.self)
            else { throw .unreadable(file: file) }
            let unix = text.replacing("\r\n", with: "\n")
            texts[file] = unix.hasPrefix("\u{FEFF}") ? String(unix.unicodeScalars.dropFirst()) : unix
        }
        return texts
    }

    private static func fileNames(in folder: URL) throws(PromptError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
                .filter { !$0.hasPrefix(".") }.sorted()
        } catch {
            throw .unreadable(file: folder.lastPathComponent)
        }
    }
}

extension PromptLibrary {
    /// Returns a built-in template as its file contains it; for the test that compares the two.
    package static func defaultText(ofFile name: String) -> String? {
        DefaultPrompts.files[name]
    }
}

extension Suggestion {
    /// Reads one from the text of a template: the first line is the title; nil if there is nothing below it.
    init?(_ id: ID, in text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1).map { String($0).trimmingWhitespace() }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        self.init(id: id, title: parts[0], text: parts[1])
    }
}

extension Suggestion.ID {
    /// The template that contains it.
    var template: PromptName {
        switch self {
        case .summary: .suggestionSummary
        case .actionItems: .suggestionActionItems
        case .decisions: .suggestionDecisions
        case .deadlines: .suggestionDeadlines
        }
    }
}

extension PromptBuilder {
    /// The prompts that people are offered in a conversation; see ``PromptLibrary/suggestions``.
    package var suggestions: [Suggestion] { library.suggestions }
}
