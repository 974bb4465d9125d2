import ChatCore
import Foundation

/// What a list's next element is.
enum JSONListElement {
    /// An object.
    case fields(JSONFields)
    /// Something that cannot be taken, and why; the list goes on behind it.
    case rejected(ImportLineError)
}

extension JSONStream {
    /// Returns the array's next element; nil at its end.
    ///
    /// - Throws: ``JSONStreamError`` and errors of reading: nothing more can be read then.
    mutating func nextElement() throws -> JSONListElement? {
        guard try hasElement() else { return nil }
        guard let data = try captureValue(limit: JSONElement.byteLimit) else {
            return .rejected(ImportLineError(reason: "longer than \(JSONElement.byteLimit) bytes"))
        }
        do throws(ImportLineError) {
            return .fields(try JSONFields(try JSONElement.parse(data)))
        } catch {
            return .rejected(error)
        }
    }

    /// Reads a short value; nil for a long one, which is passed over.
    mutating func shortValue() throws -> JSONValue? {
        guard let data = try captureValue(limit: JSONElement.byteLimit) else { return nil }
        return try? JSONElement.parse(data)
    }
}

extension JSONStreamError {
    /// The error in words, for operators.
    var reason: String {
        switch self {
        case .unexpected(let offset): "not valid JSON at byte \(offset); what follows is not read"
        case .truncated(let offset): "breaks off at byte \(offset)"
        case .tooDeep(let offset, let limit): "nested deeper than \(limit) levels at byte \(offset)"
        case .tooLong(let offset, let limit): "longer than \(limit) bytes at byte \(offset)"
        case .invalidUTF8(let offset): "not valid UTF-8 at byte \(offset); what follows is not read"
        case .notUTF8: "not in UTF-8"
        case .wrongType(let offset, _): "a value of another type than expected at byte \(offset)"
        }
    }
}
