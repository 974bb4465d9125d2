/// Text made safe for HTML: whatever people wrote stays text.
enum HTMLText {
    /// Escapes text for content and for attributes in double or single quotes; control characters become blanks.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n": result += "\n"
            default:
                let isControl = scalar.properties.generalCategory == .control
                result.unicodeScalars.append(isControl ? " " : scalar)
            }
        }
        return result
    }

    /// Wraps escaped text in an element.
    ///
    /// - Parameters:
    ///   - name: The element's name, with attributes when it has any; not escaped.
    ///   - text: What people wrote.
    /// - Returns: The element.
    static func element(_ name: String, _ text: String) -> String {
        let tag = name.prefix { $0 != " " }
        return "<\(name)>\(escaped(text))</\(tag)>"
    }
}
