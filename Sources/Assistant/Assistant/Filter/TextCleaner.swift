import ChatCore
import TextAnalysis

/// The first step of the filter: removes invisible characters and decodes character references completely: `&amp;#104;`
/// is `h`.
///
/// The later steps thus see the text as a reader's program shows it. Holds back at most one reference.
struct TextCleaner: Sendable {
    private static let longestReference = 32

    private var visible = VisibleText()
    /// The text since an `&`.
    private var reference: [Unicode.Scalar] = []
    /// Whether the output ends with an `&` that a further letter could turn into a reference.
    private var isOpen = false

    /// Reads one scalar, and appends final text to `output`.
    mutating func read(_ scalar: Unicode.Scalar, into output: inout [Unicode.Scalar]) {
        if visible.shows(scalar) { take(scalar, &output) }
    }

    mutating func finish(into output: inout [Unicode.Scalar]) { release(&output) }

    private mutating func take(_ scalar: Unicode.Scalar, _ output: inout [Unicode.Scalar]) {
        if reference.isEmpty {
            if scalar == "&" { reference = [scalar] } else { give(scalar, &output) }
        } else if scalar == ";" {
            resolve(&output)
        } else if Self.mayStandWithin(scalar), reference.count < Self.longestReference {
            reference.append(scalar)
        } else {
            release(&output)
            take(scalar, &output)
        }
    }

    private mutating func resolve(_ output: inout [Unicode.Scalar]) {
        guard let meant = CharacterReference.scalar(for: reference.dropFirst()) else {
            release(&output)
            return give(";", &output)
        }
        reference = []
        if meant == "&" {
            reference = [meant]
        } else if VisibleText.isHidden(meant) {
            give(" ", &output)
        } else {
            // A decoded character must never complete another reference.
            if isOpen, Self.mayStandWithin(meant) || meant == ";" { give(" ", &output) }
            give(meant, &output)
        }
    }

    private mutating func release(_ output: inout [Unicode.Scalar]) {
        for scalar in reference { give(scalar, &output) }
        reference = []
    }

    private mutating func give(_ scalar: Unicode.Scalar, _ output: inout [Unicode.Scalar]) {
        output.append(scalar)
        isOpen = scalar == "&" || (isOpen && Self.mayStandWithin(scalar))
    }

    private static func mayStandWithin(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "#" || scalar.isLatinLetter || scalar.isDecimalDigit
    }
}

/// The HTML character references that can write Markdown, markup or an address, or invisible characters.
enum CharacterReference {
    /// Returns the character of a reference.
    ///
    /// - Parameter name: The text between `&` and `;`.
    /// - Returns: One scalar; nil for an unknown name, such as `eacute`, which is harmless.
    static func scalar(for name: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
        let text = String(String.UnicodeScalarView(name))
        guard text.first == "#" else { return named[text] }
        let digits = text.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number else { return digits.isEmpty || isHexadecimal ? nil : "\u{FFFD}" }
        return Unicode.Scalar(number).flatMap { $0.value == 0 ? nil : $0 } ?? "\u{FFFD}"
    }

    private static let named: [String: Unicode.Scalar] = {
        let names: [(Unicode.Scalar, String)] = [
            ("&", "amp AMP"), ("<", "lt LT"), (">", "gt GT"), ("\"", "quot QUOT"), ("'", "apos"), ("!", "excl"),
            ("#", "num"), ("$", "dollar"), ("%", "percnt"), ("(", "lpar"), (")", "rpar"), ("*", "ast midast"),
            ("+", "plus"), (",", "comma"), (".", "period"), ("/", "sol"), (":", "colon"), (";", "semi"),
            ("=", "equals"), ("?", "quest"), ("@", "commat"), ("[", "lsqb lbrack"), ("\\", "bsol"),
            ("]", "rsqb rbrack"), ("^", "Hat"), ("_", "lowbar UnderBar"), ("`", "grave DiacriticalGrave"),
            ("{", "lcub lbrace"), ("|", "verbar vert VerticalLine"), ("}", "rcub rbrace"), ("\t", "Tab"),
            ("\n", "NewLine"), ("\u{A0}", "nbsp NonBreakingSpace"), ("\u{AD}", "shy"), ("\u{200C}", "zwnj"),
            ("\u{200D}", "zwj"), ("\u{200E}", "lrm"), ("\u{200F}", "rlm"), ("\u{2060}", "NoBreak"),
            (
                "\u{200B}",
                "ZeroWidthSpace NegativeThinSpace NegativeMediumSpace NegativeThickSpace NegativeVeryThinSpace"
            ), ("\u{2061}", "ApplyFunction af"), ("\u{2062}", "InvisibleTimes it"), ("\u{2063}", "InvisibleComma ic"),
        ]
        return Dictionary(
            names.flatMap { scalar, list in list.split(separator: " ").map { (String($0), scalar) } },
            uniquingKeysWith: { first, _ in first })
    }()
}

extension Unicode.Scalar {
    /// Whether it is `a`…`z` or `A`…`Z`.
    var isLatinLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// Whether it is `0`…`9`.
    var isDecimalDigit: Bool { ("0"..."9").contains(self) }

    /// Whether it is white space of any kind.
    var isBlank: Bool { isASCII ? self == " " || (value >= 9 && value <= 13) : properties.isWhitespace }

    var isLineEnd: Bool { (value >= 10 && value <= 13) || value == 0x85 || value == 0x2028 || value == 0x2029 }
}
