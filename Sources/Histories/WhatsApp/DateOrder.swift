import ChatCore

/// The order in which a date's parts are written.
public enum DateOrder: String, Hashable, Sendable, Codable, CaseIterable {
    /// Day, month, year.
    case dmy
    /// Month, day, year.
    case mdy
    /// Year, month, day.
    case ymd
}

extension DateOrder {
    /// Returns the time that the clock showed; nil when there is no such day.
    func time(_ head: WhatsAppHead) -> WallTime? {
        let parts = head.date.parts
        let (year, month, day) =
            switch self {
            case .dmy: (parts[2], parts[1], parts[0])
            case .mdy: (parts[2], parts[0], parts[1])
            case .ymd: (parts[0], parts[1], parts[2])
            }
        return WallTime(
            year: year < 100 ? year + 2_000 : year, month: month, day: day, hour: head.hour, minute: head.minute,
            second: head.second)
    }
}

/// Finds out in which order the dates of a file are written.
///
/// An order that a date contradicts (a month 13, a year first of four digits) is out; of the others the one counts
/// under which time runs backwards least often.
struct DateOrderVote {
    private struct Candidate {
        var order: DateOrder
        var isPossible = true
        var backwardCount = 0
        var last: WallTime?
    }

    private var candidates = DateOrder.allCases.map { Candidate(order: $0) }

    /// Takes the next head of the file.
    mutating func add(_ head: WhatsAppHead) {
        let isYearFirst = head.date.firstDigitCount == 4
        for index in candidates.indices where candidates[index].isPossible {
            let order = candidates[index].order
            let fits = isYearFirst ? order == .ymd : head.date.parts[2] < 100 || order != .ymd
            guard fits, !(head.date.hasDots && order == .mdy), let time = order.time(head) else {
                candidates[index].isPossible = false
                continue
            }
            if let last = candidates[index].last, time < last { candidates[index].backwardCount += 1 }
            candidates[index].last = time
        }
    }

    /// The order; nil when the file leaves it open, or contradicts every one.
    var order: DateOrder? {
        let possible = candidates.filter(\.isPossible)
        guard let best = possible.map(\.backwardCount).min() else { return nil }
        let winners = possible.filter { $0.backwardCount == best }.map(\.order)
        // Two-digit years come first only in a few countries: that order is used only if no other fits as well.
        let usual = winners.filter { $0 != .ymd }
        if usual.isEmpty { return winners.first }
        return usual.count == 1 ? usual.first : nil
    }
}
