/// A notation in which what is marked in Markdown can be written, as that of a chat that knows no Markdown.
package struct MarkdownStyle: Sendable {
    /// What stands before and behind something.
    package typealias Marks = (open: String, close: String)

    package var strong: Marks = ("", "")
    package var emphasized: Marks = ("", "")
    package var struck: Marks = ("", "")
    package var code: Marks = ("", "")
    /// The line before and behind lines of code; nil if each of them is marked as code.
    package var fence: String?
    /// What stands before an entry of a list.
    package var bullet = "• "
    /// Writes text that means nothing in the notation.
    package var escaped: @Sendable (String) -> String = { $0 }
    /// Writes a link with words, which are in the notation already, to an address of the web.
    package var link: @Sendable (_ words: String, _ address: String) -> String = { words, _ in words }

    package init() {}

    /// The words alone.
    static let plain = Self()
}

/// Writes the lines of a text in Markdown in another notation, one after another.
///
/// Headings become strong, and signs of lists dots; lines of tables and quotes stay lines.
package struct MarkdownLines {
    private let style: MarkdownStyle
    private var fence: MarkdownWords.Fence?

    package init(_ style: MarkdownStyle) { self.style = style }

    /// Returns the next line in the notation; nil if it is left out.
    package mutating func next(_ line: Substring) -> String? {
        if let open = fence {
            guard open.isEnded(by: line) else {
                let code = style.escaped(String(line))
                return style.fence != nil || code.isEmpty ? code : style.code.open + code + style.code.close
            }
            return end()
        }
        fence = MarkdownWords.Fence(line)
        if fence != nil { return style.fence }
        if let heading = MarkdownWords.heading(line) {
            return style.strong.open + style.escaped(MarkdownInline.plain(heading)) + style.strong.close
        }
        let indent = line.prefix { $0 == " " || $0 == "\t" }
        let rest = line.dropFirst(indent.count)
        guard let sign = rest.first, "-*•".contains(sign), rest.dropFirst().first == " ", !MarkdownWords.isRule(line)
        else {
            return MarkdownInline.styled(line, style)
        }
        return indent + style.bullet + MarkdownInline.styled(rest.dropFirst().drop { $0 == " " }, style)
    }

    /// Ends code whose end is missing; returns the line for that.
    package mutating func end() -> String? {
        defer { fence = nil }
        return fence == nil ? nil : style.fence
    }
}
