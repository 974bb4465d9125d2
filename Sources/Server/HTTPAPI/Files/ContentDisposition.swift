import Foundation

/// The field `Content-Disposition` (RFC 6266) with the name of a file.
enum ContentDisposition {
    /// Returns the field of a response.
    ///
    /// The name occurs twice: in ASCII, and percent-encoded for clients that know RFC 8187.
    static func field(name: String, isInline: Bool) -> String {
        let plain = String(
            decoding: name.unicodeScalars.map { scalar -> UInt8 in
                let isPlain = (0x20...0x7E).contains(scalar.value) && !["\"", "\\", "%"].contains(scalar)
                return isPlain ? UInt8(truncatingIfNeeded: scalar.value) : UInt8(ascii: "_")
            }, as: UTF8.self)
        return "\(isInline ? "inline" : "attachment"); filename=\"\(plain)\"; filename*=UTF-8''\(encoded(name))"
    }

    /// The bytes that `filename*` may hold as they are.
    private static let unreserved = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&+-.^_`|~".utf8)

    private static func encoded(_ name: String) -> String {
        name.utf8.map { byte in
            if unreserved.contains(byte) { return String(decoding: [byte], as: UTF8.self) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Returns the name of a file in the field of a request; nil if there is none.
    static func name(in field: String?) -> String? {
        guard let field else { return nil }
        let parameters = parameters(of: field)
        if let extended = parameters["filename*"] {
            let parts = extended.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
            if parts.count == 3, parts[0].lowercased() == "utf-8", let name = String(parts[2]).removingPercentEncoding {
                return name
            }
        }
        return parameters["filename"]
    }

    /// Reads `; name=value` and `; name="value"`; the first of each name counts.
    private static func parameters(of field: String) -> [String: String] {
        var found: [String: String] = [:]
        var rest = field.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let name = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(name.count)
            guard rest.first == "=" else { continue }
            rest = rest.dropFirst()
            let value = value(at: &rest)
            let key = name.lowercased().trimmingCharacters(in: .whitespaces)
            if found[key] == nil { found[key] = value }
            rest = rest.drop { $0 != ";" }
        }
        return found
    }

    private static func value(at rest: inout Substring) -> String {
        guard rest.first == "\"" else {
            let value = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(value.count)
            return value.trimmingCharacters(in: .whitespaces)
        }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        return value
    }
}
