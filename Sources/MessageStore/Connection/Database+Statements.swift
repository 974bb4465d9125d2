import ChatCore
import Foundation
import GRDB

/// A value that is bound to a statement; nil is NULL.
typealias SQLValue = (any DatabaseValueConvertible)?

extension Database {
    /// Runs a statement, which is prepared once for each connection.
    func run(_ sql: String, _ values: [SQLValue] = []) throws {
        try statement(sql, values).execute()
    }

    /// Returns the first row of a statement, which is prepared once for each connection.
    func row(_ sql: String, _ values: [SQLValue] = []) throws -> SQLRow? { try cursor(sql, values).next() }

    /// Returns all rows of a statement, which is prepared once for each connection.
    func rows(_ sql: String, _ values: [SQLValue] = []) throws -> [SQLRow] { try Array(cursor(sql, values)) }

    /// Returns the rows of a statement one after another; it must be read before the statement runs again.
    func cursor(_ sql: String, _ values: [SQLValue] = []) throws -> SQLRowCursor {
        SQLRowCursor(try statement(sql, values))
    }

    /// Returns the number in the first column of the first row.
    func number(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        try Int64.fetchOne(statement(sql, values))
    }

    /// Returns a statement with its values.
    ///
    /// They are bound one by one: building and checking a list of arguments for each row took a third of the time of an
    /// import.
    private func statement(_ sql: String, _ values: [SQLValue]) throws -> Statement {
        let statement = try cachedStatement(sql: sql)
        // Sets all of them to NULL, and marks them as set.
        statement.setUncheckedArguments(StatementArguments())
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let code = ResultCode(rawValue: value.bind(to: statement.sqliteStatement, at: CInt(index + 1)))
            guard code == .SQLITE_OK else { throw DatabaseError(resultCode: code) }
        }
        return statement
    }
}

/// Lists stored as JSON in a text column.
enum JSONColumn {
    /// Returns the text of a list; nil for an empty list.
    static func text<Element: Encodable>(_ list: [Element]) throws -> String? {
        guard !list.isEmpty else { return nil }
        return String(decoding: try JSONEncoder().encode(list), as: UTF8.self)
    }

    /// Returns the list of a column.
    static func list<Element: Decodable>(_ text: String?) throws -> [Element] {
        guard let text, text != "[]" else { return [] }
        return try JSONDecoder().decode([Element].self, from: Data(text.utf8))
    }

    /// Returns the text of a value.
    static func text(of value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    /// Returns the value of a column.
    static func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    /// Returns numbers as a JSON list, for `json_each`.
    static func numbers(_ numbers: some Sequence<Int64>) -> String {
        "[" + numbers.map(String.init).joined(separator: ",") + "]"
    }
}

/// Vectors as they are stored: Float32, little-endian.
enum VectorColumn {
    static func data(_ bytes: [UInt8]) -> Data { Data(bytes) }

    static func data(_ vector: [Float]) -> Data {
        guard UInt32(1).littleEndian != 1 else { return vector.withUnsafeBytes { Data($0) } }
        return vector.map { $0.bitPattern.littleEndian }.withUnsafeBytes { Data($0) }
    }

    static func vector(_ data: Data) throws(RepositoryError) -> [Float] {
        guard data.count.isMultiple(of: 4) else {
            throw .unavailable(reason: "a stored vector has a broken length")
        }
        let vector = [Float](unsafeUninitializedCapacity: data.count / 4) { components, count in
            data.copyBytes(to: UnsafeMutableRawBufferPointer(components))
            count = data.count / 4
        }
        guard UInt32(1).littleEndian != 1 else { return vector }
        return vector.map { Float(bitPattern: UInt32(littleEndian: $0.bitPattern)) }
    }
}
