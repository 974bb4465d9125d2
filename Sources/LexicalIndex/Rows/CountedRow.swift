/// A row on its way into a block: its terms counted and in order.
struct CountedRow: Sendable {
    let row: LexicalRow
    /// By ascending term; the postings speak of row 0.
    let postings: [TermPosting]

    init(_ row: LexicalRow) {
        self.row = row
        var occurrences: [(term: UInt64, field: Int)] = []
        occurrences.reserveCapacity(row.terms.count)
        for (field, terms) in [row.terms.date, row.terms.sender, row.terms.text].enumerated() {
            for term in terms { occurrences.append((term.rawValue, field)) }
        }
        occurrences.sort { $0.term < $1.term }
        var postings: [TermPosting] = []
        postings.reserveCapacity(occurrences.count)
        var start = 0
        while start < occurrences.count {
            let term = occurrences[start].term
            var counts = (date: 0, sender: 0, text: 0)
            while start < occurrences.count, occurrences[start].term == term {
                switch occurrences[start].field {
                case 0: counts.date += 1
                case 1: counts.sender += 1
                default: counts.text += 1
                }
                start += 1
            }
            let posting = Posting(row: 0, text: counts.text, sender: counts.sender, date: counts.date)
            postings.append(TermPosting(term: term, posting: posting))
        }
        self.postings = postings
    }
}
