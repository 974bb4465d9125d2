import Foundation

extension URL {
    /// The most bytes of a JSON file: the largest, an index of weights, has some hundred kilobytes.
    private static let jsonByteLimit = 64 << 20

    /// Reads a JSON file of this folder; if there is none, `missing` is thrown, or that it cannot be read.
    func decoded<Value: Decodable>(
        _ type: Value.Type, _ name: String, orElse missing: EncoderError? = nil
    ) throws(EncoderError) -> Value {
        guard let value = try decodedIfThere(type, name) else { throw missing ?? .unreadable(file: name) }
        return value
    }

    /// Reads a JSON file of this folder; nil if there is none.
    func decodedIfThere<Value: Decodable>(_ type: Value.Type, _ name: String) throws(EncoderError) -> Value? {
        let url = appending(path: name)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        guard let file = MappedFile(url: url), file.bytes.count <= Self.jsonByteLimit else {
            throw .unreadable(file: name)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(file.bytes))
        } catch let error as EncoderError {
            throw error
        } catch {
            throw .malformedFile(file: name)
        }
    }
}

extension String {
    /// Whether this names a file or folder in another one, without leaving it.
    package var isFileName: Bool { !isEmpty && self != "." && self != ".." && !contains("/") && !contains("\0") }
}
