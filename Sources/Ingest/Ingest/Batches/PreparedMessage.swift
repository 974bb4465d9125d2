import ChatCore
import Crypto
import Foundation
import TextAnalysis

/// A claimed message with the texts to embed.
struct PreparedMessage: Sendable {
    /// The result of a turn.
    enum Progress {
        /// Every passage has its vector.
        case complete
        /// Passages wait for another turn, some of them perhaps because they were divided.
        case unfinished
        /// The service failed before all passages of the turn were embedded.
        case interrupted
        /// A passage is refused as it is.
        case refused(ModelServiceError)
    }

    let item: WorkItem
    /// The texts to embed, in order; none when the message has nothing to embed.
    private(set) var passages: [PreparedPassage]
    /// The estimated tokens of its texts.
    private(set) var tokenCount: Int
    /// The number of passages in its next turn; all, unless the message is long.
    private(set) var turnCount: Int
    private let limit: PassageLimit

    init(_ item: WorkItem, limit: PassageLimit) {
        self.item = item
        self.limit = limit
        passages = PassagePreparation.pieces(
            senderName: item.senderName, searchableText: item.searchableText, limit: limit
        ).map { PreparedPassage($0) }
        tokenCount = passages.reduce(0) { $0 + TokenEstimate.count($1.text) }
        turnCount = passages.count
    }

    /// The passages of its next turn.
    var turn: [PreparedPassage] { Array(waiting.prefix(turnCount)) }

    private var waiting: some Collection<PreparedPassage> { passages.filter { $0.vector == nil } }

    private var hasBegun: Bool { passages.contains { $0.vector != nil } }

    /// Whether it needs or needed more than one request.
    func isLong(_ settings: IngestSettings) -> Bool {
        hasBegun || passages.count > settings.batchItemCount || tokenCount > settings.batchTokenCount
    }

    /// Returns the message with a next turn that fits a request, at least one passage, and the tokens of that turn.
    func takingTurn(itemLimit: Int, tokenLimit: Int) -> (message: PreparedMessage, tokenCount: Int) {
        var (count, tokens) = (0, 0)
        for passage in waiting.prefix(max(1, itemLimit)) {
            let next = tokens + TokenEstimate.count(passage.text)
            if count > 0, next > tokenLimit { break }
            (count, tokens) = (count + 1, next)
        }
        var message = self
        message.turnCount = count
        return (message, tokens)
    }

    /// Takes the outcomes of its turn, one per passage: keeps vectors, and halves passages that are too long for the
    /// service.
    ///
    /// - Parameters:
    ///   - outcomes: In the order of ``turn``.
    ///   - observe: Called with each text that is too long, and the length of its parts.
    /// - Returns: What is left to do.
    mutating func finishTurn(
        _ outcomes: some Collection<BatchEmbedding.TextOutcome>, observe: (String, Int) -> Void
    ) -> Progress {
        var rest = outcomes[...]
        var refusal: ModelServiceError?
        var isInterrupted = false
        var turnRest = turnCount
        passages = passages.flatMap { passage -> [PreparedPassage] in
            guard passage.vector == nil, turnRest > 0, let outcome = rest.popFirst() else { return [passage] }
            turnRest -= 1
            switch outcome {
            case .vector(let vector): return [passage.embedded(by: vector)]
            case .undone: isInterrupted = true
            case .refused(.tooLong):
                if let halves = halves(of: passage) {
                    observe(passage.text, halfCount(of: passage))
                    return halves
                }
                refusal = refusal ?? .tooLong
            case .refused(let error): refusal = refusal ?? error
            }
            return [passage]
        }
        countWaiting()
        if let refusal { return .refused(refusal) }
        if isInterrupted { return .interrupted }
        return turnCount == 0 ? .complete : .unfinished
    }

    /// Divides the passages of its turn that are longer than what the service is known to take.
    mutating func divideTurn(by tokenCount: (String) -> Int?) {
        var turnRest = turnCount
        var divided: [PreparedPassage] = []
        var dividedTurnCount = 0
        for passage in passages {
            guard passage.vector == nil, turnRest > 0 else {
                divided.append(passage)
                continue
            }
            turnRest -= 1
            let fitting = tokenCount(passage.text).flatMap { parts(of: passage, tokenCount: $0) } ?? [passage]
            divided += fitting
            dividedTurnCount += fitting.count
        }
        guard divided.count > passages.count else { return }
        passages = divided
        countWaiting()
        turnCount = dividedTurnCount
    }

    private mutating func countWaiting() {
        turnCount = passages.count { $0.vector == nil }
        tokenCount = passages.reduce(0) { $0 + TokenEstimate.count($1.text) }
    }

    /// The message with its vectors, one per passage, as it is stored.
    var embedded: EmbeddedMessage {
        let drafts = passages.enumerated().compactMap { ordinal, passage in
            passage.vector.map {
                PassageDraft(ordinal: ordinal, range: passage.range, contentHash: passage.contentHash, vector: $0)
            }
        }
        return EmbeddedMessage(item: item, passages: drafts)
    }
}

// MARK: - Dividing passages

extension PreparedMessage {
    private func halfCount(of passage: PreparedPassage) -> Int {
        max(PassageLimit.leastTokenCount, limit.count(passage.text) / 2)
    }

    /// Returns the parts of a passage that is too long for the service; nil if it cannot be divided further.
    private func halves(of passage: PreparedPassage) -> [PreparedPassage]? {
        parts(of: passage, tokenCount: halfCount(of: passage))
    }

    /// Returns the parts of a passage, each of at most `tokenCount` tokens; nil if it is no longer, or a single character.
    ///
    /// A name that would take more than half of a part is left out.
    private func parts(of passage: PreparedPassage, tokenCount: Int) -> [PreparedPassage]? {
        guard limit.count(passage.text) > tokenCount else { return nil }
        let text = item.searchableText.utf8
        let start = text.index(text.startIndex, offsetBy: passage.range.lowerBound)
        let end = text.index(text.startIndex, offsetBy: passage.range.upperBound)
        let isNamed = limit.count(item.senderName) <= tokenCount / 2
        let pieces = PassagePreparation.pieces(
            senderName: isNamed ? item.senderName : "", searchableText: String(item.searchableText[start..<end]),
            limit: PassageLimit(tokenCount: max(1, tokenCount), count: limit.count))
        let shortened = pieces.count > 1 || pieces.first.map { $0.text != passage.text } ?? false
        return shortened ? pieces.map { PreparedPassage($0, offset: passage.range.lowerBound) } : nil
    }
}

/// One text to embed.
struct PreparedPassage: Sendable {
    /// The sender's name and a piece of the text.
    let text: String
    /// The UTF-8 bytes of the searchable text that are in ``text``.
    let range: Range<Int>
    /// SHA-256 of ``text``, 32 bytes.
    let contentHash: [UInt8]
    /// Its vector, from an earlier turn of the message.
    private(set) var vector: [Float]?

    /// - Parameters:
    ///   - piece: The piece.
    ///   - offset: The UTF-8 offset of the text that the piece was cut from.
    init(_ piece: PassagePreparation.Piece, offset: Int = 0) {
        text = piece.text
        range = piece.range.lowerBound + offset..<piece.range.upperBound + offset
        var hash = SHA256()
        var text = piece.text
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        contentHash = Array(hash.finalize())
    }

    /// Returns the passage with its vector.
    func embedded(by vector: [Float]) -> PreparedPassage {
        var passage = self
        passage.vector = vector
        return passage
    }
}
