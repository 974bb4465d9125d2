/// Reads the tags and texts of an XML document one after another (XML 1.0, 5th edition).
///
/// The documents come from strangers. So it opens nothing, knows no entities but the five of XML and numbers, passes over
/// document types, comments and processing instructions, and ends at the first part that is no XML. Names are local: the
/// part behind a colon.
package struct XMLReader {
    /// A start tag.
    package struct Tag: Equatable {
        /// The name without its prefix.
        package let name: String
        fileprivate let source: ArraySlice<UInt8>

        package static func == (left: Tag, right: Tag) -> Bool {
            left.name == right.name && left.source == right.source
        }
    }

    /// A tag or a text.
    package enum Event: Equatable {
        case start(Tag)
        case end(String)
        case text(String)
    }

    /// The deepest nesting that is read.
    private static let depthLimit = 512

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var open: [String] = []
    /// The end that follows an empty element.
    private var pendingEnd: String?

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Returns the next tag or text; nil at the end.
    ///
    /// - Throws: ``DocumentError/damaged``.
    package mutating func next() throws(DocumentError) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            open.removeLast()
            return .end(name)
        }
        while position < bytes.endIndex {
            guard bytes[position] == UInt8(ascii: "<") else { return .text(try text()) }
            if let event = try markup() { return event }
        }
        guard open.isEmpty else { throw .damaged }
        return nil
    }

    /// Reads to the end of the element whose start was read last.
    mutating func skipElement() throws(DocumentError) { _ = try tags() }

    /// Reads to the end of the element whose start was read last; returns the tags in it.
    mutating func tags() throws(DocumentError) -> [Tag] {
        var (tags, depth): ([Tag], Int) = ([], 1)
        while depth > 0 {
            switch try next() {
            case .start(let tag):
                tags.append(tag)
                depth += 1
            case .end: depth -= 1
            case .text: break
            case nil: throw .damaged
            }
        }
        return tags
    }

    private mutating func text() throws(DocumentError) -> String {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
        defer { position = end }
        return Self.unescaped(bytes[position..<end])
    }

    /// Reads what begins with `<`; nil if it is neither a tag nor a text.
    private mutating func markup() throws(DocumentError) -> Event? {
        if starts(with: "<!--") {
            try skip(past: "-->")
        } else if starts(with: "<![CDATA[") {
            let start = position + 9
            try skip(past: "]]>")
            return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
        } else if starts(with: "<?") {
            try skip(past: "?>")
        } else if starts(with: "<!") {
            try skipDocumentType()
        } else if starts(with: "</") {
            return try endTag()
        } else {
            return try startTag()
        }
        return nil
    }

    private mutating func endTag() throws(DocumentError) -> Event {
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { throw .damaged }
        let name = Self.localName(bytes[position + 2..<end])
        guard open.last == name else { throw .damaged }
        open.removeLast()
        position = end + 1
        return .end(name)
    }

    private mutating func startTag() throws(DocumentError) -> Event {
        var quote: UInt8?
        var end = position + 1
        while end < bytes.endIndex {
            let byte = bytes[end]
            if let mark = quote {
                if byte == mark { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            end += 1
        }
        guard end < bytes.endIndex, end > position + 1, open.count < Self.depthLimit else { throw .damaged }
        let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
        let source = bytes[position + 1..<(isEmpty ? end - 1 : end)]
        let name = Self.localName(source)
        guard !name.isEmpty else { throw .damaged }
        open.append(name)
        if isEmpty { pendingEnd = name }
        position = end + 1
        return .start(Tag(name: name, source: source))
    }

    private mutating func skipDocumentType() throws(DocumentError) {
        var depth = 0
        while position < bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "<"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ">"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            position += 1
            if depth == 0 { return }
        }
        throw .damaged
    }

    private mutating func skip(past mark: String) throws(DocumentError) {
        let mark = Array(mark.utf8)
        var place = position
        while let found = bytes[place...].firstIndex(of: mark[0]) {
            if bytes[found...].starts(with: mark) {
                position = found + mark.count
                return
            }
            place = found + 1
        }
        throw .damaged
    }

    private func starts(with mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

    /// Returns the name at the beginning, without its prefix.
    fileprivate static func localName(_ source: ArraySlice<UInt8>) -> String {
        let name = source.prefix { !isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "/") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local, as: UTF8.self)
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Replaces references to characters; others are left out.
    fileprivate static func unescaped(_ source: ArraySlice<UInt8>) -> String {
        guard source.contains(UInt8(ascii: "&")) else { return String(decoding: source, as: UTF8.self) }
        var result: [UInt8] = []
        var rest = source
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<start]
            guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                result.append(rest[start])
                rest = rest[(start + 1)...]
                continue
            }
            if let scalar = scalar(named: String(decoding: rest[start + 1..<end], as: UTF8.self)) {
                result += Array(String(scalar).utf8)
            }
            rest = rest[(end + 1)...]
        }
        return String(decoding: result + rest, as: UTF8.self)
    }

    private static func scalar(named name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let isHexadecimal = digits.hasPrefix("x")
            return UInt32(isHexadecimal ? digits.dropFirst() : digits, radix: isHexadecimal ? 16 : 10)
                .flatMap(Unicode.Scalar.init)
        }
    }
}

extension XMLReader.Tag {
    /// The value of the first attribute with a local name.
    package subscript(attribute: String) -> String? { values(of: attribute).first }

    /// Returns the values of all attributes with a local name, for example of `id` and `r:id`.
    package func values(of attribute: String) -> [String] {
        var values: [String] = []
        var rest = source.drop { !XMLReader.isSpace($0) }
        while true {
            rest = rest.drop(while: XMLReader.isSpace)
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return values }
            let name = XMLReader.localName(rest)
            rest = rest[(equals + 1)...].drop(while: XMLReader.isSpace)
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.dropFirst().firstIndex(of: quote)
            else { return values }
            if name == attribute { values.append(XMLReader.unescaped(rest[(rest.startIndex + 1)..<end])) }
            rest = rest[(end + 1)...]
        }
    }
}
