import ChatCore
import Foundation
import TextAnalysis

/// Finds the days and spoken times of texts that were written at one moment.
struct DayReader: Sendable {
    let moment: Timestamp
    let zone: String
    private let clock: DayClock
    private let offset: Int64

    /// - Parameters:
    ///   - moment: When the texts were written.
    ///   - zone: The IANA name of the writer's zone; an unknown one counts as UTC.
    init(moment: Timestamp, zone: String) {
        (self.moment, self.zone) = (moment, zone)
        clock = DayClock(zone: zone)
        let seconds = moment.microseconds.quotient(flooringBy: 1_000_000)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        offset = Int64((TimeZone(named: zone) ?? .gmt).secondsFromGMT(for: date))
    }

    /// Reads texts of another moment in the same zone.
    init(moment: Timestamp, _ other: DayReader) {
        (self.moment, zone, clock) = (moment, other.zone, other.clock)
        // Another time of the year has another offset.
        let isSameDay = other.clock.day(of: moment) == other.clock.day(of: other.moment)
        offset = isSameDay ? other.offset : DayReader(moment: moment, zone: zone).offset
    }

    /// The day on which the texts were written; nil outside of 1900 to 2200.
    var today: Int64? { clock.day(of: moment) }

    /// What a text says of days, and times that it says in words.
    struct Found: Sendable {
        var days: [StatedDays] = []
        var times: [StatedTime] = []
    }

    private func stated(_ range: Range<Int>, _ spans: [ClosedRange<Int64>], of text: String) -> StatedDays {
        let words = TextAnalyzer.tokens(of: String(text.part(utf8: range)), language: .other).map(\.word)
        var days = StatedDays(range: range, spans: spans, isSentDay: false)
        days.hasYear =
            words.contains { $0.utf8.count == 4 && ($0.hasPrefix("19") || $0.hasPrefix("20")) }
            || words.contains("年")
        let numbers = words.filter { $0.utf8.contains { (0x30...0x39).contains($0) } }
        days.isBare =
            numbers.count == 1 && words.count <= 2 && words.allSatisfy { $0.utf8.count <= 4 }
            && !words.contains("月") && !text.part(utf8: range).contains("/")
        // A weekday may also be the last one.
        if numbers.isEmpty, spans.count == 1, let span = spans.first, span.count == 1, words.contains("曜") {
            days = StatedDays(
                range: range, spans: [span, (span.lowerBound - 7)...(span.lowerBound - 7)], isSentDay: false)
        }
        return days
    }

    func read(_ text: String) -> Found {
        var found = Found()
        var days: [(range: Range<Int>, spans: [ClosedRange<Int64>])] = []
        for expression in DateExpressions.find(in: text, askedAt: moment, zone: zone) {
            guard let first = clock.day(of: expression.start), let last = clock.day(of: expression.end + .seconds(-1)),
                first <= last
            else { continue }
            days.append((expression.range, [first...last]))
        }
        if let today { days += JapaneseDays.find(in: text, today: today) }
        for due in DueDates.find(in: text, saidAt: moment, zone: zone) {
            guard let day = clock.day(of: due.moment) else { continue }
            let place = days.firstIndex { $0.range.overlaps(due.range) }
            if let place {
                // "Next week's Monday" is no other day of that week.
                let isWeekday =
                    text.part(utf8: due.range).contains("曜") && days[place].spans.allSatisfy { $0.count == 7 }
                if isWeekday { days[place].spans = [] }
                days[place].spans.append(day...day)
                let range = days[place].range
                days[place].range =
                    min(range.lowerBound, due.range.lowerBound)..<max(range.upperBound, due.range.upperBound)
            } else if !due.hasTime || JapaneseDays.namesDay(text.part(utf8: due.range)) {
                days.append((due.range, [day...day]))
            }
            guard due.hasTime else { continue }
            let seconds = due.moment.microseconds.quotient(flooringBy: 1_000_000) + offset
            let minute = Int((seconds - seconds.quotient(flooringBy: 86_400) * 86_400) / 60)
            found.times.append(StatedTime(range: due.range, minute: minute, isExact: false))
        }
        found.days = days.prefix(SupportLimits.factCount).map { stated($0.range, $0.spans, of: text) }
        return found
    }
}

/// Japanese words for days that are over and for weeks, which readers of due dates leave out.
private enum JapaneseDays {
    private static let days: [(String, Int64)] = [
        ("一昨日", -2), ("おととい", -2), ("昨日", -1), ("昨夜", -1), ("昨晩", -1), ("きのう", -1), ("今朝", 0),
    ]
    private static let weeks: [(String, Int64)] = [("先週", -1), ("今週", 0), ("来週", 1)]

    static func find(in text: String, today: Int64) -> [(range: Range<Int>, spans: [ClosedRange<Int64>])] {
        guard text.utf8.contains(where: { (0xE3...0xE9).contains($0) }) else { return [] }
        var found: [(range: Range<Int>, spans: [ClosedRange<Int64>])] = []
        for (word, days) in days {
            found += ranges(of: word, in: text).map { ($0, [(today + days)...(today + days)]) }
        }
        let monday = today - (today + 3) % 7
        for (word, step) in weeks {
            let first = monday + 7 * step
            found += ranges(of: word, in: text).map { ($0, [first...(first + 6)]) }
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    static func namesDay(_ text: Substring) -> Bool {
        text.contains { "日月曜週末年今明".contains($0) }
    }

    private static func ranges(of word: String, in text: String) -> [Range<Int>] {
        let (bytes, wanted) = (Array(text.utf8), Array(word.utf8))
        guard bytes.count >= wanted.count, let first = wanted.first else { return [] }
        return (0...(bytes.count - wanted.count)).filter { start in
            bytes[start] == first && bytes[start..<start + wanted.count].elementsEqual(wanted)
        }.map { $0..<$0 + wanted.count }
    }
}
