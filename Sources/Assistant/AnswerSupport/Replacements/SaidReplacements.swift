import ChatCore

/// What people say about statements, which comes before what the rules find.
struct SaidReplacements {
    /// The statements of which a person says what replaced them: place of the message, place in it, place of the later
    /// message, all in the order of time.
    private(set) var links: [(earlier: Int, other: Int, later: Int)] = []
    /// Until when statements hold; `max` for those whose later message a person named.
    private var held: [Replacement.Statement: Timestamp] = [:]

    init(_ pairs: StatementPairs) {
        guard pairs.messages.contains(where: { !$0.verdicts.isEmpty }) else { return }
        let places = Dictionary(pairs.order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for (earlier, own) in pairs.statements.enumerated() {
            for (other, statement) in own.enumerated() {
                let verdicts = pairs.messages[statement.message].verdicts.filter { verdict in
                    verdict.range.map { $0.overlaps(statement.range) } ?? true
                }
                guard !verdicts.isEmpty else { continue }
                let said = Self.last(verdicts)
                held[Self.key(statement)] = said.held
                guard let later = said.newer.flatMap({ places[$0] }), later > earlier else { continue }
                links.append((earlier, other, later))
                held[Self.key(statement)] = Timestamp(microseconds: .max)
            }
        }
    }

    /// Whether people decide what a message of a moment says of a statement, so that the rules are not asked.
    func decides(_ statement: Statement, after moment: Timestamp) -> Bool {
        guard !held.isEmpty, let until = held[Self.key(statement)] else { return false }
        return moment <= until
    }

    private static func key(_ statement: Statement) -> Replacement.Statement {
        .init(message: statement.message, range: statement.range)
    }

    /// The last verdict wins: see `standing` of ``ReplacementVerdict``.
    private static func last(_ verdicts: [DatedVerdict]) -> (held: Timestamp?, newer: Int?) {
        var held: Timestamp?
        var replaced: DatedVerdict?
        for verdict in verdicts {
            if verdict.isReplaced {
                replaced = verdict
                if let until = held, until >= verdict.sentAt { held = nil }
            } else {
                held = max(held ?? verdict.sentAt, verdict.sentAt)
                if let other = replaced, other.sentAt <= verdict.sentAt { replaced = nil }
            }
        }
        return (held, replaced?.newer)
    }
}
