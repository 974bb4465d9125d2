/// The names by which exports call emoji.
package enum EmojiName {
    /// The standard emoji by their names.
    private static let emoji: [String: String] = {
        var found: [String: String] = [:]
        for entry in table.split(whereSeparator: { $0 == "," || $0.isNewline }) {
            let words = entry.split(separator: " ")
            for name in words.dropFirst() { found[String(name)] = words.first.map { String($0) } }
        }
        return found
    }()

    /// The skin tones, as Mattermost calls them; Slack numbers them from 2.
    private static let tones: [String: Unicode.Scalar] = [
        "light": "\u{1F3FB}", "medium_light": "\u{1F3FC}", "medium": "\u{1F3FD}", "medium_dark": "\u{1F3FE}",
        "dark": "\u{1F3FF}",
    ]
    private static let toneNumbers: [String: Unicode.Scalar] = [
        "2": "\u{1F3FB}", "3": "\u{1F3FC}", "4": "\u{1F3FD}", "5": "\u{1F3FE}", "6": "\u{1F3FF}",
    ]

    /// Returns the emoji of a standard name such as `tada`, `+1`, `flag-de`, `wave::skin-tone-3` or
    /// `wave_medium_skin_tone`, with or without colons around it; nil for another name.
    static func emoji(_ name: String) -> String? {
        var name = name[...]
        if name.count > 2, name.hasPrefix(":"), name.hasSuffix(":") { name = name.dropFirst().dropLast() }
        if let tone = name.firstRange(of: "::skin-tone-"), let scalar = toneNumbers[String(name[tone.upperBound...])] {
            return plain(name[..<tone.lowerBound]).map { toned($0, scalar) }
        }
        if let found = plain(name) { return found }
        guard name.hasSuffix("_skin_tone") else { return nil }
        let stem = name.dropLast("_skin_tone".count)
        // `medium_dark` ends with `dark`: the longer one counts.
        for (word, scalar) in tones.sorted(by: { $0.key.count > $1.key.count }) where stem.hasSuffix("_" + word) {
            return plain(stem.dropLast(word.count + 1)).map { toned($0, scalar) }
        }
        return nil
    }

    /// Returns the emoji of a name; a name that is not a standard one stays, between colons.
    package static func reaction(_ name: String) -> String {
        if let emoji = emoji(name) { return emoji }
        let isName = name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: ":") } && !name.isEmpty
        return isName ? ":\(name):" : name
    }

    private static func plain(_ name: Substring) -> String? { emoji[String(name)] ?? flag(name) }

    /// The flag of a country by its code.
    private static func flag(_ name: Substring) -> String? {
        guard name.hasPrefix("flag-") || name.hasPrefix("flag_") else { return nil }
        let code = name.dropFirst("flag-".count).utf8
        guard code.count == 2, code.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }) else {
            return nil
        }
        let scalars = code.compactMap { Unicode.Scalar(0x1F1E6 + UInt32($0 - UInt8(ascii: "a"))) }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Gives the first person of an emoji a skin tone.
    private static func toned(_ emoji: String, _ tone: Unicode.Scalar) -> String {
        guard let first = emoji.unicodeScalars.first, first.properties.isEmojiModifierBase else { return emoji }
        var rest = emoji.unicodeScalars.dropFirst()
        if rest.first == "\u{FE0F}" { rest = rest.dropFirst() }
        var scalars = String.UnicodeScalarView([first, tone])
        scalars.append(contentsOf: rest)
        return String(scalars)
    }
}
