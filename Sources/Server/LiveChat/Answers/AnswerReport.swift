import ChatCore
import Foundation

/// An ``AnswerPiece`` as nodes tell it each other, for the devices of its asker.
struct AnswerReport: Codable {
    /// The most Unicode scalars of a text, so that it fits into a ``NodeText`` even if each is written as six bytes.
    private static let scalarLimit = 800

    let asker: UserID
    private let id: String
    private let thread: ThreadID?
    private let conversation: ConversationID?
    private let message: MessageKey?
    private let start: Int
    private let text: String
    private let turn: TurnID?
    private let hasFailed: Bool

    /// The texts for a piece, which is cut if it is long.
    static func texts(of piece: AnswerPiece, for asker: UserID) -> [String] {
        var texts: [String] = []
        var rest = piece.text.unicodeScalars[...]
        var start = piece.start
        repeat {
            let part = rest.prefix(scalarLimit)
            rest = rest.dropFirst(part.count)
            let report = AnswerReport(piece, part: String(part), start: start, isLast: rest.isEmpty, asker: asker)
            start = start.addingClamped(part.count)
            if let data = try? JSONEncoder().encode(report) { texts.append(String(decoding: data, as: UTF8.self)) }
        } while !rest.isEmpty
        return texts
    }

    private init(_ piece: AnswerPiece, part: String, start: Int, isLast: Bool, asker: UserID) {
        (self.asker, id, self.start, text) = (asker, piece.answerID, start, part)
        thread = if case .thread(let id) = piece.place { id } else { nil }
        conversation = if case .conversation(let id) = piece.place { id } else { nil }
        message = if case .message(let key) = piece.place { key } else { nil }
        let ending = isLast ? piece.ending : nil
        turn = if case .done(let turn) = ending { turn } else { nil }
        hasFailed = ending == .failed
    }

    /// Nil for a text that cannot be read.
    init?(_ text: String) {
        guard let report = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = report
    }

    private var place: AnswerPiece.Place? {
        thread.map { .thread($0) } ?? conversation.map { .conversation($0) } ?? message.map { .message($0) }
    }

    /// Nil without a place.
    var piece: AnswerPiece? {
        place.map { place in
            AnswerPiece(
                answerID: id, place: place, start: start, text: text,
                ending: turn.map { .done($0) } ?? (hasFailed ? .failed : nil))
        }
    }
}
