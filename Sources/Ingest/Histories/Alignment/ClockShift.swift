import ChatCore

/// By how much the times of an export are later than the stored ones.
///
/// Two exports of a chat differ by seconds that one application leaves out, and by whole quarters of an hour if the
/// zone was another one. Zones with other rules for summer time give two shifts.
enum ClockShift {
    static let minute: Int64 = 60_000_000
    static let hour = 60 * minute
    /// No two zones are farther apart.
    static let limit = 26 * hour
    /// Texts that occur more often say little about their times.
    private static let occurrenceLimit = 8
    /// The most shifts of one chat.
    private static let countLimit = 6

    private struct Vote {
        var weight = 0
        /// How many texts that occur once in both say so.
        var uniqueCount = 0
    }

    /// Returns the shifts, the most frequent one first; never empty.
    static func shifts(from stored: [LineSequence.Line], to export: [LineSequence.Line]) -> [Int64] {
        let votes = votes(from: stored, to: export)
        guard
            let best = votes.max(by: { left, right in
                // Of two the smaller one; of two opposite ones the later one.
                (left.value.weight, right.key.magnitude, left.key) < (right.value.weight, left.key.magnitude, right.key)
            })?.key
        else { return [0] }
        let all = votes.values.reduce(0) { $0 + $1.uniqueCount }
        let further = votes.filter { $0.key != best && $0.value.uniqueCount >= 2 && $0.value.uniqueCount * 50 >= all }
            .sorted { ($0.value.uniqueCount, -$0.key) > ($1.value.uniqueCount, -$1.key) }
        return [best] + further.prefix(countLimit - 1).map(\.key)
    }

    /// Returns the time from one moment to another in whole quarters of an hour, as zones differ.
    static func quarters(from stored: Timestamp, to export: Timestamp) -> Duration {
        let quarter = 15 * minute
        let time = export.microseconds.subtractingClamped(stored.microseconds)
        return .microseconds(time.addingClamped(quarter / 2).quotient(flooringBy: quarter) * quarter)
    }

    private static func votes(
        from stored: [LineSequence.Line], to export: [LineSequence.Line]
    ) -> [Int64: Vote] {
        let (old, new) = (occurrences(in: stored), occurrences(in: export))
        var votes: [Int64: Vote] = [:]
        for (text, times) in new {
            guard let others = old[text], times.count <= occurrenceLimit, others.count <= occurrenceLimit else {
                continue
            }
            let pairCount = times.count * others.count
            for time in times {
                for other in others {
                    guard let shift = shift(from: other, to: time) else { continue }
                    // Divisible by the counts that occur most.
                    votes[shift, default: Vote()].weight += max(1, 48 / pairCount)
                    if pairCount == 1 { votes[shift, default: Vote()].uniqueCount += 1 }
                }
            }
        }
        return votes
    }

    /// The minutes of each text, one more than count at most.
    private static func occurrences(in lines: [LineSequence.Line]) -> [UInt64: [Int64]] {
        var minutes: [UInt64: [Int64]] = [:]
        for line in lines where TextKey.says(line.text) {
            if minutes[line.text, default: []].count <= occurrenceLimit {
                minutes[line.text, default: []].append(floor(line.time))
            }
        }
        return minutes
    }

    /// The shift between two minutes; nil if no zones differ so.
    private static func shift(from old: Int64, to new: Int64) -> Int64? {
        guard let difference = new.subtracting(old), difference.magnitude <= limit.magnitude,
            difference % (15 * minute) == 0
        else { return nil }
        return difference
    }

    /// The beginning of the minute of a time.
    static func floor(_ time: Int64) -> Int64 { time - (time % minute + minute) % minute }

    /// Whether an application may have left out the seconds of a time.
    static func isWholeMinute(_ time: Int64) -> Bool { time % minute == 0 }
}
