import ChatCore
import Foundation

/// One JSON value of a history.
enum JSONElement {
    /// Reads a value.
    ///
    /// - Throws: ``ImportLineError`` for anything that is no JSON in UTF-8.
    static func parse(_ data: Data) throws(ImportLineError) -> JSONValue {
        guard String(validating: data, as: UTF8.self) != nil else { throw ImportLineError(reason: "not valid UTF-8") }
        do {
            return try JSONDecoder().decode(JSONValue.self, from: data)
        } catch {
            throw ImportLineError(reason: "not valid JSON")
        }
    }
}
