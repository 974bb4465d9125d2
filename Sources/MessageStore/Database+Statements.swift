import ChatCore
import GRDB

/// A value that is bound to a statement; nil is NULL.
typealias SQLValue = (any DatabaseValueConvertible)?

extension Database {
    /// Runs a statement that is prepared once a connection.
    func run(_ sql: String, _ values: [SQLValue] = []) throws {
        let statement = try cachedStatement(sql: sql)
        statement.setUncheckedArguments(StatementArguments(values))
        try statement.execute()
    }

    /// Returns the first row of a statement that is prepared once a connection.
    func row(_ sql: String, _ values: [SQLValue] = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(values))
    }

    /// Returns all rows of a statement that is prepared once a connection.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(values))
    }

    /// Returns the number in the first column of the first row.
    func number(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(values))
    }
}

extension Row {
    /// Returns the moment in a column that is never NULL.
    func moment(_ index: Int) -> Timestamp { Timestamp(microseconds: self[index]) }

    /// Returns the moment in a column.
    func momentIfAny(_ index: Int) -> Timestamp? {
        (self[index] as Int64?).map { Timestamp(microseconds: $0) }
    }

    /// Returns the id in a column that is never NULL.
    func identifier<Subject>(_ index: Int) -> Identifier<Subject> { Identifier(rawValue: self[index]) }

    /// Returns the word in a column as a case of an enumeration.
    func word<Word: RawRepresentable<String>>(_ index: Int) throws -> Word {
        guard let word = Word(rawValue: self[index]) else {
            throw RepositoryError.unavailable(reason: "a stored word is unknown")
        }
        return word
    }
}
