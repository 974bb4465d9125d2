import ChatCore

/// Which stored author each author of an export is.
///
/// A name alone proves little: contacts are renamed, and two phones have other names for the same people. Equal texts
/// of the same minute decide; names decide where there are none.
struct AuthorMatching {
    /// The stored author that each author of the export continues; nil for somebody new.
    private(set) var continued: [Int?]
    /// All stored authors that each author of the export may be in a single message.
    private(set) var possible: [[Int]]

    private let votes: [[Int: Int]]

    /// - Parameters:
    ///   - stored: The stored messages.
    ///   - export: The messages of the export.
    ///   - shifts: By how much the export's times are later.
    ///   - areIDs: Whether authors have ids of their application, which no vote overrules.
    init(stored: LineSequence, export: LineSequence, shifts: [Int64], areIDs: Bool) {
        votes = Self.votes(stored: stored, export: export, shifts: shifts)
        continued = Array(repeating: nil, count: export.authors.count)
        possible = votes.map { votes in
            let all = votes.values.reduce(0, +)
            return votes.filter { $0.value >= 2 && $0.value * 5 >= all }.map(\.key).sorted()
        }
        let own = Self.namesakes(stored: stored, export: export)
        for author in export.authors.indices { continued[author] = choice(of: author, own: own, areIDs: areIDs) }
        keepOneEach(own)
        for author in export.authors.indices {
            guard let main = continued[author] else { continue }
            possible[author] = [main] + possible[author].filter { $0 != main }
        }
    }

    /// Counts the equal texts of one minute that occur once in both, for each pair of authors.
    private static func votes(stored: LineSequence, export: LineSequence, shifts: [Int64]) -> [[Int: Int]] {
        var votes: [[Int: Int]] = Array(repeating: [:], count: export.authors.count)
        for shift in shifts {
            let old = unique(stored, shift: 0)
            for (key, new) in unique(export, shift: shift) {
                guard let author = new, let other = old[key] ?? nil else { continue }
                votes[author][other, default: 0] += 1
            }
        }
        return votes
    }

    private struct Key: Hashable {
        let text: UInt64
        let minute: Int64
    }

    /// The authors by text and minute; nil where there are two such messages.
    private static func unique(_ sequence: LineSequence, shift: Int64) -> [Key: Int?] {
        var found: [Key: Int?] = [:]
        for line in sequence.lines where TextKey.says(line.text) {
            let key = Key(text: line.text, minute: ClockShift.floor(line.time - shift))
            if found[key] == nil { found[key] = .some(sequence.author(of: line)) } else { found[key] = .some(nil) }
        }
        return found
    }

    /// The stored author with the same id, or else with the same name, or else with it as an earlier one.
    private static func namesakes(stored: LineSequence, export: LineSequence) -> [Int?] {
        var byID: [UserID: Int] = [:]
        var byName: [String: Int] = [:]
        var byEarlierName: [String: Int] = [:]
        for index in stored.authors.indices.reversed() {
            byID[stored.authors[index]] = index
            byName[stored.names[index]] = index
            for name in stored.allNames[index] { byEarlierName[name] = index }
        }
        return export.authors.indices.map { author in
            byID[export.authors[author]] ?? byName[export.names[author]] ?? byEarlierName[export.names[author]]
        }
    }

    private func choice(of author: Int, own: [Int?], areIDs: Bool) -> Int? {
        let best = votes[author].max { ($0.value, -$0.key) < ($1.value, -$1.key) }
        if let namesake = own[author] {
            guard !areIDs, let best, best.key != namesake, best.value >= 2,
                best.value > 3 * votes[author][namesake, default: 0]
            else { return namesake }
            return best.key
        }
        guard let best, best.value * 2 > votes[author].values.reduce(0, +) else { return nil }
        return best.key
    }

    /// Leaves each stored author to one author of the export: the one with most equal texts, or else of the same name.
    private mutating func keepOneEach(_ own: [Int?]) {
        var holders: [Int: Int] = [:]
        func rank(_ author: Int, _ other: Int) -> (Int, Int, Int) {
            (own[author] == other ? 1 : 0, votes[author][other, default: 0], -author)
        }
        for author in continued.indices {
            guard let other = continued[author] else { continue }
            if let holder = holders[other], rank(holder, other) > rank(author, other) {
                continued[author] = nil
            } else {
                if let holder = holders[other] { continued[holder] = nil }
                holders[other] = author
            }
        }
    }
}
