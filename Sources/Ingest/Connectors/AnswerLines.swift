import ChatCore
import Foundation
import TextAnalysis

/// The lines of an answer of the assistant, with the sources that they name.
struct AnswerLines {
    /// A line, with the source that it names if it is one of the list below the answer.
    struct Line {
        let text: Substring
        let source: MessageKey?
    }

    private struct Extra: Decodable {
        struct Content: Decodable {
            let sources: [Source]?
        }

        let nexus: Content
    }

    private struct Source: Decodable {
        let number: Int
        let conversationId: String
        let messageId: String
    }

    /// The lines, in order.
    let lines: [Line]

    init(_ answer: Message) {
        let sources = Self.sources(of: answer)
        lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.first == "[", let end = line.firstIndex(of: "]"),
                let number = Int(line[line.index(after: line.startIndex)..<end])
            else { return Line(text: line, source: nil) }
            return Line(text: line, source: sources[number])
        }
    }

    /// Returns the lines in the notation of a chat.
    ///
    /// - Parameters:
    ///   - style: The notation.
    ///   - linked: Returns a line of the list of sources with its link; nil if its source has none.
    /// - Returns: The lines.
    func styled(
        _ style: MarkdownStyle, linked: (_ line: String, _ source: MessageKey) -> String?
    ) -> [String] {
        var (reader, styled): (MarkdownLines, [String?]) = (MarkdownLines(style), [])
        for line in lines {
            guard let source = line.source else {
                styled.append(reader.next(line.text))
                continue
            }
            let text = style.escaped(String(line.text))
            styled += [reader.end(), linked(text, source) ?? text]
        }
        return (styled + [reader.end()]).compactMap(\.self)
    }

    private static func sources(of answer: Message) -> [Int: MessageKey] {
        guard let extra = answer.extra,
            let sources = try? JSONDecoder().decode(Extra.self, from: Data(extra.utf8)).nexus.sources
        else { return [:] }
        let keys = sources.map { source in
            let key = MessageKey(
                conversationID: ConversationID(rawValue: source.conversationId),
                messageID: MessageID(rawValue: source.messageId))
            return (source.number, key)
        }
        return Dictionary(keys) { first, _ in first }
    }
}
