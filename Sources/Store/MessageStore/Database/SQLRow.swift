package import ChatCore
package import Foundation

/// The values of one row.
///
/// GRDB's own row copies each value twice and indexes the names of the columns whenever a statement runs: measured for a
/// client that resumes its feed, a fifth of the time of all reads.
package struct SQLRow {
    package let values: [SQLValue]

    package init(_ values: [SQLValue]) { self.values = values }

    /// The number of columns.
    package var count: Int { values.count }

    /// Returns the value of a column that is never NULL.
    ///
    /// - Precondition: The column has the type, as the schema says.
    package subscript<Column: SQLColumn>(_ index: Int) -> Column {
        guard let value = Column(values[index]) else { preconditionFailure("a column has another type") }
        return value
    }

    /// Returns the value of a column; nil for NULL and for a value of another type.
    package subscript<Column: SQLColumn>(_ index: Int) -> Column? { Column(values[index]) }
}

/// A type of columns.
package protocol SQLColumn {
    /// Makes a value; nil for one of another type.
    init?(_ value: SQLValue)
}

extension Int64: SQLColumn {
    package init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }
}

extension Int: SQLColumn {
    package init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Bool: SQLColumn {
    package init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
    }
}

extension Double: SQLColumn {
    package init?(_ value: SQLValue) {
        switch value {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension String: SQLColumn {
    package init?(_ value: SQLValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }
}

extension Data: SQLColumn {
    package init?(_ value: SQLValue) {
        guard case .data(let data) = value else { return nil }
        self = data
    }
}

extension SQLRow {
    /// Returns the moment in a column that is never NULL.
    package func moment(_ index: Int) -> Timestamp { Timestamp(microseconds: self[index]) }

    /// Returns the moment in a column.
    package func momentIfAny(_ index: Int) -> Timestamp? {
        (self[index] as Int64?).map { Timestamp(microseconds: $0) }
    }

    /// Returns the id in a column that is never NULL.
    package func identifier<Subject>(_ index: Int) -> Identifier<Subject> { Identifier(rawValue: self[index]) }

    /// Returns the word in a column as a case of an enumeration.
    package func word<Word: RawRepresentable<String>>(_ index: Int) throws -> Word {
        guard let word = Word(rawValue: self[index]) else {
            throw RepositoryError.unavailable(reason: "a stored word is unknown")
        }
        return word
    }

    /// Returns the word in a column as a case of an enumeration; nil for NULL.
    package func wordIfAny<Word: RawRepresentable<String>>(_ index: Int) throws -> Word? {
        (self[index] as String?) == nil ? nil : try word(index)
    }
}
