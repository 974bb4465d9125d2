import Assistant
import ChatCore
import NexusModel
import Retrieval

/// An answer whose times have the form that callable functions are set to.
struct CallableAnswer: Encodable, Sendable {
    private let answer: ChatAnswer
    private let queryTime: WireTime
    private let sources: [Timed<ChatAnswer.Source>]

    init(_ answer: Answer, askedAt moment: Timestamp, links: MessageLinkTemplate?) {
        self.answer = ChatAnswer(answer, askedAt: moment, links: links)
        queryTime = WireTime(moment)
        sources = zip(self.answer.sources, answer.sources).map {
            Timed(value: $0, timestamp: WireTime($1.hit.message.timestamp))
        }
    }

    func encode(to encoder: any Encoder) throws {
        try answer.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(queryTime, forKey: .queryTime)
        try fields.encode(sources, forKey: .sources)
    }

    private enum CodingKeys: String, CodingKey {
        case queryTime, sources
    }
}

/// An object with a time of this form.
struct Timed<Value: Encodable & Sendable>: Encodable, Sendable {
    fileprivate let value: Value
    fileprivate let timestamp: WireTime

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        // This replaces the text that the value wrote.
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(timestamp, forKey: .timestamp)
    }

    private enum CodingKeys: String, CodingKey {
        case timestamp
    }
}

extension Timed<ChatSearchResult.Found> {
    init(_ hit: Hit, links: MessageLinkTemplate?) {
        self.init(
            value: ChatSearchResult.Found(hit, links: links), timestamp: WireTime(hit.message.timestamp))
    }
}
