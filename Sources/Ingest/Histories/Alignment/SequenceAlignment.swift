import ChatCore

/// Compares an export of a chat with what is stored of it, as a diff compares two versions of a file.
///
/// Lines are equal if they have the same text, author and time. What may differ is found first: the shift of the times
/// (``ClockShift``) and the names of people (``AuthorMatching``). Both come from texts that are rare. What is left
/// between two equal lines is then compared again, with a tolerance of a minute and a change of summer time. Last come
/// edits: lines of one author and minute whose neighbours are equal.
///
/// - Complexity: O(*n*) for *n* lines, and O(*n* · ``windowLimit``) for lines that are in one version only.
package struct SequenceAlignment {
    /// The most stored lines between two equal ones that are looked at.
    static let windowLimit = 512

    let stored: LineSequence
    let export: LineSequence
    /// Whether times are precise and in one zone.
    let isExact: Bool
    package let shifts: [Int64]
    let authors: AuthorMatching
    /// The stored line of each line of the export; -1 for a new one.
    package private(set) var matches: [Int32]
    package private(set) var isMatched: [Bool]

    package init(stored: LineSequence, export: LineSequence, isExact: Bool) {
        self.stored = stored
        self.export = export
        self.isExact = isExact
        shifts = isExact ? [0] : ClockShift.shifts(from: stored.lines, to: export.lines)
        authors = AuthorMatching(stored: stored, export: export, shifts: shifts, areIDs: isExact)
        matches = Array(repeating: -1, count: export.lines.count)
        isMatched = Array(repeating: false, count: stored.lines.count)
        // A folder that an earlier version doubled has a copy without a shift.
        for shift in shifts.contains(0) ? shifts : shifts + [0] {
            matchEqual(shift) { $0 }
            if !isExact { matchEqual(shift, time: ClockShift.floor) }
        }
        if !isExact { for gap in gaps() { matchNear(gap) } }
        for gap in gaps() { matchEdits(gap) }
    }

    private mutating func match(_ new: Int, with old: Int) {
        matches[new] = Int32(clamping: old)
        isMatched[old] = true
    }

    private func mayBeOne(_ new: LineSequence.Line, _ old: LineSequence.Line) -> Bool {
        authors.possible[export.author(of: new)].contains(stored.author(of: old))
    }

    // MARK: Equal lines

    private struct Key: Hashable {
        let text: UInt64
        let author: Int
        let time: Int64
    }

    /// Matches lines of equal text, author and time; several such lines in their order.
    private mutating func matchEqual(_ shift: Int64, time: (Int64) -> Int64) {
        var waiting: [Key: [Int32]] = [:]
        for index in stored.lines.indices.reversed() where !isMatched[index] {
            let line = stored.lines[index]
            let key = Key(text: line.text, author: stored.author(of: line), time: time(line.time))
            waiting[key, default: []].append(Int32(clamping: index))
        }
        guard !waiting.isEmpty else { return }
        for (index, line) in export.lines.enumerated() where matches[index] < 0 {
            for author in authors.possible[export.author(of: line)] {
                let key = Key(text: line.text, author: author, time: time(line.time - shift))
                guard let old = waiting[key]?.popLast() else { continue }
                match(index, with: Int(old))
                break
            }
        }
    }

    // MARK: Between equal lines

    /// New lines one after the other, and the stored ones between the stored lines of their neighbours.
    private struct Gap {
        let new: Range<Int>
        let old: Range<Int>
        /// Whether a line beside it is in both.
        let hasNeighbour: Bool
    }

    private func gaps() -> [Gap] {
        var gaps: [Gap] = []
        var start = 0
        while start < matches.count {
            guard matches[start] < 0 else {
                start += 1
                continue
            }
            var end = start
            while end < matches.count, matches[end] < 0 { end += 1 }
            if let gap = gap(start..<end) { gaps.append(gap) }
            start = end
        }
        return gaps
    }

    private func gap(_ new: Range<Int>) -> Gap? {
        let before = new.lowerBound > 0 ? Int(matches[new.lowerBound - 1]) : nil
        let behind = new.upperBound < matches.count ? Int(matches[new.upperBound]) : nil
        var first = before.map { $0 + 1 } ?? 0
        var last = behind ?? stored.lines.count
        guard first < last else { return nil }
        // Where one end is open, the lines beside the other one count.
        if last - first > Self.windowLimit {
            if before == nil { first = last - Self.windowLimit } else { last = first + Self.windowLimit }
        }
        return Gap(new: new, old: first..<last, hasNeighbour: before != nil || behind != nil)
    }

    /// Matches lines of equal text and author whose times differ by a minute, or by a change of summer time.
    private mutating func matchNear(_ gap: Gap) {
        guard gap.new.count <= 8 * Self.windowLimit else { return }
        var next = gap.old.lowerBound
        for index in gap.new {
            let line = export.lines[index]
            guard
                let old = (next..<gap.old.upperBound).first(where: { old in
                    let other = stored.lines[old]
                    return !isMatched[old] && other.text == line.text && mayBeOne(line, other)
                        && areNear(line.time, other.time)
                })
            else { continue }
            match(index, with: old)
            next = old + 1
        }
    }

    private func areNear(_ new: Int64, _ old: Int64) -> Bool {
        let further = [0, ClockShift.hour, -ClockShift.hour, ClockShift.hour / 2, -ClockShift.hour / 2]
        return shifts.contains { shift in
            further.contains { (new - old - shift - $0).magnitude < 3 * ClockShift.minute.magnitude / 2 }
        }
    }

    // MARK: Edits

    /// Matches lines of one author and time if both versions have equally many of them here, and the first lines of a
    /// gap at the end of what is stored.
    private mutating func matchEdits(_ gap: Gap) {
        guard gap.hasNeighbour || (stored.lines.count == 1 && export.lines.count == 1) else { return }
        var waiting: [Place: [Int]] = [:]
        for old in gap.old where !isMatched[old] {
            let line = stored.lines[old]
            waiting[Place(author: stored.author(of: line), minute: slot(line.time)), default: []].append(old)
        }
        var arriving: [Place: [Int]] = [:]
        for new in gap.new {
            guard let place = place(of: new, among: waiting) else { continue }
            arriving[place, default: []].append(new)
        }
        for (place, new) in arriving {
            guard let old = waiting[place] else { continue }
            let wereDeleted = old.allSatisfy { stored.lines[$0].isDeleted }
            guard old.count == new.count || wereDeleted else { continue }
            for (new, old) in zip(new, old) where isSameTime(new, old) { match(new, with: old) }
        }
        matchEnd(gap)
    }

    private struct Place: Hashable {
        let author: Int
        let minute: Int64
    }

    private func slot(_ time: Int64) -> Int64 { isExact ? time : ClockShift.floor(time) }

    /// The place of a new line in which a stored one waits.
    private func place(of new: Int, among waiting: [Place: [Int]]) -> Place? {
        let line = export.lines[new]
        for shift in shifts {
            for author in authors.possible[export.author(of: line)] {
                let place = Place(author: author, minute: slot(line.time - shift))
                if waiting[place] != nil { return place }
            }
        }
        return nil
    }

    /// Whether two lines of one minute are of the same second, if both say so.
    private func isSameTime(_ new: Int, _ old: Int) -> Bool {
        let (time, other) = (export.lines[new].time, stored.lines[old].time)
        if ClockShift.isWholeMinute(time) || ClockShift.isWholeMinute(other) { return true }
        return shifts.contains { time - $0 == other }
    }

    /// Matches the last stored lines with what the export has in their place: nothing stored follows them, so their
    /// neighbours on one side decide.
    private mutating func matchEnd(_ gap: Gap) {
        guard gap.hasNeighbour, gap.new.lowerBound > 0, gap.new.upperBound == matches.count,
            gap.old.upperBound == stored.lines.count,
            gap.old.count <= gap.new.count
        else { return }
        let pairs = Array(zip(gap.new, gap.old))
        let fit = pairs.allSatisfy { new, old in
            let (line, other) = (export.lines[new], stored.lines[old])
            let isFree = matches[new] < 0 && !isMatched[old]
            return isFree && mayBeOne(line, other) && isSameTime(new, old)
                && shifts.contains { slot(line.time - $0) == slot(other.time) }
        }
        guard fit else { return }
        for (new, old) in pairs { match(new, with: old) }
    }
}
