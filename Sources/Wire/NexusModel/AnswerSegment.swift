/// A part of an answer as an app shows it.
public enum AnswerSegment: Hashable, Sendable {
    /// Plain text.
    case text(String)
    /// A part such as `[1]` or `[1, 2]` with its citations, which say where a tap leads.
    case citations(String, [ChatAnswer.Citation])

    /// Cuts an answer at its citations.
    ///
    /// - Parameters:
    ///   - text: The answer, or its beginning.
    ///   - citations: Its citations; those that are not in the text yet are left out.
    /// - Returns: The segments, which make up the text.
    /// - Complexity: O(length of `text` · number of citations), because characters are counted.
    public static func segments(of text: String, _ citations: [ChatAnswer.Citation]) -> [AnswerSegment] {
        var segments: [AnswerSegment] = []
        var end = text.startIndex
        for citation in citations.sorted(by: { $0.start < $1.start }) {
            guard let range = citation.range(in: text) else { continue }
            if case .citations(let part, let others)? = segments.last, range.upperBound <= end {
                segments[segments.count - 1] = .citations(part, others + [citation])
                continue
            }
            guard range.lowerBound >= end else { continue }
            if end < range.lowerBound { segments.append(.text(String(text[end..<range.lowerBound]))) }
            segments.append(.citations(String(text[range]), [citation]))
            end = range.upperBound
        }
        if end < text.endIndex { segments.append(.text(String(text[end...]))) }
        return segments
    }
}

extension ChatAnswer {
    /// The answer as an app shows it.
    public var segments: [AnswerSegment] { AnswerSegment.segments(of: answer, citations) }
}
