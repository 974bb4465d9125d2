/// Decodes words of header fields such as `=?utf-8?Q?gr=C3=BCn?=` (RFC 2047).
enum EncodedWords {
    private struct Word {
        var charset: String
        var bytes: [UInt8]
        var rest: ArraySlice<UInt8>
    }

    /// Returns the text of a field.
    ///
    /// Space between two encoded words is none, and a character may be divided between them.
    static func decoded(_ field: [UInt8]) -> String {
        var text = ""
        var pending: (charset: String, bytes: [UInt8])?
        var plain: [UInt8] = []
        func flush() {
            if let word = pending { text += TextCharset.decoded(word.bytes[...], named: word.charset) }
            text += TextCharset.decoded(plain[...], named: nil)
            (pending, plain) = (nil, [])
        }
        var rest = field[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "="), let word = word(rest) else {
                plain.append(byte)
                rest = rest.dropFirst()
                continue
            }
            let isBlank = plain.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            if isBlank, pending?.charset == word.charset {
                pending?.bytes += word.bytes
            } else {
                if pending != nil, isBlank { plain = [] }
                flush()
                pending = (word.charset, word.bytes)
            }
            plain = []
            rest = word.rest
        }
        flush()
        return text
    }

    private static func word(_ source: ArraySlice<UInt8>) -> Word? {
        guard source.starts(with: "=?".utf8) else { return nil }
        let question = UInt8(ascii: "?")
        // The standard's limit is 75 bytes; some senders write longer ones.
        let near = source.dropFirst(2).prefix(1_000)
        guard let first = near.firstIndex(of: question), first - near.startIndex <= 60,
            let kind = near[(first + 1)...].first, near[(first + 2)...].first == question
        else { return nil }
        var (end, place): (Int?, Int) = (nil, first + 3)
        while end == nil, let found = near[place...].firstIndex(of: question) {
            if near[(found + 1)...].first == UInt8(ascii: "=") { end = found }
            place = found + 1
        }
        guard let end else { return nil }
        let content = near[(first + 3)..<end]
        let bytes: [UInt8]
        switch kind | 0x20 {
        case UInt8(ascii: "b"): bytes = TransferEncoding.base64(content)
        case UInt8(ascii: "q"):
            let spaced = content.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
            bytes = TransferEncoding.quotedPrintable(spaced[...])
        default: return nil
        }
        let charset = String(decoding: near[..<first].prefix { $0 != UInt8(ascii: "*") }, as: UTF8.self).lowercased()
        return Word(charset: charset, bytes: bytes, rest: source[(end + 2)...])
    }
}
