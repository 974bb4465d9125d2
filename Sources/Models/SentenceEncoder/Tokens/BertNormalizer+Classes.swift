/// The treatment of an ASCII character.
enum ASCIIClass {
    case removed, space, punctuation, letter
}

/// The class of each ASCII character; digits count as letters, and tab, line feed, return as white space.
let asciiClasses: [ASCIIClass] = (0..<128).map { (value: UInt8) -> ASCIIClass in
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20: .space
    case 0..<0x20, 0x7F: .removed
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: .letter
    default: .punctuation
    }
}

/// The classes beyond ASCII. Categories are those of Unicode 8; newer characters belong to no class.
extension BertNormalizer {
    /// Whether the reference drops the scalar: control and format characters, private use, U+FFFD.
    static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value == 0xFFFD { return true }
        switch category(of: scalar) {
        case .control, .format, .privateUse: return true
        default: return false
        }
    }

    /// Whether the scalar is a nonspacing mark, dropped after decomposition.
    static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x300 && category(of: scalar) == .nonspacingMark
    }

    /// Whether the scalar is a separate word; includes ASCII symbols.
    static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return asciiClasses[Int(scalar.value)] == .punctuation }
        switch category(of: scalar) {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return true
        default:
            return false
        }
    }

    /// Whether the reference separates the scalar as an ideograph.
    ///
    /// Its third last block starts at U+2B920, while Unicode's starts at U+2B820.
    static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x3400: false
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF: true
        case 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F, 0x2B920...0x2CEAF, 0x2F800...0x2FA1F: true
        default: false
        }
    }

    /// Returns the scalar's category in Unicode 8, nil when it was not assigned then.
    private static func category(of scalar: Unicode.Scalar) -> Unicode.GeneralCategory? {
        let properties = scalar.properties
        guard let age = properties.age, age.major <= 8 else { return nil }
        return scalar.value < 0x166D ? properties.generalCategory : former[scalar.value] ?? properties.generalCategory
    }

    /// The categories that later versions of Unicode changed, if the change would matter here.
    private static let former: [UInt32: Unicode.GeneralCategory] = [
        0x166D: .otherPunctuation, 0x1734: .nonspacingMark, 0x1885: .otherLetter, 0x1886: .otherLetter,
        0xA9BD: .spacingMark, 0x111C9: .otherPunctuation, 0x1171E: .nonspacingMark,
    ]
}
