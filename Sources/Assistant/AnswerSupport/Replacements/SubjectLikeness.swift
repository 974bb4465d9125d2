import ChatCore
import TextAnalysis

/// Whether two statements are about the same thing.
struct SubjectLikeness {
    /// How much of the shorter subject the other has: 0...1; 0 if one of them has none.
    private(set) var share = 0.0
    /// The weight of the shared words; a rare one counts up to 1.
    private(set) var weight = 0.0
    /// How much of the longer subject both share.
    private(set) var wholeShare = 0.0
    /// How much of the weight is from the sentences before, and from the conversation's name.
    private(set) var contextWeight = 0.0
    /// Whether both speak of different ones: "the design review", "the budget review".
    private(set) var isOfOthers = false
    /// Whether the later one names no subject.
    let isPronoun: Bool

    private let older: Statement
    private let newer: Statement

    /// - Parameters:
    ///   - older: The earlier statement.
    ///   - newer: The later one.
    ///   - hasSameConversation: Whether both are of one conversation. The name of the conversation of one tells something
    ///     of it in another only.
    ///   - isCorroborated: Whether something else says that both are about the same, so that the sentences before both
    ///     count. Otherwise the earlier one has to say by itself what it is about.
    ///   - rarity: How much a shared word counts, by its stem: 0...1.
    init(
        _ older: Statement, _ newer: Statement, hasSameConversation: Bool = true, isCorroborated: Bool = false,
        rarity: (String) -> Double
    ) {
        (self.older, self.newer) = (older, newer)
        isPronoun = newer.subject.allSatisfy(newer.plain.contains)
        var pairs: [(Int, Int)] = []
        var shared = 0.0
        for place in newer.subject {
            let word = newer.reading.words[place]
            let best = older.subject.map { ($0, WordLikeness.of(word, older.reading.words[$0])) }
                .max { $0.1 < $1.1 }
            guard let best, best.1 >= 0.75 else { continue }
            pairs.append((best.0, place))
            let isCore = newer.core.contains(place) || older.core.contains(best.0)
            shared +=
                (isCore ? 1 : Self.besideShare) * Double(best.1)
                * min(Self.weight(place, of: newer, rarity), Self.weight(best.0, of: older, rarity))
        }
        let (left, right) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
        contextWeight = Self.context(
            older.words(older.telling.filter { !left.contains($0) }),
            newer.words(newer.telling.filter { !right.contains($0) }),
            older: isCorroborated ? older : nil,
            newer: newer.needsContext || isCorroborated ? newer : nil, hasSameConversation, rarity)
        shared += contextWeight + Self.numberWeight * Double(sharedNumberCount(pairs))
        weight = shared
        let ownWeights = [older, newer].map { statement in
            let telling = Array(statement.core)
            return (telling.isEmpty ? statement.subject : telling)
                .reduce(0.0) { $0 + Self.weight($1, of: statement, rarity) }
        }
        let least = max(ownWeights.min() ?? 0, contextWeight > 0 ? Self.enough : 0)
        let most = max(ownWeights.max() ?? 0, least)
        wholeShare = most > 0 ? min(shared / most, 1) : 0
        share = least > 0 ? min(shared / least, 1) * min(1, shared / Self.enough) : 0
        isOfOthers = pairs.contains(where: isQualified) || haveOtherWriters || haveOtherNumbers(pairs)
    }

    /// How much a word counts that only the sentences before have, or the conversation's name.
    private static let beforeShare = 0.5
    private static let topicShare = 0.4
    /// How much a word counts that is beside neither value.
    private static let besideShare = 0.5
    /// How much "pier 3" in both counts beside the word alone.
    private static let numberWeight = 1.0

    /// Returns the weight of words that one statement has and what is around the other one.
    private static func context(
        _ olderWords: [ReadWord], _ newerWords: [ReadWord], older: Statement?, newer: Statement?,
        _ hasSameConversation: Bool, _ rarity: (String) -> Double
    ) -> Double {
        guard older != nil || newer != nil else { return 0 }
        var counted: [ReadWord] = []
        func sum(_ words: [ReadWord], in others: [ReadWord], _ share: Double) -> Double {
            words.reduce(0.0) { sum, word in
                guard word.weight >= 0.5, !counted.contains(where: { WordLikeness.of($0, word) >= 0.75 }),
                    others.contains(where: { WordLikeness.of(word, $0) >= 0.75 })
                else { return sum }
                counted.append(word)
                return sum + share * Double(word.weight) * rarity(word.stem)
            }
        }
        var total = 0.0
        guard hasSameConversation else {
            if let older { total += sum(newerWords, in: older.topic, topicShare) }
            if let newer { total += sum(olderWords, in: newer.topic, topicShare) }
            return total
        }
        if let older { total += sum(newerWords, in: older.before, beforeShare) }
        if let newer { total += sum(olderWords, in: newer.before, beforeShare) }
        if let older, let newer { total += sum(newer.before, in: older.before, beforeShare) }
        return total
    }

    /// The shared weight from which two subjects may be the same.
    private static let enough = 0.9

    private static func weight(_ place: Int, of statement: Statement, _ rarity: (String) -> Double) -> Double {
        let word = statement.reading.words[place]
        return (statement.plain.contains(place) ? 0.3 : Double(word.weight)) * rarity(word.stem)
    }

    /// Whether the same word has different words beside it.
    private func isQualified(_ pair: (Int, Int)) -> Bool {
        for step in [-1, 1] {
            guard let left = neighbour(of: pair.0, step, in: older), let right = neighbour(of: pair.1, step, in: newer),
                WordLikeness.of(left, right) < 0.6
            else { continue }
            let isShared =
                newer.words(newer.subject).contains { WordLikeness.of(left, $0) >= 0.75 }
                || older.words(older.subject).contains { WordLikeness.of($0, right) >= 0.75 }
            if !isShared { return true }
        }
        return false
    }

    /// The word of the subject beside a place, behind at most two words without weight in the same clause.
    private func neighbour(of place: Int, _ step: Int, in statement: Statement) -> ReadWord? {
        let words = statement.reading.words
        var next = place + step
        for _ in 0..<(step < 0 ? 1 : 3) {
            guard statement.places.contains(next), words[next].clause == words[place].clause else { return nil }
            if statement.plain.contains(next) { return nil }
            if statement.subject.contains(next) { return words[next] }
            if words[next].weight > 0 || statement.marked.contains(next) { return nil }
            next += step
        }
        return nil
    }

    /// "My holidays" of two people.
    private var haveOtherWriters: Bool {
        older.isOfWriter && newer.isOfWriter && older.source.sender != newer.source.sender
    }

    /// "Pier 3" in both, and the version "5.2" in both.
    private func sharedNumberCount(_ pairs: [(Int, Int)]) -> Int {
        let named = pairs.count { left, right in
            guard let first = number(behind: left, in: older), let second = number(behind: right, in: newer) else {
                return false
            }
            return first.equals(second)
        }
        let versions = newer.quantities.count { quantity in
            isVersion(quantity, newer)
                && older.quantities.contains { isVersion($0, older) && $0.values == quantity.values }
        }
        return max(named, min(versions, 1))
    }

    private func isVersion(_ quantity: Quantity, _ statement: Statement) -> Bool {
        quantity.unit == nil && !statement.isFormer(quantity.range)
            && quantity.values.contains { $0 != $0.rounded() && $0 < 100 }
    }

    /// "Release 2.4" and "release 2.5".
    private func haveOtherNumbers(_ pairs: [(Int, Int)]) -> Bool {
        pairs.contains { left, right in
            guard let first = number(behind: left, in: older), let second = number(behind: right, in: newer) else {
                return false
            }
            return !first.equals(second)
        }
    }

    private func number(behind place: Int, in statement: Statement) -> Quantity? {
        let words = statement.reading.words
        guard statement.places.contains(place + 1) else { return nil }
        return statement.quantities.first {
            $0.unit == nil && $0.range.overlaps(words[place + 1].range) && !statement.isFormer($0.range)
        }
    }
}
