import ChatCore
import Foundation

/// The rows of `digest_lines`: what a digest in a conversation loses with a message.
enum DigestRows {
    static func insert(_ lines: [ScheduleDelivery.Line], of answer: Int64, in db: any SQLSession) throws {
        for line in lines {
            for key in Set(line.sources).sorted() {
                guard let source = try StoredMessage.find(key, in: db) else { continue }
                try db.run(
                    "INSERT INTO digest_lines (answer, place, source) VALUES (?, ?, ?)",
                    [answer, line.place, source.number])
            }
        }
    }

    /// Values: answer.
    static let ofAnswer = "SELECT place, source FROM digest_lines WHERE answer = ? ORDER BY place, source"

    /// Removes the lines that are based on a message from a digest.
    ///
    /// - Parameters:
    ///   - answer: An answer that is based on the message.
    ///   - source: The message, deleted or edited.
    ///   - writer: The transaction.
    /// - Returns: The new content of the message; without any line left, its tombstone. Nil if it is no digest.
    /// - Throws: Storage errors.
    static func remaining(of answer: StoredMessage, without source: StoredMessage, by writer: MessageWriter) throws
        -> Message?
    {
        let rows = try writer.db.rows(ofAnswer, [answer.number])
        guard !rows.isEmpty else { return nil }
        let gone = Set(rows.filter { $0[1] == source.number }.map { $0[0] as Int })
        let left = Set(rows.map { $0[0] as Int }).subtracting(gone)
        guard !left.isEmpty else { return answer.message.tombstone(at: writer.moment) }
        var message = answer.message
        message.text = message.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { !gone.contains($0.offset) }.map(\.element).joined(separator: "\n")
        message.extra = message.extra.map { extra(of: $0, without: source.message.key) }
        message.editedAt = writer.moment
        try keep(rows.map { (place: $0[0], source: $0[1]) }, without: gone, of: answer.number, in: writer.db)
        return message
    }

    /// Removes lines, and moves those behind them up.
    private static func keep(
        _ rows: [(place: Int, source: Int64)], without gone: Set<Int>, of answer: Int64, in db: any SQLSession
    ) throws {
        let kept = rows.filter { !gone.contains($0.place) }
        try db.run("DELETE FROM digest_lines WHERE answer = ?", [answer])
        for row in kept {
            try db.run(
                "INSERT INTO digest_lines (answer, place, source) VALUES (?, ?, ?)",
                [answer, row.place - gone.count { $0 < row.place }, row.source])
        }
        for source in Set(rows.map(\.source)).subtracting(kept.map(\.source)).sorted() {
            try db.run("DELETE FROM mention_sources WHERE answer = ? AND source = ?", [answer, source])
        }
    }

    /// Returns the extra fields without a message among the sources.
    private static func extra(of text: String, without key: MessageKey) -> String {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            var content = object["nexus"] as? [String: Any], let sources = content["sources"] as? [[String: Any]]
        else { return text }
        content["sources"] = sources.filter {
            $0["messageId"] as? String != key.messageID.rawValue
                || $0["conversationId"] as? String != key.conversationID.rawValue
        }
        let whole = object.merging(["nexus": content]) { $1 }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: whole, options: options) else { return text }
        return String(decoding: data, as: UTF8.self)
    }
}
