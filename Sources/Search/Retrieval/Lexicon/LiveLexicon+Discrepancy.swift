import ChatCore
import IndexCore
import LexicalIndex

extension LiveLexicon {
    /// Compares the row of every message with the store: its presence, sender and time, but not its words.
    ///
    /// - Returns: What differs.
    /// - Throws: ``RepositoryError``.
    package func discrepancy() async throws -> IndexDiscrepancy {
        try await follow()
        var suspects: [MessageNumber] = []
        var last = MessageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedMessages(after: last, limit: Self.pageSize)
            guard let end = page.last else { break }
            let rows = index.snapshot()
            suspects += page.filter { !rows.agrees(with: $0) }.map(\.number)
            last = end.number
        }
        // Rows that changed during the comparison are correct after this.
        try await follow()
        return try await lifecycle.rowLock.run {
            let rows = index.snapshot()
            var (missing, different, surplus) = (0, 0, 0)
            for number in suspects {
                let before = MessageNumber(rawValue: number.rawValue - 1)
                guard let message = try await store.indexedMessages(after: before, limit: 1).first,
                    message.number == number, !rows.agrees(with: message)
                else { continue }
                let isThere = rows.contains(RowKey(number))
                if message.content == nil { surplus += 1 } else if isThere { different += 1 } else { missing += 1 }
            }
            let census = try await store.messageCensus()
            // Rows of messages that the store does not know.
            let unknown =
                !(followed?.reaches(census.cursor) ?? false) ? 0 : rows.count - census.count + missing - surplus
            return IndexDiscrepancy(
                expectedCount: census.count, missingCount: missing, differentCount: different,
                surplusCount: surplus + max(0, unknown))
        }
    }
}

extension BM25Index.Snapshot {
    /// Whether a message with content has a matching row, and one without content has none; words are not compared.
    fileprivate func agrees(with message: IndexedMessage) -> Bool {
        guard let content = message.content else { return !contains(RowKey(message.number)) }
        let attributes = facts(of: RowKey(message.number))?.attributes
        return attributes?.sender == content.senderID.rowNumber && attributes?.time == content.timestamp.microseconds
    }
}
