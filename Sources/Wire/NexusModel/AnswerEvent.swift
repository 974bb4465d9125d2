public import Foundation

/// A step of an answer that is being made, as the streams of the assistant send it.
public enum AnswerEvent: Hashable, Sendable {
    /// Parts of a long conversation are summarized first: `part` of `parts` is done.
    case progress(part: Int, parts: Int)
    /// The messages that were found, by rank, without numbers.
    case retrieval([ChatAnswer.Source])
    /// The language model has read this share of the sources, 0...1; before the first text, if its server reports it.
    case reading(share: Double)
    /// More text of the answer; citations in it have their final numbers.
    case text(String)
    /// The text so far contains this citation.
    case citation(ChatAnswer.Citation)
    /// The text so far after its sentences were checked: it replaces the text and citations before it.
    case support(Support)
    /// The whole answer; the last event.
    case done(ChatAnswer)
    /// The answer failed; the last event.
    case failed(ChatProblem)
    /// An event of a later server.
    case unknown(type: String)

    /// Reads an event of a stream.
    ///
    /// - Parameters:
    ///   - name: The name of the event.
    ///   - data: Its JSON.
    /// - Throws: `DecodingError` for a known name with other fields than it must have.
    public init(name: String, data: Data) throws {
        func read<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONDecoder().decode(type, from: data) }
        switch name {
        case "progress":
            let step = try read(Progress.self)
            self = .progress(part: step.part, parts: step.parts)
        case "retrieval": self = .retrieval(try read(Retrieval.self).sources)
        case "reading": self = .reading(share: try read(Reading.self).share)
        case "delta": self = .text(try read(Delta.self).text)
        case "citation": self = .citation(try read(ChatAnswer.Citation.self))
        case "support": self = .support(try read(Support.self))
        case "done": self = .done(try read(ChatAnswer.self))
        case "error": self = .failed(try read(ChatProblem.self))
        default: self = .unknown(type: name)
        }
    }
}

extension AnswerEvent {
    /// The data of the event `progress`.
    public struct Progress: Hashable, Sendable, Codable {
        /// The part that is done, from 1; 0 for none.
        public var part: Int
        /// The number of parts.
        public var parts: Int

        public init(part: Int, parts: Int) {
            self.part = part
            self.parts = parts
        }
    }

    /// The data of the event `retrieval`.
    public struct Retrieval: Hashable, Sendable, Codable {
        /// The messages that were found, by rank, without numbers.
        public var sources: [ChatAnswer.Source]

        public init(sources: [ChatAnswer.Source]) { self.sources = sources }
    }

    /// The data of the event `reading`.
    public struct Reading: Hashable, Sendable, Codable {
        /// The share of the prompt that the language model has read, 0...1.
        public var share: Double

        public init(share: Double) { self.share = share }
    }

    /// The data of the event `delta`.
    public struct Delta: Hashable, Sendable, Codable {
        /// More text of the answer.
        public var text: String

        public init(text: String) { self.text = text }
    }

    /// The data of the event `support`.
    public struct Support: Hashable, Sendable, Codable {
        /// The text so far; citations may have moved, sentences may be gone.
        public var answer: String
        /// Its citations in order.
        public var citations: [ChatAnswer.Citation]
        /// Its sentences in order.
        public var sentences: [ChatAnswer.Sentence]

        public init(answer: String, citations: [ChatAnswer.Citation], sentences: [ChatAnswer.Sentence]) {
            self.answer = answer
            self.citations = citations
            self.sentences = sentences
        }
    }
}
