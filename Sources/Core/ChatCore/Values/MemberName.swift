import Foundation

/// The forms in which the names of members are looked up.
public enum MemberName {
    /// The most words of a name from which it can be found.
    static let partLimit = 8
    /// The most characters of such a part.
    static let partLength = 64
    /// The most words of a text that are looked up.
    public static let wordLimit = 200

    /// Returns a name as mentions are compared: without regard to case.
    public static func mentioned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { scalars.append(lower(scalar)) }
        return String(scalars)
    }

    /// Returns the names by which a member can be mentioned: display name, id and aliases.
    public static func mentionable(_ member: Member) -> Set<String> {
        Set(([member.displayName, member.userID.rawValue] + member.aliases).filter { !$0.isEmpty }.map(mentioned))
    }

    /// Only case mappings that keep the length, so that places in a text stay right.
    static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
        }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        return lower.count == 1 ? lower.first ?? scalar : scalar
    }

    /// Returns the parts under which a search finds a member: each name from each of its words on, without regard to case,
    /// accents and signs.
    public static func parts(of member: Member) -> Set<String> {
        var parts: Set<String> = []
        for name in [member.displayName, member.userID.rawValue] + member.aliases {
            let words = words(of: name)
            for start in words.indices.prefix(partLimit) {
                parts.insert(String(words[start...].joined(separator: " ").prefix(partLength)))
            }
        }
        return parts
    }

    /// Returns the beginnings of parts that a text may name, the most certain first: two words in a row, then single ones.
    ///
    /// Of a word that ends with an "s" the beginning counts too, as a genitive. Letters that are written without blanks
    /// count in pairs.
    public static func beginnings(in text: String) -> [String] {
        let words = words(of: text).prefix(wordLimit)
        let pairs = zip(words, words.dropFirst()).map { "\($0) \($1)" }
        var single: [String] = []
        for word in words {
            if word.unicodeScalars.first?.properties.isIdeographic == true {
                single += zip(word, word.dropFirst()).map { "\($0)\($1)" }
            } else if word.count >= 3 {
                single.append(word)
                if word.count > 3, word.hasSuffix("s") { single.append(String(word.dropLast())) }
            }
        }
        var seen: Set<String> = []
        return (pairs + single.sorted { $0.utf8.count > $1.utf8.count }).filter { seen.insert($0).inserted }
    }

    /// Returns a text as parts begin with it; nil if it has no word.
    public static func beginning(_ text: String) -> String? {
        let words = words(of: text)
        return words.isEmpty ? nil : String(words.joined(separator: " ").prefix(partLength))
    }

    private static func words(of name: String) -> [String] {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
