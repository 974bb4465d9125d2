import Assistant
import ChatCore
import NexusModel

/// What an answer says to clients of OpenAI's API: one that was just given, or one that was kept.
struct OpenAIAnswer {
    let text: String
    /// The cited sources.
    let list: SourceList
    let sources: [ChatAnswer.Source]
    let citations: [ChatAnswer.Citation]
    let usage: TokenUsage?
    /// Why it is cut off, in the words of responses; nil if it is whole.
    let incompleteReason: String?

    init(_ answer: Answer, links: MessageLinkTemplate?) {
        text = answer.text
        list = SourceList(of: answer, links: links)
        sources = answer.sources.map { ChatAnswer.Source($0, links: links) }
        citations = answer.citations.map { ChatAnswer.Citation($0) }
        usage = answer.usage
        incompleteReason = Self.incompleteReason(Set(answer.notices.map(\.rawValue)))
    }

    /// Of a kept turn, the part that its asker may see now.
    init(_ readable: ReadableTurn, links: MessageLinkTemplate?) {
        let turn = ChatTurn(readable, links: links)
        text = turn.answer
        list = SourceList(of: readable, citing: turn.citations, links: links)
        sources = turn.sources.enumerated().map { $1.ranked(at: $0 + 1) }
        citations = turn.citations
        usage = nil
        incompleteReason =
            readable.isWhole ? Self.incompleteReason(Set(turn.notices.map(\.rawValue))) : "content_filter"
    }

    private static func incompleteReason(_ notices: Set<String>) -> String? {
        if notices.contains(Assistant.AnswerNotice.truncated.rawValue) { return "max_output_tokens" }
        return notices.contains(Assistant.AnswerNotice.filtered.rawValue) ? "content_filter" : nil
    }

    /// The citations as links, in order of the text.
    var links: [CitedLink] {
        let lines = Dictionary(list.lines.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        return citations.compactMap { citation in
            lines[citation.number].map { line in
                CitedLink(
                    url: line.url ?? MessageResource.uri(of: line.message.key), title: line.title,
                    startIndex: citation.start, endIndex: citation.end, support: citation.support,
                    score: citation.score)
            }
        }
    }
}

/// A citation as a link to the message: `nexus://…` if it has none, because clients need one.
struct CitedLink: Encodable {
    enum CodingKeys: String, CodingKey {
        case url, title, support, score
        case startIndex = "start_index"
        case endIndex = "end_index"
    }

    let url: String
    let title: String
    let startIndex: Int
    let endIndex: Int
    /// What the message says about the sentence, as in the answer of `POST /v1/ask`; an extension.
    let support: ChatAnswer.Support?
    let score: Double?
}

/// How clients get an answer.
struct OpenAIListing {
    /// Whether the list of sources follows the text.
    let listsSources: Bool
    let links: MessageLinkTemplate?

    /// Returns the list of sources below the text; empty for none.
    func list(of answer: OpenAIAnswer) -> String { listsSources ? answer.list.text : "" }
}

extension ChatAnswer.Source {
    /// A source of a kept turn; `place` stands for a rank that was not stored.
    fileprivate func ranked(at place: Int) -> Self {
        var source = self
        source.relevanceScore = relevanceScore ?? 0
        source.rank = rank ?? place
        return source
    }
}
