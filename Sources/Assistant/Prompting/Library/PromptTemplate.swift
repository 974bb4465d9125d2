import ChatCore
import Mustache

/// One template, checked and ready to be filled in.
struct PromptTemplate: Sendable {
    /// See ``PromptHeader/version``.
    let version: Int
    /// A hash of the whole file, header included.
    let fingerprint: String
    private let template: MustacheTemplate

    /// Switches HTML escaping off: prompts are plain text.
    ///
    /// It is on a separate line, which leaves no trace.
    private static let plainText = "{{% CONTENT_TYPE:TEXT}}\n"

    /// Reads and checks a template.
    ///
    /// - Parameters:
    ///   - text: The file's content.
    ///   - name: Which template it is.
    ///   - file: What errors call the file.
    /// - Throws: ``PromptError``, any case but ``PromptError/doesNotFit(neededTokens:availableTokens:)``.
    init(text: String, name: PromptName, file: String) throws(PromptError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let header = try PromptHeader(file: file, name: name, lines: lines)
        let body = lines.dropFirst(header.bodyLine - 1).joined(separator: "\n")
        let tags = try MustacheTag.tags(in: body, file: file, bodyLine: header.bodyLine)
        template = try Self.compile(body, file: file, bodyLine: header.bodyLine)
        try Self.check(header, tags: tags, file: file)
        if let id = Suggestion.ID.allCases.first(where: { $0.template == name }),
            Suggestion(id, in: template.render([:]).trimmingWhitespace()) == nil
        {
            throw .badTemplate(
                file: file, line: header.bodyLine, reason: "the first line must be the title, with the text below it")
        }
        version = header.version
        fingerprint = Fingerprint.of(text)
    }

    /// Fills the template.
    ///
    /// - Parameter values: Strings, booleans and arrays of such dictionaries, by variable.
    /// - Returns: The text without white space at its ends; values are inserted unchanged.
    func render(_ values: [String: Any]) -> String {
        template.render(values).trimmingWhitespace()
    }

    private static func compile(_ body: String, file: String, bodyLine: Int) throws(PromptError) -> MustacheTemplate {
        do {
            return try MustacheTemplate(string: plainText + body)
        } catch let error as MustacheTemplate.ParserError {
            let line = bodyLine + max(0, error.context.lineNumber - 2)
            throw .badTemplate(file: file, line: line, reason: reason(of: error.error))
        } catch {
            throw .badTemplate(file: file, line: bodyLine, reason: reason(of: error))
        }
    }

    private static func reason(of error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "a section is closed that is not open here"
        case .expectedSectionEnd: "a section is not closed"
        default: "the text is not a Mustache template"
        }
    }

    private static func check(_ header: PromptHeader, tags: [MustacheTag], file: String) throws(PromptError) {
        let declared = Set(header.variables)
        for tag in tags where !declared.contains(tag.name) {
            throw .undeclaredVariable(file: file, line: tag.line, name: tag.name)
        }
        let used = Set(tags.map(\.name))
        for name in header.variables {
            guard header.name.suppliedVariables.contains(name) else {
                throw .unknownVariable(file: file, line: header.variablesLine, name: name)
            }
            guard used.contains(name) else {
                throw .unusedVariable(file: file, line: header.variablesLine, name: name)
            }
        }
        for name in header.name.requiredVariables.sorted() where !declared.contains(name) {
            throw .missingVariable(file: file, line: header.variablesLine, name: name)
        }
    }
}

/// A short hash that identifies a text, for records of evaluation runs.
///
/// FNV-1a with 64 bits (http://www.isthe.com/chongo/tech/comp/fnv/): stable on every machine, but not secure against a
/// deliberate search for two texts with the same hash.
enum Fingerprint {
    /// Returns the hash of the UTF-8 bytes of `text` as 16 hexadecimal digits.
    static func of(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A tag in the text of a template.
struct MustacheTag: Equatable {
    /// The variable that it names.
    let name: String
    /// Its line, from 1 for the first line of the text.
    let line: Int

    /// Returns the tags of `text` that name a variable, in order.
    ///
    /// Templates here are as plain as can be: variables, sections, inverted sections and comments. What would change
    /// how the rest is read (other delimiters, other content types), or bring in text from elsewhere, is refused.
    static func tags(in text: String, file: String, bodyLine: Int) throws(PromptError) -> [MustacheTag] {
        var tags: [MustacheTag] = []
        var line = bodyLine
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            line += rest[..<open.lowerBound].count { $0.isNewline }
            guard let close = rest[open.upperBound...].firstRange(of: "}}") else {
                throw .badTemplate(file: file, line: line, reason: "a tag is not closed")
            }
            let content = rest[open.upperBound..<close.lowerBound]
            if let name = try variable(of: content, file: file, line: line) {
                tags.append(MustacheTag(name: name, line: line))
            }
            line += content.count { $0.isNewline }
            rest = rest[close.upperBound...]
        }
        return tags
    }

    /// Returns the variable of a tag; nil for a comment.
    private static func variable(of content: Substring, file: String, line: Int) throws(PromptError) -> String? {
        guard content.first != "!" else { return nil }
        let sign = content.first.map { "#^/&{".contains($0) } ?? false
        let name = String(sign ? content.dropFirst() : content).trimmingWhitespace()
        guard name.isVariableName else {
            throw .badTemplate(
                file: file, line: line, reason: "only variables, sections and comments are allowed here")
        }
        return name
    }
}
