import ChatCore

/// The order in which a date's parts are written.
package enum DateOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// Day, month, year.
    case dmy
    /// Month, day, year.
    case mdy
    /// Year, month, day.
    case ymd
}

/// How the dates of a file are read.
struct DateReading: Equatable {
    var order: DateOrder
    /// Whether years of two digits are Buddhist ones: 67 is 2567.
    var hasBuddhistYears = false

    /// Returns the time that the clock showed; nil when there is no such day.
    func time(_ head: WhatsAppHead) -> WallTime? {
        let parts = parts(of: head.date)
        guard let calendar = calendar(of: parts.year, in: head.date) else { return nil }
        let year = fullYear(parts.year, in: head.date)
        guard let date = calendar.civil(year: year, month: parts.month, day: parts.day) else { return nil }
        return WallTime(
            year: date.year, month: date.month, day: date.day, hour: head.hour, minute: head.minute,
            second: head.second)
    }

    /// Whether the year belongs to no calendar that is read.
    func hasUnknownYear(_ head: WhatsAppHead) -> Bool {
        calendar(of: parts(of: head.date).year, in: head.date) == nil
    }

    /// Why a head has no time.
    func fault(of head: WhatsAppHead) -> String {
        hasUnknownYear(head)
            ? "the year \(parts(of: head.date).year) belongs to no calendar that is read; set the phone to the "
                + "Gregorian calendar and export again" : "no such date with the order \(order.rawValue)"
    }

    private func parts(of date: WhatsAppHead.Date) -> (year: Int, month: Int, day: Int) {
        let parts = date.parts
        return switch order {
        case .dmy: (parts[2], parts[1], parts[0])
        case .mdy: (parts[2], parts[0], parts[1])
        case .ymd: (parts[0], parts[1], parts[2])
        }
    }

    private func calendar(of year: Int, in date: WhatsAppHead.Date) -> ExportCalendar? {
        if date.eraStart != nil { return .gregorian }
        guard year < 100 else { return ExportCalendar(year: year) }
        return hasBuddhistYears ? .buddhist : .gregorian
    }

    private func fullYear(_ year: Int, in date: WhatsAppHead.Date) -> Int {
        if let start = date.eraStart { return year.addingClamped(start) }
        guard year < 100 else { return year }
        return year.addingClamped(hasBuddhistYears ? 2_500 : 2_000)
    }
}

/// Finds out how the dates of a file are written.
///
/// The reading counts that the fewest dates contradict (a month 13, a year first of four digits), then the one with the
/// fewest dates in the future, then the one under which time runs backwards least often.
struct DateOrderVote {
    fileprivate struct Candidate {
        var reading: DateReading
        var contradictionCount = 0
        /// Dates after the present, which nobody can have written; with Buddhist years also those before the application.
        var impossibleCount = 0
        var unknownYearCount = 0
        var backwardCount = 0
        var last: WallTime?

        var strangeCount: Int { impossibleCount.addingClamped(unknownYearCount) }
        var rank: [Int] { [contradictionCount, impossibleCount, backwardCount] }
    }

    /// The latest time that a clock can show now, anywhere on earth.
    private let end: Int64
    private var candidates =
        DateOrder.allCases.map { Candidate(reading: DateReading(order: $0)) }
        + DateOrder.allCases.map { Candidate(reading: DateReading(order: $0, hasBuddhistYears: true)) }
    private var headCount = 0
    private var hasYearsFirst = false
    private var hasSpacedDots = false
    /// The values of the first, second and third part.
    private var values: [Set<Int>] = [[], [], []]
    /// 2009-01-01: there is no older message.
    fileprivate static let start: Int64 = 1_230_768_000

    /// - Parameter now: The present time; nil if dates in the future prove nothing.
    init(now: Timestamp?) {
        end = now.map { $0.microseconds.quotient(flooringBy: 1_000_000).addingClamped(2 * 86_400) } ?? .max
    }

    /// Takes the next head of the file.
    mutating func add(_ head: WhatsAppHead) {
        headCount += 1
        hasYearsFirst = hasYearsFirst || head.hasYearFirstHalf
        hasSpacedDots = hasSpacedDots || (head.date.hasDots && head.date.hasBlanks)
        for (index, part) in head.date.parts.enumerated().prefix(values.count) where values[index].count < 64 {
            values[index].insert(part)
        }
        for index in candidates.indices { candidates[index].add(head, end: end) }
    }

    /// Returns the reading that fits best.
    ///
    /// - Parameter order: The order according to the operator.
    /// - Returns: The reading; nil when the file leaves the order open, or contradicts every one.
    func reading(order: DateOrder? = nil) -> DateReading? {
        let possible = candidates.filter {
            $0.contradictionCount < headCount && (order == nil || $0.reading.order == order)
        }
        guard let best = possible.map(\.rank).min(by: { $0.lexicographicallyPrecedes($1) }) else { return nil }
        let winners = possible.filter { $0.rank == best }.map(\.reading)
        let usual = winners.filter { !$0.hasBuddhistYears }
        return decided(usual.isEmpty ? winners : usual)
    }

    /// Whether the best reading puts most dates into the future, or most years belong to no calendar.
    func isOfUnknownCalendar(order: DateOrder?) -> Bool {
        let counts = candidates.filter { order == nil || $0.reading.order == order }.map {
            [$0.contradictionCount.subtractingClamped($0.unknownYearCount), $0.strangeCount]
        }
        guard let best = counts.min(by: { $0.lexicographicallyPrecedes($1) })?.last else { return false }
        return best.multipliedClamped(by: 2) > headCount
    }

    /// Decides between readings that fit equally well.
    private func decided(_ winners: [DateReading]) -> DateReading? {
        guard winners.count > 1 else { return winners.first }
        let yearFirst = winners.first { $0.order == .ymd }
        if hasYearsFirst, let yearFirst { return yearFirst }
        let others = winners.filter { $0.order != .ymd }
        guard let other = others.first, others.count == 1 else { return nil }
        // Two-digit years come first only in a few countries, and where dots have blanks after them.
        guard hasSpacedDots, let yearFirst else { return other }
        guard values[1].count > 1, values[0].count != values[2].count else { return nil }
        return values[0].count < values[2].count ? yearFirst : other
    }
}

extension DateOrderVote.Candidate {
    fileprivate mutating func add(_ head: WhatsAppHead, end: Int64) {
        let date = head.date
        let isYearLast = date.digitCounts[2] > 2 || (date.eraStart != nil && !date.isYearFirst)
        let fits = date.isYearFirst ? reading.order == .ymd : !isYearLast || reading.order != .ymd
        if fits, reading.hasUnknownYear(head) { unknownYearCount += 1 }
        guard fits, !(date.hasDots && reading.order == .mdy), let time = reading.time(head) else {
            contradictionCount += 1
            return
        }
        if time.seconds > end || (reading.hasBuddhistYears && time.seconds < DateOrderVote.start) {
            impossibleCount += 1
        }
        if let last, time < last { backwardCount += 1 }
        last = time
    }
}
