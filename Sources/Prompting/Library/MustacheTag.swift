import ChatCore

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
                file: file, line: line, reason: "a tag here is a variable, a section or a comment, and nothing else")
        }
        return name
    }
}
