import ChatCore
import TextAnalysis

/// Resolves a model's words for a date against the messages that it was shown.
struct DueWords {
    let context: ExtractionContext

    /// How far after a message a date can lie that the message does not say in words.
    private static let farthest: Duration = .seconds(5 * 366 * 86_400)

    /// Returns the moment; nil for words that cannot be read as a whole, a date that does not exist, or one that nobody
    /// mentioned.
    ///
    /// Words count from the time of the message that contains them, which may be the item's own or another one; what the
    /// message says beside them (a zone, "not", "every") belongs to them. If the model calculated a date itself and the
    /// item's own message contains exactly one date in words, all of which is understood, the latter is used.
    func due(_ words: String, of message: NumberedMessage) -> Timestamp? {
        guard !isReckoned(words), let (holder, part) = holder(of: words, near: message) else {
            return calculated(words, message)
        }
        let readings = readings(of: holder).filter { $0.range.overlaps(part) }
        guard readings.isEmpty else { return meaning(of: part, in: holder.text, saidAt: holder.timestamp) }
        // A date that is one only by itself: "3.12.".
        return meaning(of: 0..<words.utf8.count, in: words, saidAt: holder.timestamp)
    }

    private func readings(of message: NumberedMessage) -> [DueReading] {
        DueDates.read(in: message.text, saidAt: message.timestamp, zone: context.zone)
    }

    private func meaning(of part: Range<Int>, in text: String, saidAt moment: Timestamp) -> Timestamp? {
        DueDates.meaning(of: part, in: text, saidAt: moment, zone: context.zone)?.moment
    }

    /// Whether the words are a date that people seldom write, and models do.
    private func isReckoned(_ words: String) -> Bool {
        DueDates.endOfDay(String(words.prefix(10)), zone: context.zone) != nil
    }

    /// The item's own message if it contains the words, else the nearest message that does, and their place in it.
    private func holder(
        of words: String, near message: NumberedMessage
    ) -> (message: NumberedMessage, part: Range<Int>)? {
        let quote = Quote(words)
        if let part = quote.range(in: message.text) { return (message, part) }
        return context.messages.compactMap { other in quote.range(in: other.text).map { (other, $0) } }
            .min { distance($0.0, message) < distance($1.0, message) }
    }

    private func distance(_ left: NumberedMessage, _ right: NumberedMessage) -> UInt64 {
        left.timestamp.microseconds.subtractingReportingOverflow(right.timestamp.microseconds).partialValue.magnitude
    }

    private func calculated(_ words: String, _ message: NumberedMessage) -> Timestamp? {
        let said = readings(of: message)
        let whole = 0..<message.text.utf8.count
        if said.count == 1, let moment = meaning(of: whole, in: message.text, saidAt: message.timestamp) {
            return moment
        }
        guard isReckoned(words), let moment = moment(words, message),
            moment + .seconds(86_400) >= message.timestamp, moment <= message.timestamp + Self.farthest
        else { return nil }
        return moment
    }

    private func moment(_ words: String, _ message: NumberedMessage) -> Timestamp? {
        if let moment = Timestamp(iso8601: words) { return moment }
        if words.utf8.count > 10, let time = WallTime(iso8601: words), var clock = ZoneClock(zone: context.zone) {
            return clock.moment(of: time)
        }
        if words.utf8.count == 10 { return DueDates.endOfDay(words, zone: context.zone) }
        return meaning(of: 0..<words.utf8.count, in: words, saidAt: message.timestamp)
    }
}
