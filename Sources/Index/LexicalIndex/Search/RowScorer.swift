/// Scores single rows, part by part; the total equals the row's score in a search.
struct RowScorer {
    let query: PreparedQuery

    /// The weighted occurrences of one term for a row, by kind of evidence.
    private struct Frequencies {
        var total: Float = 0
        var text: Float = 0
        var sender: Float = 0
        var date: Float = 0
        var previous: Float = 0
        var next: Float = 0
    }

    /// A neighbour of the row that is scored.
    private struct Neighbour {
        let weight: Float
        let place: RowLocation
    }

    /// The score of a row.
    func score(of place: RowLocation, in group: GroupRows) -> LexicalScore {
        let weights = query.weights
        let before = group.neighbours(before: place, atMost: weights.previous.count, maximumGap: weights.maximumGap)
        let after = group.neighbours(after: place, atMost: weights.next.count, maximumGap: weights.maximumGap)
        let own = group.blocks[place.block]
        let need = weights.neighbourNeed(textLength: Float(own.textLengths[place.row]))
        // Frequencies are added in the order of the rows, as in a search, because sums of floats depend on the order.
        let earlier = zip(weights.previous, before).reversed().map { Neighbour(weight: $0 * need, place: $1) }
        let later = zip(weights.next, after).map { Neighbour(weight: $0 * need, place: $1) }
        var beside = 0
        for neighbour in earlier + later where neighbour.weight > 0 {
            beside += Int(group.blocks[neighbour.place.block].textLengths[neighbour.place.row])
        }
        let normaliser = query.normaliser(tokenCount: Float(own.lengths[place.row]) + need * Float(beside))

        var score = LexicalScore()
        let highest = query.terms.reduce(0) { $0 + $1.value }
        var covered: Float = 0
        for term in query.terms where term.value > 0 {
            let found = frequencies(of: term.key, at: place, earlier: earlier, later: later, in: group)
            func part(_ frequency: Float) -> Float {
                query.score(value: term.value, frequency: frequency, normaliser: normaliser)
            }
            score.total += part(found.total)
            score.text += part(found.text)
            score.sender += part(found.sender)
            score.date += part(found.date)
            score.previous += part(found.previous)
            score.next += part(found.next)
            if found.total > 0 { covered += term.value }
        }
        if highest > 0 { score.coverage = covered / highest }
        return score
    }

    private func frequencies(
        of term: UInt64, at place: RowLocation, earlier: [Neighbour], later: [Neighbour], in group: GroupRows
    ) -> Frequencies {
        var cached: (block: Int, range: PostingRange)?
        func posting(at place: RowLocation) -> Posting? {
            let block = group.blocks[place.block]
            let range: PostingRange
            if let cached, cached.block == place.block { range = cached.range } else { range = block.range(of: term) }
            cached = (place.block, range)
            return block.posting(of: place.row, in: range)
        }
        let weights = query.weights
        var found = Frequencies()
        for neighbour in earlier {
            let amount = neighbour.weight * (posting(at: neighbour.place)?.text ?? 0)
            found.previous += amount
            found.total += amount
        }
        if let own = posting(at: place) {
            found.text = weights.text * own.text
            found.sender = weights.sender * own.sender
            found.date = weights.date * own.date
            found.total += query.own(own)
        }
        for neighbour in later {
            let amount = neighbour.weight * (posting(at: neighbour.place)?.text ?? 0)
            found.next += amount
            found.total += amount
        }
        return found
    }
}
