package import Foundation

/// A value of a statement, or of a column.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case data(Data)
}

/// A type whose values are bound to statements.
protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

/// A value that is bound to a statement; nil is NULL.
typealias SQLArgument = (any SQLBindable)?

extension SQLValue: SQLBindable {
    var sqlValue: SQLValue { self }
}

extension Int64: SQLBindable {
    var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
    var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
    var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLBindable {
    var sqlValue: SQLValue { .real(self) }
}

extension String: SQLBindable {
    var sqlValue: SQLValue { .text(self) }
}

extension Data: SQLBindable {
    var sqlValue: SQLValue { .data(self) }
}
