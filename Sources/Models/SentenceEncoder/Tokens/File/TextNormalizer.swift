import ChatCore
import Foundation

/// What becomes of a text before it is split into words: the steps of `tokenizer.json`, one after the other.
struct TextNormalizer: Sendable {
    /// One step.
    enum Step: Sendable {
        case precompiled(PrecompiledMap)
        /// A normal form of Unicode.
        case form(UnicodeForm)
        case lowercase
        case withoutMarks
        case withoutSpaces(atStart: Bool, atEnd: Bool)
        /// Another text for each occurrence of one that is not empty.
        case replace([UInt8], with: [UInt8])
        /// Another text for each run of spaces that has so many or more.
        case replaceSpaces(from: Int, with: [UInt8])
        /// A text before one that is not empty.
        case prepend([UInt8])
    }

    enum UnicodeForm: String, Sendable {
        case nfc = "NFC"
        case nfd = "NFD"
        case nfkc = "NFKC"
        case nfkd = "NFKD"

        func applied(to text: String) -> String {
            switch self {
            case .nfc: text.precomposedStringWithCanonicalMapping
            case .nfd: text.decomposedStringWithCanonicalMapping
            case .nfkc: text.precomposedStringWithCompatibilityMapping
            case .nfkd: text.decomposedStringWithCompatibilityMapping
            }
        }
    }

    let steps: [Step]

    func apply(to text: NormalizedText) -> NormalizedText {
        steps.reduce(text) { $1.apply(to: $0) }
    }
}

extension TextNormalizer.Step {
    fileprivate func apply(to text: NormalizedText) -> NormalizedText {
        switch self {
        case .precompiled(let map): return map.apply(to: text)
        case .form(let form):
            var result = NormalizedText()
            text.forEachGrapheme { range in
                guard range.count > 1 else { return result.append(text, range) }
                let character = String(decoding: text.bytes[range], as: UTF8.self)
                result.append(form.applied(to: character).utf8, from: text.origin(of: range))
            }
            return result
        case .lowercase:
            return Self.mapping(text) { $0.properties.lowercaseMapping }
        case .withoutMarks:
            return Self.mapping(text) { Self.isMark($0) ? "" : nil }
        case .withoutSpaces(let atStart, let atEnd): return Self.trimmed(text, atStart: atStart, atEnd: atEnd)
        case .replace(let pattern, let replacement): return Self.replacing(text, pattern, replacement)
        case .replaceSpaces(let least, let replacement): return Self.replacingSpaces(text, least, replacement)
        case .prepend(let start):
            guard text.count > 0 else { return text }
            var result = NormalizedText()
            let first = text.origin(of: 0..<1).lowerBound
            result.append(start, from: first..<first)
            result.append(text, 0..<text.count)
            return result
        }
    }

    /// Replaces each character for which there is a text.
    private static func mapping(_ text: NormalizedText, _ map: (Unicode.Scalar) -> String?) -> NormalizedText {
        var result = NormalizedText()
        result.reserve(text.count)
        var place = 0
        while place < text.count {
            let character = text.character(at: place)
            if let replacement = map(text.scalar(at: place)) {
                result.append(replacement.utf8, from: text.origin(of: character))
            } else {
                result.append(text, character)
            }
            place = character.upperBound
        }
        return result
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func trimmed(_ text: NormalizedText, atStart: Bool, atEnd: Bool) -> NormalizedText {
        var (start, end, place) = (text.count, 0, 0)
        while place < text.count {
            let character = text.character(at: place)
            if !text.scalar(at: place).properties.isWhitespace {
                start = min(start, place)
                end = character.upperBound
            }
            place = character.upperBound
        }
        var result = NormalizedText()
        let range = (atStart ? start : 0)..<max(atStart ? start : 0, atEnd ? end : text.count)
        result.append(text, range)
        return result
    }

    private static func replacing(
        _ text: NormalizedText, _ pattern: [UInt8], _ replacement: [UInt8]
    ) -> NormalizedText {
        var result = NormalizedText()
        var place = 0
        while place < text.count {
            if text.bytes[place...].starts(with: pattern) {
                result.append(replacement, from: text.origin(of: place..<place + pattern.count))
                place += pattern.count
            } else {
                result.append(text, place..<place + 1)
                place += 1
            }
        }
        return result
    }

    private static func replacingSpaces(
        _ text: NormalizedText, _ least: Int, _ replacement: [UInt8]
    ) -> NormalizedText {
        var result = NormalizedText()
        var place = 0
        while place < text.count {
            var end = place
            while end < text.count, text.bytes[end] == 0x20 { end += 1 }
            if end - place >= least {
                result.append(replacement, from: text.origin(of: place..<end))
                place = end
            } else {
                end = max(end, place + 1)
                result.append(text, place..<end)
                place = end
            }
        }
        return result
    }
}

extension TextNormalizer {
    /// Reads the entry `normalizer` of a `tokenizer.json`.
    init(json: JSONValue?) throws(EncoderError) {
        steps = try Self.steps(json ?? .null)
    }

    private static func steps(_ json: JSONValue) throws(EncoderError) -> [Step] {
        if json == .null { return [] }
        guard let type = json["type"]?.text else { throw TokenizerFile.malformed }
        if type == "Sequence" {
            var steps: [Step] = []
            for part in json["normalizers"]?.list ?? [] { steps += try Self.steps(part) }
            return steps
        }
        if let form = UnicodeForm(rawValue: type) { return [.form(form)] }
        switch type {
        case "Precompiled":
            guard let text = json["precompiled_charsmap"]?.text, let data = Data(base64Encoded: text),
                let map = PrecompiledMap(data)
            else { throw TokenizerFile.malformed }
            return [.precompiled(map)]
        case "Lowercase": return [.lowercase]
        case "StripAccents": return [.withoutMarks]
        case "Strip":
            return [
                .withoutSpaces(
                    atStart: json["strip_left"] != .bool(false), atEnd: json["strip_right"] != .bool(false))
            ]
        case "Prepend":
            guard let start = json["prepend"]?.text else { throw TokenizerFile.malformed }
            return [.prepend(Array(start.utf8))]
        case "Replace": return [try replacement(json)]
        default: throw TokenizerFile.unsupported("the normalizer \(type)")
        }
    }

    private static func replacement(_ json: JSONValue) throws(EncoderError) -> Step {
        guard let content = json["content"]?.text else { throw TokenizerFile.malformed }
        if let text = json["pattern"]?["String"]?.text, !text.isEmpty {
            return .replace(Array(text.utf8), with: Array(content.utf8))
        }
        // The only expression that tokenizers of this kind have.
        guard let expression = json["pattern"]?["Regex"]?.text else { throw TokenizerFile.malformed }
        guard expression == " {2,}" else {
            throw TokenizerFile.unsupported("the normalizer Replace with the expression \(expression)")
        }
        return .replaceSpaces(from: 2, with: Array(content.utf8))
    }
}
