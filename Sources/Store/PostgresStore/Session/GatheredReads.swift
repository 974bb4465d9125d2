import MessageStore

/// Reads of one transaction that are sent together, and their answers.
///
/// Row logic reads one thing after another: for each message of a page its position, then its replies. With
/// ``together(_:_:ask:)`` it runs for all messages at once. Where it needs an answer that is not there yet, it stops;
/// the questions of all are sent in one round trip, and it runs again. So a page costs as many round trips as its
/// deepest message, and the row logic stays the same for both databases.
///
/// Answers are kept until the end of the transaction, or until a statement writes to one of their tables.
final class GatheredReads {
    /// Ends a body whose next answer is not there yet.
    private struct Unanswered: Error {}

    /// A body that may run several times wrote, which it must not.
    struct WriteInBody: Error {}

    /// A statement with its values.
    struct Question: Hashable {
        let statement: SQLStatement
        let values: Values

        init(_ statement: SQLStatement) {
            self.statement = statement
            values = Values(statement.values)
        }

        static func == (left: Question, right: Question) -> Bool {
            left.values == right.values && left.statement.sql == right.statement.sql
        }

        func hash(into hasher: inout Hasher) { hasher.combine(values) }
    }

    /// The values of a statement byte by byte: texts that only look alike are equal in Swift.
    struct Values: Hashable {
        private let bytes: [UInt8]

        init(_ values: [SQLArgument]) {
            bytes = values.reduce(into: []) { bytes, value in (value?.sqlValue ?? .null).append(to: &bytes) }
        }
    }

    /// The answers, by statement.
    private var answers: [String: [Values: [SQLRow]]] = [:]
    /// The words of the statements that ever had an answer.
    private var words: [String: Set<String>] = [:]
    /// The questions of the bodies that stopped; nil while no body runs.
    private var open: [Question]?

    /// Whether bodies run that stop at a question without an answer.
    var isGathering: Bool { open != nil }

    /// Returns the rows of statements if all are known.
    ///
    /// - Parameter statements: Reads.
    /// - Returns: The rows of each; nil if they have to be asked for now.
    /// - Throws: A mark that ends the body, while bodies run together.
    func rows(_ statements: [SQLStatement]) throws -> [[SQLRow]]? {
        guard isGathering || !answers.isEmpty else { return nil }
        let questions = statements.map(Question.init)
        let missing = questions.filter { known($0) == nil }
        if missing.isEmpty { return questions.map { known($0) ?? [] } }
        guard isGathering else { return nil }
        open?.append(contentsOf: missing)
        throw Unanswered()
    }

    /// Returns the rows of a statement, as ``rows(_:)`` does.
    func rows(of statement: SQLStatement) throws -> [SQLRow]? {
        guard isGathering || !answers.isEmpty else { return nil }
        let question = Question(statement)
        if let known = known(question) { return known }
        guard isGathering else { return nil }
        open?.append(question)
        throw Unanswered()
    }

    /// Runs a body for each item, as ``SQLSession/together(_:_:)`` does; `ask` returns the rows of statements.
    func together<Item, Value>(
        _ items: [Item], _ body: (Item) throws -> Value, ask: ([SQLStatement]) throws -> [[SQLRow]]
    ) throws -> [Value] {
        var values = [Value?](repeating: nil, count: items.count)
        var rest = Array(items.indices)
        let isOutermost = !isGathering
        defer { if isOutermost { open = nil } }
        while !rest.isEmpty {
            if isOutermost { open = [] }
            rest = try rest.filter { place in
                do {
                    values[place] = try body(items[place])
                    return false
                } catch is Unanswered {
                    return true
                }
            }
            guard !rest.isEmpty else { break }
            guard isOutermost else { throw Unanswered() }
            let questions = Set(open ?? [])
            open = nil
            for (question, rows) in zip(questions, try ask(questions.map(\.statement))) { keep(rows, of: question) }
        }
        return values.compactMap { $0 }
    }

    /// Runs a body whose values and errors are not needed yet, so that its answers are known afterwards.
    func ahead<Item>(
        _ items: [Item], _ body: (Item) throws -> Void, ask: ([SQLStatement]) throws -> [[SQLRow]]
    ) throws {
        let reads = { (item: Item) in
            do { try body(item) } catch let mark as Unanswered { throw mark } catch {}
        }
        _ = try together(items, reads, ask: ask)
    }

    /// Keeps an answer that was asked for in another way.
    func keep(_ rows: [SQLRow], of statement: SQLStatement) { keep(rows, of: Question(statement)) }

    private func keep(_ rows: [SQLRow], of question: Question) {
        answers[question.statement.sql, default: [:]][question.values] = rows
    }

    private func known(_ question: Question) -> [SQLRow]? { answers[question.statement.sql]?[question.values] }

    /// Forgets the answers that a write may change.
    ///
    /// - Parameter table: The only table that it changes; nil for one that deletes rows to which others refer.
    func forget(whatReads table: String?) {
        guard !answers.isEmpty else { return }
        guard let table, !table.isEmpty else {
            answers = answers.filter { Self.lasting.contains($0.key) }
            return
        }
        for sql in answers.keys where reads(table, in: sql) { answers[sql] = nil }
    }

    /// Statements whose tables refer to no other one, and to which none refers.
    private static let lasting: Set = [ChangeLog.storedEpoch]

    /// Whether a statement may read a table: its name is one of its words.
    private func reads(_ table: String, in sql: String) -> Bool {
        if let known = words[sql] { return known.contains(table) }
        let found = PostgresText.words(of: sql)
        words[sql] = found
        return found.contains(table)
    }

    /// Forgets all answers.
    func forget() { answers = [:] }
}

extension SQLValue {
    /// Appends the kind, the length and the bytes of the value.
    fileprivate func append(to bytes: inout [UInt8]) {
        func append(_ kind: UInt8, _ content: some Collection<UInt8>) {
            bytes.append(kind)
            withUnsafeBytes(of: content.count) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: content)
        }
        switch self {
        case .null: append(0, [])
        case .integer(let number): append(1, withUnsafeBytes(of: number) { Array($0) })
        case .real(let number): append(2, withUnsafeBytes(of: number.bitPattern) { Array($0) })
        case .text(let text): append(3, Array(text.utf8))
        case .data(let data): append(4, data)
        case .list(.numbers(let numbers)): append(5, numbers.withUnsafeBytes { Array($0) })
        case .list(.texts(let texts)):
            append(6, [])
            for text in texts { append(3, Array(text.utf8)) }
        }
    }
}
