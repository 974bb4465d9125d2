/// Translates statements of the store into PostgreSQL's language.
///
/// Both databases understand most statements alike. These forms are translated:
/// - `?` and `?3` become `$1` and `$3`; a `?` has the number after the largest one before it, as in SQLite.
/// - `CROSS JOIN … ON` and `INDEXED BY …`, with which SQLite is told how to read, become `JOIN … ON` and nothing.
/// - `IS ?` and `IS NOT ?` become `IS NOT DISTINCT FROM` and `IS DISTINCT FROM`.
/// - `json_each(list)` becomes a list of numbers, and `json_each(list, path)` a list of texts, with a column `value`.
/// - An `INSERT … VALUES` into a table whose rows have numbers returns the number.
package struct PostgresText {
    package let sql: String
    /// The table into which the statement inserts; nil if it does something else.
    package let table: String?
    /// Whether the statement inserts a row and returns its number.
    package let returnsNumber: Bool

    /// The tables with numbers that are asked for.
    private static let numbered: Set<String> = [
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
        table = words.starts(with: ["INSERT", "INTO"]) && words.count > 2 ? String(words[2]) : nil
        returnsNumber = (table.map { Self.numbered.contains($0) } ?? false) && words.contains("VALUES")
        sql = Self.translated(tokens) + (returnsNumber ? " RETURNING number" : "")
    }

    private static func translated(_ tokens: [Token]) -> String {
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
            case .value(let number): text += "$\(number)"
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
            case .word("json_each"): text += hasTwoArguments(tokens[place...]) ? "list_texts" : "list_numbers"
            case .word(let word): text += word
            }
        }
        return text
    }

    /// Whether the arguments that begin with a parenthesis are two.
    private static func hasTwoArguments(_ tokens: ArraySlice<Token>) -> Bool {
        var depth = 0
        for token in tokens {
            switch token {
            case .other("("): depth += 1
            case .other(")"):
                depth -= 1
                if depth == 0 { return false }
            case .other(","): if depth == 1 { return true }
            default: break
            }
        }
        return false
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
