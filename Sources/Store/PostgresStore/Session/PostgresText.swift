package import MessageStore

/// Translates statements of the store into PostgreSQL's language.
///
/// Both databases understand most statements alike. These forms are translated:
/// - `?` and `?3` become `$1` and `$3`; a `?` has the number after the largest one before it, as in SQLite.
/// - `CROSS JOIN … ON` becomes `JOIN … ON`, and `INDEXED BY …` is removed: both tell only SQLite how to read.
/// - `IS ?` and `IS NOT ?` become `IS NOT DISTINCT FROM` and `IS DISTINCT FROM`.
/// - `json_each(?)` becomes a list of numbers, and `json_each(?, path)` one of texts, with a column `value`;
///   `IN (SELECT value FROM json_each(?))` becomes `= ANY`. In a column, `json_each(list, path)` is a list of texts.
/// - An `INSERT … VALUES` into a table whose rows have numbers takes the number as its last value.
package struct PostgresText {
    package let sql: String
    /// The table into which the statement inserts; nil if it does something else.
    package let table: String?
    /// The only table that the statement changes; nil if it may change several.
    package let changedTable: String?
    /// Whether the statement inserts one row, and takes the row's number as its last value.
    package let takesNumber: Bool
    /// Whether the statement inserts the rows of a query into the change log, which numbers them itself.
    package let copiesChanges: Bool
    /// The columns of the values, for a statement that inserts a row into one of ``batched`` and does nothing else.
    package let columns: [String]?

    /// The tables whose rows are inserted together; none refers to a later one.
    package static let batched = [
        "messages", "addressed", "notifications", "passages", "changes", "queue", "vectors", "turn_sources",
        "turn_history", "turn_hits", "turn_shown",
    ]

    /// The tables whose numbers are used by others.
    static let numbered: Set<String> = [
        "conversations", "messages", "changes", "generations", "passages", "turns",
    ]

    private enum Token: Equatable {
        case word(Substring)
        case value(Int)
        /// Quoted text, white space, and other characters.
        case other(Substring)

        var isSpace: Bool {
            guard case .other(let text) = self else { return false }
            return text.allSatisfy(\.isWhitespace)
        }
    }

    package init(_ source: String) {
        let tokens = Self.tokens(of: source)
        let words = tokens.prefix { $0 != .word("SELECT") }.compactMap { token -> Substring? in
            if case .word(let word) = token { word } else { nil }
        }
        let table = words.starts(with: ["INSERT", "INTO"]) && words.count > 2 ? String(words[2]) : nil
        let isNumbered = table.map { Self.numbered.contains($0) } ?? false
        let isBatched = table.map { Self.batched.contains($0) } ?? false
        let row = isBatched ? Self.row(tokens.filter { !$0.isSpace }) : nil
        self.table = table
        changedTable = Self.changedTable(tokens)
        let takesNumber = isNumbered && words.contains("VALUES")
        self.takesNumber = takesNumber
        copiesChanges = table == "changes" && !takesNumber
        columns = row.map { $0 + (takesNumber ? ["number"] : []) }
        sql = Self.translated(takesNumber ? Self.numbered(tokens) : tokens)
    }

    /// The tables with rows that go or change together with rows of others, when these are deleted.
    package static let referred: Set = [
        "accounts", "connector_rooms", "conversations", "messages", "passages", "threads", "turns",
    ]

    /// Returns the table of the first `INSERT INTO`, `UPDATE` or `DELETE FROM`; nil if there is none, or if deleting its
    /// rows changes other tables.
    private static func changedTable(_ tokens: [Token]) -> String? {
        let words = tokens.compactMap { if case .word(let word) = $0 { word } else { nil } as Substring? }
        guard let place = words.firstIndex(where: { ["INSERT", "UPDATE", "DELETE"].contains($0) }) else { return nil }
        let rest = words[(place + 1)...].drop { $0 == "INTO" || $0 == "FROM" }
        guard let table = rest.first.map(String.init) else { return nil }
        return words[place] == "DELETE" && referred.contains(table) ? nil : table
    }

    /// Returns the words of a statement: its keywords, and the names of tables, columns and functions.
    static func words(of source: String) -> Set<String> {
        Set(tokens(of: source).compactMap { if case .word(let word) = $0 { String(word) } else { nil } })
    }

    /// Returns a statement that runs a query for each element of several lists, and puts the element's place, counted
    /// from 1, before the columns of the query.
    ///
    /// - Parameters:
    ///   - source: A query of which no value is a list.
    ///   - values: A list for each of its values.
    /// - Returns: The translated statement.
    package static func joint(_ source: String, values: [SQLValue]) -> String {
        let lists = values.indices.map { "$\($0 + 1)::\(values[$0].isTexts ? "text" : "bigint")[]" }
        let names = values.indices.map { "value\($0 + 1)" } + ["place"]
        let query = translated(tokens(of: source)) { "given.value\($0)" }
        return """
            SELECT given.place, found.* FROM unnest(\(lists.joined(separator: ", "))) WITH ORDINALITY
            AS given(\(names.joined(separator: ", "))) CROSS JOIN LATERAL (\(query)) AS found
            """
    }

    /// Returns a statement that inserts so many rows; nil if ``columns`` is nil.
    package func inserting(_ rowCount: Int) -> String? {
        guard let table, let columns else { return nil }
        let rows = (0..<rowCount).map { row in
            "(" + columns.indices.map { "$\(row * columns.count + $0 + 1)" }.joined(separator: ", ") + ")"
        }
        return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows.joined(separator: ", "))"
    }

    /// Returns the columns of `INSERT INTO table (…) VALUES (?, …)`; nil for other statements.
    private static func row(_ tokens: [Token]) -> [String]? {
        guard tokens.starts(with: [.word("INSERT"), .word("INTO")]), tokens.count > 3,
            let middle = tokens.firstIndex(of: .word("VALUES")), tokens[3] == .other("("),
            tokens[middle - 1] == .other(")")
        else { return nil }
        let names = tokens[4..<middle - 1].compactMap { token -> String? in
            if case .word(let word) = token { String(word) } else { nil }
        }
        let values = (0..<names.count).flatMap { [$0 == 0 ? .other("(") : .other(","), Token.value($0 + 1)] }
        return Array(tokens[(middle + 1)...]) == values + [.other(")")] ? names : nil
    }

    /// Adds the number to the columns and the values of a statement that inserts a row.
    private static func numbered(_ tokens: [Token]) -> [Token] {
        let last = tokens.reduce(0) { largest, token in
            if case .value(let number) = token { max(largest, number) } else { largest }
        }
        guard let columns = tokens.firstIndex(of: .other(")")), let values = tokens.lastIndex(of: .other(")")) else {
            return tokens
        }
        return tokens[..<columns] + [.other(", "), .word("number")] + tokens[columns..<values]
            + [.other(", "), .value(last + 1)] + tokens[values...]
    }

    private static func translated(
        _ tokens: [Token], naming name: (Int) -> String = { "$\($0)" }
    ) -> String {
        var text = ""
        var place = 0
        /// Returns the place of the first token from `start` on that is no white space, if it fulfils the condition.
        func next(_ start: Int, _ condition: (Token) -> Bool) -> Int? {
            let found = tokens[start...].firstIndex { !$0.isSpace }
            return found.flatMap { condition(tokens[$0]) ? $0 : nil }
        }
        func isValue(_ token: Token) -> Bool { if case .value = token { true } else { false } }
        while place < tokens.count {
            let token = tokens[place]
            place += 1
            switch token {
            case .value(let number): text += name(number)
            case .other(let other): text += other
            case .word("CROSS"):
                if let join = next(place, { $0 == .word("JOIN") }) { place = join } else { text += "CROSS" }
            case .word("INDEXED"):
                guard let by = next(place, { $0 == .word("BY") }), let name = next(by + 1, { _ in true }) else {
                    text += "INDEXED"
                    continue
                }
                place = name + 1
            case .word("IS"):
                if next(place, isValue) != nil {
                    text += "IS NOT DISTINCT FROM"
                } else if let not = next(place, { $0 == .word("NOT") }), next(not + 1, isValue) != nil {
                    text += "IS DISTINCT FROM"
                    place = not + 1
                } else {
                    text += "IS"
                }
            case .word("IN"):
                if let (list, end) = selectedList(tokens, from: place) {
                    text += "= ANY(\(list))"
                    place = end
                } else {
                    text += "IN"
                }
            case .word("json_each"):
                guard let (list, end) = list(tokens, from: place) else {
                    text += "list_texts"
                    continue
                }
                let next = tokens[end...].drop(while: \.isSpace).first
                if case .word(let name)? = next, !["WHERE", "CROSS", "UNION"].contains(name) {
                    text += "unnest(\(list)) AS \(name)(value)"
                    place = tokens[end...].firstIndex { !$0.isSpace }.map { $0 + 1 } ?? end
                } else {
                    text += "unnest(\(list)) AS each(value)"
                    place = end
                }
            case .word(let word): text += word
            }
        }
        return text
    }

    /// Reads `(?)` or `(?, path)`; returns the list, and the place behind it.
    private static func list(_ tokens: [Token], from start: Int) -> (list: String, end: Int)? {
        let inside = tokens[start...].prefix { $0 != .other(")") }
        let arguments = inside.filter { !$0.isSpace }
        guard arguments.count == 2 || arguments.count == 4, arguments.first == .other("("),
            case .value(let number) = arguments[1]
        else { return nil }
        return ("$\(number)::\(arguments.count == 2 ? "bigint" : "text")[]", inside.endIndex + 1)
    }

    /// Reads `(SELECT value FROM json_each(…))`; returns the list, and the place behind it.
    private static func selectedList(_ tokens: [Token], from start: Int) -> (list: String, end: Int)? {
        var place = start
        for expected: Token in [
            .other("("), .word("SELECT"), .word("value"), .word("FROM"), .word("json_each"),
        ] {
            guard let next = tokens[place...].firstIndex(where: { !$0.isSpace }), tokens[next] == expected else {
                return nil
            }
            place = next + 1
        }
        guard let (list, end) = list(tokens, from: place), end < tokens.count, tokens[end] == .other(")") else {
            return nil
        }
        return (list, end + 1)
    }

    private static func tokens(of source: String) -> [Token] {
        var tokens: [Token] = []
        var largest = 0
        var rest = source[...]
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }
        while let first = rest.first {
            if first == "?" {
                let digits = rest.dropFirst().prefix(while: \.isNumber)
                let number = Int(digits) ?? largest + 1
                largest = max(largest, number)
                tokens.append(.value(number))
                rest = rest[digits.endIndex...]
            } else if first == "'" {
                let end = rest.dropFirst().firstIndex(of: "'").map(rest.index(after:)) ?? rest.endIndex
                tokens.append(.other(rest[..<end]))
                rest = rest[end...]
            } else if isWord(first) {
                let word = rest.prefix(while: isWord)
                tokens.append(.word(word))
                rest = rest[word.endIndex...]
            } else if first.isWhitespace {
                let space = rest.prefix(while: \.isWhitespace)
                tokens.append(.other(space))
                rest = rest[space.endIndex...]
            } else {
                tokens.append(.other(rest.prefix(1)))
                rest = rest.dropFirst()
            }
        }
        return tokens
    }
}
