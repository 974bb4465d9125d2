import ChatCore
import Foundation

/// One JSON value of a history.
enum JSONElement {
    /// The most bytes of one message in JSON; a longer one is passed over.
    static let byteLimit = 4 << 20

    /// Reads a value.
    ///
    /// - Throws: ``ImportLineError`` for anything that is no JSON in UTF-8.
    static func parse(_ data: Data, takesHexEscapes: Bool = false) throws(ImportLineError) -> JSONValue {
        do {
            var stream = JSONStream(DataSource(data), takesHexEscapes: takesHexEscapes)
            let value = try value(&stream)
            // The end of the stream is checked, too.
            _ = try stream.next()
            return value
        } catch JSONStreamError.invalidUTF8 {
            throw ImportLineError(reason: "not valid UTF-8")
        } catch {
            throw ImportLineError(reason: "not valid JSON")
        }
    }

    /// Reads the next value of a stream whole.
    private static func value(_ stream: inout JSONStream) throws -> JSONValue {
        switch try stream.peek() {
        case .object:
            try stream.beginObject()
            var fields: [String: JSONValue] = [:]
            while let key = try stream.nextKey() { fields[key] = try value(&stream) }
            return .object(fields)
        case .array:
            try stream.beginArray()
            var values: [JSONValue] = []
            while try stream.hasElement() { values.append(try value(&stream)) }
            return .array(values)
        default:
            guard case .scalar(let value) = try stream.next() else { return .null }
            return value
        }
    }
}

/// Bytes that are in memory.
private struct DataSource: ByteSource {
    private var data: Data?

    init(_ data: Data) {
        self.data = data
    }

    mutating func read() -> [UInt8]? {
        defer { data = nil }
        return data.flatMap { $0.isEmpty ? nil : [UInt8]($0) }
    }
}
