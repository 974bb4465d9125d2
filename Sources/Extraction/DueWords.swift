import ChatCore
import TextAnalysis

/// Resolves a model's words for a date against the messages that it was shown.
struct DueWords {
    let context: ExtractionContext

    /// How far after a message a date can lie that the message does not say in words.
    private static let farthest: Duration = .seconds(5 * 366 * 86_400)

    /// Returns the moment; nil for words that cannot be read, a date that does not exist, or one that nobody mentioned.
    ///
    /// Words count from the time of the message that contains them, which may be the item's own or another one. If the
    /// model calculated a date itself and the item's own message contains exactly one date in words, the latter is
    /// used.
    func due(_ words: String, of message: NumberedMessage) -> Timestamp? {
        guard !isReckoned(words) else { return reckoned(words, message) }
        guard let holder = holder(of: words, near: message) else { return reckoned(words, message) }
        let dates = DueDates.find(in: words, saidAt: holder.timestamp, zone: context.zone)
        return dates.last?.moment
    }

    /// Whether the words are a date that people seldom write, and models do.
    private func isReckoned(_ words: String) -> Bool {
        DueDates.endOfDay(String(words.prefix(10)), zone: context.zone) != nil
    }

    /// The item's own message if it contains the words, else the nearest message that does.
    private func holder(of words: String, near message: NumberedMessage) -> NumberedMessage? {
        let quote = Quote(words)
        if quote.range(in: message.text) != nil { return message }
        return context.messages.filter { quote.range(in: $0.text) != nil }
            .min { distance($0, message) < distance($1, message) }
    }

    private func distance(_ left: NumberedMessage, _ right: NumberedMessage) -> UInt64 {
        left.timestamp.microseconds.subtractingReportingOverflow(right.timestamp.microseconds).partialValue.magnitude
    }

    private func reckoned(_ words: String, _ message: NumberedMessage) -> Timestamp? {
        let said = DueDates.find(in: message.text, saidAt: message.timestamp, zone: context.zone)
        if said.count == 1 { return said[0].moment }
        guard isReckoned(words), let moment = moment(words),
            moment + .seconds(86_400) >= message.timestamp, moment <= message.timestamp + Self.farthest
        else { return nil }
        return moment
    }

    private func moment(_ words: String) -> Timestamp? {
        if let moment = Timestamp(iso8601: words) { return moment }
        if words.utf8.count > 10, let time = WallTime(iso8601: words), var clock = ZoneClock(zone: context.zone) {
            return clock.moment(of: time)
        }
        return words.utf8.count == 10 ? DueDates.endOfDay(words, zone: context.zone) : nil
    }
}
