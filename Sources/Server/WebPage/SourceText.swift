package import Foundation

/// A script or a style sheet as browsers get it: without comments, indentation and empty lines.
///
/// All else stays as it is written, line by line, so that an error in a browser's console can be found in the source.
package struct SourceText {
    private let source: [UInt8]
    private var place = 0
    private var result: [UInt8] = []
    /// For each template that surrounds the present place: how many braces of its expression are open.
    private var templates: [Int] = []

    private init(_ source: [UInt8]) {
        self.source = source
        result.reserveCapacity(source.count)
    }

    /// Returns a file of the page in fewer bytes; other files than scripts and style sheets as they are.
    package static func compacted(_ content: Data, name: String) -> Data {
        if name.hasSuffix(".js") { return Data(script([UInt8](content))) }
        return name.hasSuffix(".css") ? Data(style([UInt8](content))) : content
    }

    private static func script(_ source: [UInt8]) -> [UInt8] {
        var text = SourceText(source)
        while text.place < source.count { text.takeCode() }
        return text.result
    }

    private static func style(_ source: [UInt8]) -> [UInt8] {
        var text = SourceText(source)
        while let byte = text.next {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): text.takeQuoted()
            case UInt8(ascii: "/") where text.follows("*"): text.dropBlock()
            default: text.takePlain()
            }
        }
        return text.result
    }

    private var next: UInt8? { place < source.count ? source[place] : nil }

    /// Whether a character follows the present one.
    private func follows(_ character: Unicode.Scalar) -> Bool {
        place + 1 < source.count && source[place + 1] == UInt8(ascii: character)
    }

    /// Takes a piece of code: a text, an expression of letters, a comment, or one character.
    private mutating func takeCode() {
        switch source[place] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): takeQuoted()
        case UInt8(ascii: "`"): takeTemplate()
        case UInt8(ascii: "/") where follows("/"): dropLine()
        case UInt8(ascii: "/") where follows("*"): dropBlock()
        case UInt8(ascii: "/") where beginsPattern: takePattern()
        case UInt8(ascii: "{") where !templates.isEmpty:
            templates[templates.count - 1] += 1
            take()
        case UInt8(ascii: "}") where !templates.isEmpty:
            templates[templates.count - 1] -= 1
            // The text of the template continues behind its expression.
            if templates[templates.count - 1] == 0 {
                templates.removeLast()
                takeTemplate()
            } else {
                take()
            }
        default: takePlain()
        }
    }

    private mutating func take() {
        result.append(source[place])
        place += 1
    }

    /// Takes a character; not a blank at the beginning or end of a line, nor an empty line.
    private mutating func takePlain() {
        let isAtStart = result.last.map { $0 == UInt8(ascii: "\n") } ?? true
        switch source[place] {
        case UInt8(ascii: "\n"):
            while result.last == UInt8(ascii: " ") { result.removeLast() }
            if result.last.map({ $0 != UInt8(ascii: "\n") }) ?? false { result.append(UInt8(ascii: "\n")) }
            place += 1
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            if isAtStart { place += 1 } else { take() }
        default: take()
        }
    }

    /// Takes a text up to the quote with which it begins.
    private mutating func takeQuoted() {
        let quote = source[place]
        take()
        while let byte = next, byte != quote {
            if byte == UInt8(ascii: "\\") { take() }
            if next != nil { take() }
        }
        if next != nil { take() }
    }

    /// Takes the text of a template up to its end, or to an expression in it.
    private mutating func takeTemplate() {
        take()
        while let byte = next, byte != UInt8(ascii: "`") {
            if byte == UInt8(ascii: "$"), follows("{") {
                take()
                take()
                return templates.append(1)
            }
            if byte == UInt8(ascii: "\\") { take() }
            if next != nil { take() }
        }
        if next != nil { take() }
    }

    /// Takes a regular expression.
    private mutating func takePattern() {
        var isInClass = false
        take()
        while let byte = next, byte != UInt8(ascii: "/") || isInClass {
            if byte == UInt8(ascii: "[") { isInClass = true }
            if byte == UInt8(ascii: "]") { isInClass = false }
            if byte == UInt8(ascii: "\\") { take() }
            if next != nil { take() }
        }
        if next != nil { take() }
    }

    private mutating func dropLine() {
        while result.last == UInt8(ascii: " ") { result.removeLast() }
        while let byte = next, byte != UInt8(ascii: "\n") { place += 1 }
    }

    /// Drops a comment; one of several lines ends the line, as it does for the language.
    private mutating func dropBlock() {
        place += 2
        var hasLines = false
        while let byte = next, !(byte == UInt8(ascii: "*") && follows("/")) {
            hasLines = hasLines || byte == UInt8(ascii: "\n")
            place += 1
        }
        place = min(place + 2, source.count)
        guard hasLines, let last = result.last, last != UInt8(ascii: "\n") else { return }
        result.append(UInt8(ascii: "\n"))
    }

    /// Whether a slash begins a regular expression: if no value is before it that could be divided.
    private var beginsPattern: Bool {
        let before = result.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
        guard let before else { return true }
        let isInName = { (byte: UInt8) in
            Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte > 0x7F
        }
        guard isInName(result[before]) else { return !")]}\"'`".utf8.contains(result[before]) }
        let word = String(decoding: result[...before].reversed().prefix(while: isInName).reversed(), as: UTF8.self)
        return Self.wordsBeforePatterns.contains(word)
    }

    private static let wordsBeforePatterns: Set<String> = [
        "await", "case", "delete", "do", "else", "in", "instanceof", "new", "of", "return", "throw", "typeof", "void",
        "yield",
    ]
}
