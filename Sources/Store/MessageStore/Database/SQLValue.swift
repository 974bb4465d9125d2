package import Foundation

/// A value of a statement, or of a column.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case data(Data)
    /// A list for `json_each`; no column holds one.
    case list(SQLList)
}

/// A list of values.
package enum SQLList: Equatable, Sendable {
    /// For `json_each(?)`.
    case numbers([Int64])
    /// For `json_each(?, '$')`.
    case texts([String])
}

/// A type whose values are bound to statements.
package protocol SQLBindable: Sendable {
    var sqlValue: SQLValue { get }
}

/// A value that is bound to a statement; nil is NULL.
package typealias SQLArgument = (any SQLBindable)?

extension SQLValue: SQLBindable {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLBindable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
    package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLBindable {
    package var sqlValue: SQLValue { .real(self) }
}

extension String: SQLBindable {
    package var sqlValue: SQLValue { .text(self) }
}

extension Data: SQLBindable {
    package var sqlValue: SQLValue { .data(self) }
}

/// A type whose lists are bound to statements.
package protocol SQLListElement: Sendable {
    static func list(_ elements: [Self]) -> SQLList
}

extension Int64: SQLListElement {
    package static func list(_ elements: [Int64]) -> SQLList { .numbers(elements) }
}

extension String: SQLListElement {
    package static func list(_ elements: [String]) -> SQLList { .texts(elements) }
}

extension Array: SQLBindable where Element: SQLListElement {
    package var sqlValue: SQLValue { .list(Element.list(self)) }
}

extension SQLList {
    /// The list as JSON.
    package var json: String {
        switch self {
        case .numbers(let numbers): "[" + numbers.map(String.init).joined(separator: ",") + "]"
        case .texts(let texts): Self.json(texts)
        }
    }

    private static func json(_ texts: [String]) -> String {
        var json = "["
        for text in texts {
            if json.utf8.count > 1 { json += "," }
            json += "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\": json += "\\\(scalar)"
                case "\0"..<" ": json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
                default: json.unicodeScalars.append(scalar)
                }
            }
            json += "\""
        }
        return json + "]"
    }
}
