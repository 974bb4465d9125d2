/// Reads the strings of a JSON array that may stand in prose, lack its end, or hold objects.
struct ListedStrings {
    /// The fields of an object that hold its text.
    private static let textFields: Set<String> = ["text", "reply", "message", "content", "suggestion"]

    private let scalars: [Unicode.Scalar]
    private var place: Int

    /// Returns the strings of the last array in `text` that holds any: before it a model may think aloud.
    ///
    /// A string without an end is left out. Of objects the fields that are named for their text are read.
    ///
    /// - Parameter text: What a model said.
    /// - Returns: The strings in order; nil when no array holds one.
    static func strings(in text: String) -> [String]? {
        var found: [String]?
        var reader = ListedStrings(scalars: Array(text.unicodeScalars), place: 0)
        while let opening = reader.scalars[reader.place...].firstIndex(of: "[") {
            reader.place = opening + 1
            let strings = reader.readArray()
            if !strings.isEmpty { found = strings }
        }
        return found
    }

    /// Reads from behind an opening bracket to behind its closing one, or as far as it is JSON.
    private mutating func readArray() -> [String] {
        var strings: [String] = []
        var (arrays, objects) = (1, 0)
        var field: String?
        while place < scalars.count, arrays > 0 {
            let scalar = scalars[place]
            switch scalar {
            case "\"":
                guard let string = readString() else { return strings }
                if objects > 0, skipsColon() {
                    field = string
                } else if objects == 0 || field.map(Self.textFields.contains) == true {
                    strings.append(string)
                }
                continue
            case "[": arrays += 1
            case "]": arrays -= 1
            case "{": objects += 1
            case "}": objects = max(0, objects - 1)
            // Numbers and the words of JSON hold no text.
            case ",", " ", "\n", "\r", "\t", ".", "-", "0"..."9", "t", "r", "u", "e", "f", "a", "l", "s", "n": break
            default: return strings
            }
            place += 1
        }
        return strings
    }

    private mutating func skipsColon() -> Bool {
        guard let next = scalars[place...].firstIndex(where: { !$0.properties.isWhitespace }), scalars[next] == ":"
        else { return false }
        place = next + 1
        return true
    }

    /// Reads a string from its opening quotation mark on; nil when it has no end.
    private mutating func readString() -> String? {
        var units: [UInt16] = []
        place += 1
        while place < scalars.count {
            let scalar = scalars[place]
            place += 1
            switch scalar {
            case "\"": return String(decoding: units, as: UTF16.self)
            case "\\": units += readEscape()
            default: units += String(scalar).utf16
            }
        }
        return nil
    }

    /// Reads what follows a backslash; an escape that JSON does not know stands for its own character.
    private mutating func readEscape() -> [UInt16] {
        guard place < scalars.count else { return [] }
        let scalar = scalars[place]
        place += 1
        switch scalar {
        case "n", "r", "t", "b", "f": return [0x20]
        case "u":
            let digits = scalars[place...].prefix(4).map(Character.init)
            guard digits.count == 4, let unit = UInt16(String(digits), radix: 16) else { return [] }
            place += 4
            return [unit]
        default: return Array(String(scalar).utf16)
        }
    }
}
