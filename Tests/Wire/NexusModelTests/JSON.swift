import Foundation

/// Reads values that have no initialiser.
enum JSON {
    static func decode<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
