extension Comparison {
    func compareNegations(_ chosen: [Int], _ outcome: inout Outcome) {
        for pair in aligned(chosen) {
            let source = sources[pair.source]
            let own = pair.clauses.contains { clauses.hasNegation[$0] }
            let ownImplied = pair.clauses.contains { clause in
                (clauses.implied[clause] ?? []).contains { source.best($0, inClause: pair.clause) <= 0.9 }
            }
            let other = source.negated.contains(pair.clause)
            let otherImplied = (source.implied[pair.clause] ?? []).contains { column in
                !pair.clauses.contains { clause in
                    clauses.ranges[clause].contains { source.match[$0, column] > 0.9 }
                }
            }
            let isOpposite = pair.clauses.contains { self.isOpposite($0, source, pair.clause) }
            let (isDenied, otherIsDenied) = (own != ownImplied, other != otherImplied)
            // "Broken" denies nothing of a clause that hardly speaks of the same.
            let isSoft = own == other && pair.share < 0.7
            if isDenied != otherIsDenied, !isOpposite, !isSoft || hasOpposite(pair, source) {
                outcome.features.negation = max(outcome.features.negation, pair.share)
                if pair.share > 0.5 { outcome.reasons.insert(.negation) }
            }
            if isOpposite, isDenied == otherIsDenied {
                outcome.features.opposite = max(outcome.features.opposite, pair.share)
                outcome.reasons.insert(.opposite)
            }
        }
    }

    /// A clause of a source and those of the sentence that resemble it most.
    private struct AlignedClauses {
        let source: Int
        let clause: Int
        var clauses: [Int]
        var share: Double
    }

    private func aligned(_ chosen: [Int]) -> [AlignedClauses] {
        var pairs: [AlignedClauses] = []
        for own in clauses.compared {
            var best: (source: Int, aligned: ComparedSource.Aligned)?
            for number in chosen {
                guard let aligned = sources[number].aligned[own.clause], aligned.share > best?.aligned.share ?? 0
                else { continue }
                best = (number, aligned)
            }
            guard let (source, aligned) = best else { continue }
            if let place = pairs.firstIndex(where: { $0.source == source && $0.clause == aligned.clause }) {
                pairs[place].clauses.append(own.clause)
                pairs[place].share = max(pairs[place].share, Double(aligned.fullShare))
            } else {
                pairs.append(
                    AlignedClauses(
                        source: source, clause: aligned.clause, clauses: [own.clause],
                        share: Double(aligned.fullShare)))
            }
        }
        return pairs
    }

    private func hasOpposite(_ pair: AlignedClauses, _ source: ComparedSource) -> Bool {
        let given = source.allSides[pair.clause] ?? []
        guard !given.isEmpty else { return false }
        return pair.clauses.contains { clause in
            clauses.ranges[clause].contains { row in
                (sentence.reading.sides[row] ?? []).contains { given.contains(-$0) }
            }
        }
    }

    /// Returns the share of words whose likest words are all negated while they are not, or the reverse.
    func negatedShare(_ chosen: [Int]) -> Double {
        let own = NegatedClauses(sentence.reading, count: clauses.ranges.count) { row in
            chosen.contains { sources[$0].match.best[row] > 0.9 }
        }
        let others = chosen.map { number in
            NegatedClauses(sources[number].reading, count: sources[number].clauses.count) { column in
                sources[number].columnBest[column] > 0.9
            }
        }
        var (differing, total): (Float, Float) = (0, 0)
        for (row, word) in words.enumerated() where word.weight >= 0.5 {
            total += word.weight
            var (same, other): (Float, Float) = (0, 0)
            for (number, negated) in zip(chosen, others) where sources[number].match.best[row] > 0 {
                for clause in sources[number].clauses.indices {
                    let strength = sources[number].best(row, inClause: clause)
                    let isSame =
                        negated.all[clause] == own.all[word.clause]
                        || negated.explicit[clause] == own.explicit[word.clause]
                    if isSame { same = max(same, strength) } else { other = max(other, strength) }
                }
            }
            if other > 0.6, other > same + 0.25 { differing += word.weight }
        }
        return total == 0 ? 0 : Double(differing / total)
    }

    /// Returns the share of words that only questions of the sources resemble.
    func asked(_ chosen: [Int]) -> Double {
        var (asked, total): (Float, Float) = (0, 0)
        for (row, word) in words.enumerated() where word.weight >= 0.5 {
            total += word.weight
            let stated = chosen.reduce(Float(0)) { max($0, sources[$1].statedBest[row]) }
            let best = chosen.reduce(Float(0)) { max($0, sources[$1].askedBest[row]) }
            if best > 0.6, best > stated + 0.25 { asked += word.weight }
        }
        return total == 0 ? 0 : Double(asked / total)
    }

    /// Whether a clause of the sentence has a word whose opposite a clause of a source has instead.
    private func isOpposite(_ clause: Int, _ source: ComparedSource, _ other: Int) -> Bool {
        // A word that implies a negation was counted as one.
        guard let given = source.sides[other], let own = clauses.sides[clause] else { return false }
        return own.contains { place, sides in
            source.best(place, inClause: other) <= 0.94 && sides.contains { given.contains(-$0) && !given.contains($0) }
        }
    }

    func compareRejections(_ chosen: [Int], _ outcome: inout Outcome) {
        for row in clauses.stated {
            let accepted = chosen.contains { sources[$0].accepted[row] }
            let rejected = chosen.contains { sources[$0].rejected[row] }
            if sentence.reading.rejected.contains(row) ? accepted && !rejected : rejected && !accepted {
                outcome.features.rejection += 1
            }
        }
        outcome.features.rejection = min(outcome.features.rejection, 2)
    }
}

/// The clauses of a text that are negated by their own word, and those that are negated in sum.
private struct NegatedClauses {
    var explicit: [Bool]
    var all: [Bool]

    init(_ reading: TextReading, count: Int, isShared: (Int) -> Bool) {
        explicit = Array(repeating: false, count: count)
        var implied = explicit
        for place in reading.negations { explicit[reading.words[place].clause] = true }
        for place in reading.implied where !implied[reading.words[place].clause] && !isShared(place) {
            implied[reading.words[place].clause] = true
        }
        all = zip(explicit, implied).map { $0 != $1 }
    }
}
