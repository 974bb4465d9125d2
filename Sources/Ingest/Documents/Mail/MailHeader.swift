/// The fields at the head of a mail or of a part of it (RFC 5322, 2045).
struct MailHeader {
    private static let byteLimit = 512 << 10
    private static let fieldLimit = 2_000

    /// The names in small letters and the values in one line each.
    private var fields: [(name: String, value: [UInt8])] = []

    /// Reads a head; returns the rest, too.
    static func read(_ bytes: ArraySlice<UInt8>) -> (header: MailHeader, body: ArraySlice<UInt8>) {
        var header = MailHeader()
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
            var line = rest[..<end]
            let next = rest[min(end + 1, rest.endIndex)...]
            if line.last == 0x0D { line = line.dropLast() }
            if line.isEmpty { return (header, next) }
            let isFolded = line.first == 0x20 || line.first == 0x09
            if isFolded, !header.fields.isEmpty {
                header.fields[header.fields.count - 1].value += [0x20] + line.drop { $0 == 0x20 || $0 == 0x09 }
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), !isFolded {
                let name = line[..<colon].filter { $0 != 0x20 }
                header.fields.append(
                    (String(decoding: name, as: UTF8.self).lowercased(), Array(line[(colon + 1)...])))
            } else if !line.starts(with: "From ".utf8), !line.starts(with: ">From ".utf8) {
                // The head has ended without an empty line.
                return (header, rest)
            }
            rest = next
            guard header.fields.count < fieldLimit, rest.startIndex - bytes.startIndex < byteLimit else { break }
        }
        return (header, rest)
    }

    /// Returns the raw value of the first field with a name.
    func bytes(_ name: String) -> [UInt8]? { fields.first { $0.name == name }?.value }

    /// Returns the readable value of the first field with a name, in one line; nil without one that says something.
    func text(_ name: String) -> String? {
        guard let bytes = bytes(name) else { return nil }
        let text = TextCollector.line(EncodedWords.decoded(bytes))
        return text.isEmpty ? nil : text
    }

    /// Returns a word in small letters, without the parameters behind it, for example `text/plain`.
    func word(_ name: String) -> String? {
        guard let bytes = bytes(name) else { return nil }
        let word = bytes.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "(") }
        let text = String(decoding: word, as: UTF8.self).lowercased().trimmingSpace
        return text.isEmpty ? nil : text
    }

    /// Returns the parameters of a field by their names in small letters.
    func parameters(_ name: String) -> [String: String] {
        bytes(name).map { MailParameters.read($0[...]) } ?? [:]
    }
}

/// Reads the parameters behind the word of a field (RFC 2045, 2231).
private enum MailParameters {
    private static let countLimit = 200

    static func read(_ field: ArraySlice<UInt8>) -> [String: String] {
        var plain: [String: [UInt8]] = [:]
        // Pieces of a long or encoded value, by their numbers.
        var pieces: [String: [Int: (bytes: [UInt8], isEncoded: Bool)]] = [:]
        var rest = field.drop { $0 != UInt8(ascii: ";") }
        for _ in 0..<countLimit where !rest.isEmpty {
            guard let (key, value, after) = parameter(rest.dropFirst()) else { break }
            rest = after
            let parts = key.split(separator: "*", omittingEmptySubsequences: false)
            if parts.count == 1 {
                if plain[key] == nil { plain[key] = value }
            } else {
                let isEncoded = key.hasSuffix("*")
                pieces[String(parts[0]), default: [:]][Int(parts[1]) ?? 0] = (value, isEncoded)
            }
        }
        var found = plain.mapValues { EncodedWords.decoded($0) }
        for (key, list) in pieces { found[key] = joined(list) }
        return found
    }

    /// Reads `name=value`; returns what follows, which is empty or begins with `;`.
    private static func parameter(
        _ source: ArraySlice<UInt8>
    ) -> (key: String, value: [UInt8], rest: ArraySlice<UInt8>)? {
        guard let equals = source.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") }) else {
            return nil
        }
        // A word without a value.
        guard source[equals] == UInt8(ascii: "=") else { return ("", [], source[equals...]) }
        let key = String(decoding: source[..<equals], as: UTF8.self).lowercased().trimmingSpace
        var rest = source[(equals + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        var value: [UInt8] = []
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
            }
        } else {
            value = rest.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x0D }
            while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
        }
        return (key, value, rest.drop { $0 != UInt8(ascii: ";") })
    }

    /// Joins the pieces of a value; the first one names the set of characters: `utf-8'en'…`.
    private static func joined(_ pieces: [Int: (bytes: [UInt8], isEncoded: Bool)]) -> String {
        var (bytes, charset): ([UInt8], String?) = ([], nil)
        for (place, number) in pieces.keys.sorted().enumerated() {
            guard var piece = pieces[number]?.bytes, let isEncoded = pieces[number]?.isEncoded else { continue }
            if isEncoded, place == 0 {
                let parts = piece.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3 { (charset, piece) = (String(decoding: parts[0], as: UTF8.self), Array(parts[2])) }
            }
            bytes += isEncoded ? unescaped(piece[...]) : piece
        }
        return TextCharset.decoded(bytes[...], named: charset)
    }

    private static func unescaped(_ source: ArraySlice<UInt8>) -> [UInt8] {
        var (result, rest): ([UInt8], ArraySlice<UInt8>) = ([], source)
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = TransferEncoding.hexadecimal(rest.prefix(2)) {
                result.append(code)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
