import ChatCore
import Foundation

/// The next element of a list.
enum JSONListElement {
    /// An object.
    case fields(JSONFields)
    /// An invalid element with the reason; the list continues after it.
    case rejected(ImportLineError)
}

extension JSONStream {
    /// Makes a stream for a document whose values are checked one by one: a value that is not valid JSON or UTF-8 is
    /// skipped.
    init(document source: any ByteSource, takesHexEscapes: Bool = false) {
        self.init(source, takesHexEscapes: takesHexEscapes, checksEncoding: false)
    }

    /// Returns the array's next element; nil at its end.
    ///
    /// - Throws: ``JSONStreamError`` and errors of reading: nothing more can be read then.
    mutating func nextElement() throws -> JSONListElement? {
        let depth = depth
        do {
            guard try hasElement() else { return nil }
            guard let data = try captureValue(limit: JSONElement.byteLimit) else {
                return .rejected(ImportLineError(reason: "longer than \(JSONElement.byteLimit) bytes"))
            }
            do throws(ImportLineError) {
                return .fields(try JSONFields(try JSONElement.parse(data, takesHexEscapes: takesHexEscapes)))
            } catch {
                return .rejected(error)
            }
        } catch let error as JSONStreamError {
            guard error.isOfOneValue, try recover(at: depth) else { throw error }
            return .rejected(ImportLineError(reason: error.valueReason))
        }
    }

    /// Skips the next array, element by element; an invalid element is tolerated.
    mutating func skipList() throws {
        try beginArray()
        let depth = depth
        while true {
            do {
                guard try hasElement() else { return }
                try skipValue()
            } catch let error as JSONStreamError {
                guard error.isOfOneValue, try recover(at: depth) else { throw error }
            }
        }
    }

    /// Passes over a field's value; one that is no JSON does no harm.
    mutating func skipField() throws { _ = try fieldValue(limit: 0) }

    /// Returns the bytes of a field's value; nil for one that is too long or no JSON.
    mutating func fieldValue(limit: Int) throws -> Data? {
        let depth = depth
        do {
            return try captureValue(limit: limit)
        } catch let error as JSONStreamError {
            guard error.isOfOneValue, try recover(at: depth) else { throw error }
            return nil
        }
    }
}

extension JSONStreamError {
    /// Whether reading may continue after the value.
    fileprivate var isOfOneValue: Bool {
        switch self {
        case .unexpected, .tooDeep: true
        case .truncated, .tooLong, .invalidUTF8, .notUTF8, .wrongType: false
        }
    }

    /// A description of the error if only one value is lost.
    fileprivate var valueReason: String {
        if case .unexpected(let offset) = self { return "not valid JSON at byte \(offset)" }
        return reason
    }

    /// A description of the error, for operators.
    var reason: String {
        switch self {
        case .unexpected(let offset): "not valid JSON at byte \(offset); the rest is not read"
        case .truncated(let offset): "breaks off at byte \(offset)"
        case .tooDeep(let offset, let limit): "nested deeper than \(limit) levels at byte \(offset)"
        case .tooLong(let offset, let limit): "longer than \(limit) bytes at byte \(offset)"
        case .invalidUTF8(let offset): "not valid UTF-8 at byte \(offset); the rest is not read"
        case .notUTF8: "not in UTF-8"
        case .wrongType(let offset, _): "a value of another type than expected at byte \(offset)"
        }
    }
}
