import Foundation

/// How one Unicode scalar enters a token.
enum FoldedScalar {
    /// It separates tokens.
    case separator
    /// It is ignored inside a token: accents, joiners, soft hyphens.
    case ignored
    /// It belongs to a script without blanks between words: Han, kana, Hangul.
    case ideograph(Unicode.Scalar)
    /// It belongs to a word, written as these scalars.
    case word([Unicode.Scalar])
    /// It continues a word but starts none: vowel signs of Indic scripts.
    case mark(Unicode.Scalar)
}

/// Folding of case, accents and widths, the same on every machine: no locale is asked.
///
/// Letters lose case and accents, full-width and other compatibility forms become plain ones (`Ａ` a, `ﬁ` fi, `²` 2),
/// and letters that Unicode does not take apart get their usual spelling (ß ss, ø o, ł l, æ ae, ı i, ς σ).
enum CharacterFolding {
    /// Returns how `scalar` enters a token.
    static func fold(_ scalar: Unicode.Scalar) -> FoldedScalar {
        let value = Int(scalar.value)
        return value < table.count ? table[value] : compute(scalar)
    }

    /// Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic letters, computed once.
    private static let table: [FoldedScalar] = (0..<UInt32(0x700)).map { value in
        Unicode.Scalar(value).map(compute) ?? .separator
    }

    private static func compute(_ scalar: Unicode.Scalar) -> FoldedScalar {
        if isIdeograph(scalar) { return .ideograph(scalar) }
        if joinsIdeograph(scalar) { return .mark(scalar) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return letter(scalar)
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return isAccent(scalar) ? .ignored : .mark(scalar)
        case .format:
            return isJoiner(scalar) ? .ignored : .separator
        default:
            return .separator
        }
    }

    private static func letter(_ scalar: Unicode.Scalar) -> FoldedScalar {
        // An Arabic letter that only stretches the line.
        if scalar == "\u{640}" { return .ignored }
        if let spelling = spellings[scalar] { return .word(spelling) }
        if (0x3130...0x318F).contains(scalar.value) { return .word([scalar]) }
        let parts = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
        var folded: [Unicode.Scalar] = []
        for part in parts {
            for lower in part.properties.lowercaseMapping.unicodeScalars {
                if let spelling = spellings[lower] { folded += spelling } else { folded.append(lower) }
            }
        }
        folded.removeAll(where: isAccent)
        if folded.count == 1, isIdeograph(folded[0]) { return .ideograph(folded[0]) }
        if folded.count == 1, joinsIdeograph(folded[0]) { return .mark(folded[0]) }
        let isPlain = folded.allSatisfy { isWordCategory($0.properties.generalCategory) }
        return folded.isEmpty || !isPlain ? .word([scalar]) : .word(folded)
    }

    private static func isWordCategory(_ category: Unicode.GeneralCategory) -> Bool {
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }

    /// Letters that have no decomposition.
    private static let spellings: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": ["s", "s"], "ẞ": ["s", "s"], "æ": ["a", "e"], "Æ": ["a", "e"], "œ": ["o", "e"], "Œ": ["o", "e"],
        "ø": ["o"], "Ø": ["o"], "ł": ["l"], "Ł": ["l"], "đ": ["d"], "Đ": ["d"], "ð": ["d"], "Ð": ["d"],
        "þ": ["t", "h"], "Þ": ["t", "h"], "ħ": ["h"], "Ħ": ["h"], "ı": ["i"], "ς": ["σ"],
    ]

    /// Marks that are dropped: those of Latin, Greek and Cyrillic letters, Hebrew and Arabic points, variation
    /// selectors.
    static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7, 0x610...0x61A,
            0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8, 0x6EA...0x6ED, 0x1AB0...0x1AFF,
            0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xE0100...0xE01EF:
            true
        default: false
        }
    }

    /// Zero-width joiners, the soft hyphen, direction marks.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200C...0x200F, 0x2060, 0xFEFF: true
        default: false
        }
    }

    /// Voicing marks of kana, and the vowels and final consonants of a syllable that Hangul writes letter by letter.
    static func joinsIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3099...0x309A, 0x1161...0x1175, 0x11A8...0x11C2: true
        default: false
        }
    }

    /// Returns the one scalar that `base` and a mark of ``joinsIdeograph(_:)`` make together.
    static func compose(_ base: Unicode.Scalar, _ mark: Unicode.Scalar) -> Unicode.Scalar? {
        switch (base.value, mark.value) {
        case (0x1100...0x1112, 0x1161...0x1175):
            return Unicode.Scalar(0xAC00 + ((base.value - 0x1100) * 21 + mark.value - 0x1161) * 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2):
            return (base.value - 0xAC00) % 28 == 0 ? Unicode.Scalar(base.value + mark.value - 0x11A7) : nil
        default:
            var pair = String.UnicodeScalarView()
            pair.append(base)
            pair.append(mark)
            let composed = String(pair).precomposedStringWithCanonicalMapping.unicodeScalars
            return composed.count == 1 ? composed.first : nil
        }
    }

    /// Han, Hiragana, Katakana and Hangul, with the marks that lengthen or repeat.
    static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x1112, 0x3005...0x3007, 0x3021...0x3029, 0x3031...0x3035, 0x303B, 0x3041...0x3096,
            0x309D...0x309F,
            0x30A1...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
            0x1B000...0x1B16F, 0x20000...0x2FA1F, 0x30000...0x323AF:
            !(0x2F800...0x2FA1F).contains(scalar.value)
        default: false
        }
    }

    /// Tells whether the letter is one of the syllabary that particles and endings are written in.
    static func isHiragana(_ scalar: Unicode.Scalar) -> Bool {
        (0x3041...0x309F).contains(scalar.value)
    }
}
