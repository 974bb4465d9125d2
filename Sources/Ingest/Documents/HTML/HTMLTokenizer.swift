/// Reads the tags and texts of an HTML document one after another (WHATWG HTML, 13.2.5).
///
/// Like a browser it takes everything: what is no tag is text, and tags need no partners. It opens nothing and runs
/// nothing. Each byte is read a fixed number of times.
struct HTMLTokenizer {
    /// A start tag.
    struct Tag {
        /// The name in small letters.
        let name: String
        fileprivate let source: ArraySlice<UInt8>
    }

    enum Token {
        case start(Tag)
        case end(String)
        case text(String)
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// The last places of signs that end something: a search for one beyond its last place is not begun.
    private let lastGreater: Int
    private let lastQuotes: [UInt8: Int]

    /// - Parameter bytes: UTF-8.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
        lastGreater = bytes.lastIndex(of: UInt8(ascii: ">")) ?? -1
        lastQuotes = [UInt8(ascii: "\""), UInt8(ascii: "'")].reduce(into: [:]) { $0[$1] = bytes.lastIndex(of: $1) }
    }

    /// Returns the next tag or text; nil at the end.
    mutating func next() -> Token? {
        while position < bytes.endIndex {
            let start = position
            if bytes[start] == UInt8(ascii: "<"), start < lastGreater, let second = bytes[(start + 1)...].first {
                if Self.isLetter(second) { return .start(startTag()) }
                if second == UInt8(ascii: "/"), let third = bytes[(start + 2)...].first, Self.isLetter(third) {
                    return .end(endTag())
                }
                if second == UInt8(ascii: "!") || second == UInt8(ascii: "?") || second == UInt8(ascii: "/") {
                    skipComment()
                    continue
                }
            }
            // A sign that begins no tag is text.
            let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
            position = end
            return .text(HTMLReferences.replaced(bytes[start..<end]))
        }
        return nil
    }

    /// Reads to the end tag of an element whose content has no tags; returns its content.
    mutating func content(of name: String) -> ArraySlice<UInt8> {
        let start = position
        var place = start
        while let found = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            let after = bytes[(found + 1)...].dropFirst(name.utf8.count + 1).first
            if bytes[(found + 1)...].first == UInt8(ascii: "/"), Self.isName(name, bytes[(found + 2)...]),
                after.map({ Self.isSpace($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }) ?? true
            {
                position = found
                return bytes[start..<found]
            }
            place = found + 1
        }
        position = bytes.endIndex
        return bytes[start...]
    }

    private mutating func startTag() -> Tag {
        let name = takeName(from: position + 1)
        let start = position
        while position < bytes.endIndex, bytes[position] != UInt8(ascii: ">") { skipAttribute() }
        let source = bytes[start..<position]
        position = min(position + 1, bytes.endIndex)
        return Tag(name: name, source: source)
    }

    private mutating func endTag() -> String {
        let name = takeName(from: position + 2)
        let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
        position = min(end + 1, bytes.endIndex)
        return name
    }

    /// Takes the name of a tag.
    private mutating func takeName(from start: Int) -> String {
        let name = bytes[start...].prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">") }
        position = name.endIndex
        // Names of elements that matter are short.
        return String(decoding: name.prefix(32), as: UTF8.self).lowercased()
    }

    /// Passes over an attribute, or what stands between two.
    private mutating func skipAttribute() {
        let start = position
        position =
            bytes[position...].firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") || Self.isSpace($0) }
            ?? bytes.endIndex
        position = bytes[position...].firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
        guard position < bytes.endIndex, bytes[position] == UInt8(ascii: "="), position > start else {
            if position == start { position += 1 }
            return
        }
        position = bytes[(position + 1)...].firstIndex { !Self.isSpace($0) } ?? bytes.endIndex
        guard position < bytes.endIndex else { return }
        if let last = lastQuotes[bytes[position]], position < last,
            let end = bytes[(position + 1)...].firstIndex(of: bytes[position])
        {
            position = end + 1
        } else {
            position = bytes[position...].firstIndex { $0 == UInt8(ascii: ">") || Self.isSpace($0) } ?? bytes.endIndex
        }
    }

    /// Passes over a comment, a document type or an instruction.
    private mutating func skipComment() {
        let mark = Array("<!--".utf8)
        guard bytes[position...].starts(with: mark) else {
            position = (bytes[position...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex - 1) + 1
            return
        }
        // `<!-->` is a whole comment.
        var place = position + 2
        while let found = bytes[place...].firstIndex(of: UInt8(ascii: ">")) {
            // `--!>` ends a comment, too (13.2.5.53), but `<!--!>` does not.
            let isBang = found >= position + 7 && bytes[found - 1] == UInt8(ascii: "!")
            let end = isBang ? found - 1 : found
            if end >= position + 4, bytes[end - 1] == UInt8(ascii: "-"), bytes[end - 2] == UInt8(ascii: "-") {
                position = found + 1
                return
            }
            place = found + 1
        }
        // A comment without an end reaches to the end.
        position = bytes.endIndex
    }

    private static func isName(_ name: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes[...]
        for letter in name.utf8 {
            guard let byte = rest.popFirst(), byte | 0x20 == letter else { return false }
        }
        return true
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

extension HTMLTokenizer.Tag {
    /// Returns the value of an attribute: nil without the attribute, empty without a value.
    func value(of attribute: String) -> String? {
        var rest = source
        while true {
            rest = rest.drop { HTMLTokenizer.isSpace($0) || $0 == UInt8(ascii: "/") }
            guard !rest.isEmpty else { return nil }
            let name = rest.prefix { $0 != UInt8(ascii: "=") && !HTMLTokenizer.isSpace($0) && $0 != UInt8(ascii: "/") }
            rest = rest[name.endIndex...].drop(while: HTMLTokenizer.isSpace)
            var value: ArraySlice<UInt8> = []
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst().drop(while: HTMLTokenizer.isSpace)
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                    let end = rest.dropFirst().firstIndex(of: quote)
                {
                    value = rest[(rest.startIndex + 1)..<end]
                    rest = rest[(end + 1)...]
                } else {
                    value = rest.prefix { !HTMLTokenizer.isSpace($0) }
                    rest = rest[value.endIndex...]
                }
            }
            if String(decoding: name, as: UTF8.self).lowercased() == attribute { return HTMLReferences.replaced(value) }
        }
    }
}
