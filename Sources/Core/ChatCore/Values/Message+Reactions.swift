extension Message.Reaction {
    /// Returns reactions with one entry for each emoji and each person once in it, in the order of their first mention.
    static func merged(_ reactions: [Message.Reaction]) -> [Message.Reaction] {
        var merged: [Message.Reaction] = []
        var places: [String: Int] = [:]
        var known: [Set<UserID>] = []
        for reaction in reactions {
            let emoji = Emoji.qualified(reaction.emoji)
            let place = places[emoji] ?? merged.count
            if place == merged.count {
                places[emoji] = place
                merged.append(Message.Reaction(emoji: emoji, userIDs: []))
                known.append([])
            }
            for user in reaction.userIDs where known[place].insert(user).inserted { merged[place].userIDs.append(user) }
        }
        return merged
    }
}

extension Message {
    /// Adds or removes a person's reaction; an emoji without people is removed.
    public mutating func react(_ emoji: String, isSet: Bool, by user: UserID) {
        let emoji = Emoji.qualified(emoji)
        var changed = reactions
        if let place = changed.firstIndex(where: { $0.emoji == emoji }) {
            changed[place].userIDs.removeAll { $0 == user }
            if isSet { changed[place].userIDs.append(user) }
            if changed[place].userIDs.isEmpty { changed.remove(at: place) }
        } else if isSet {
            changed.append(Reaction(emoji: emoji, userIDs: [user]))
        }
        reactions = changed
    }
}

/// The forms in which one emoji is written.
public enum Emoji {
    /// Asks for the form of a text.
    private static let textSelector: Unicode.Scalar = "\u{FE0E}"
    /// Asks for the form of a picture.
    private static let pictureSelector: Unicode.Scalar = "\u{FE0F}"
    private static let joiner: Unicode.Scalar = "\u{200D}"
    /// Makes a key of the digit before it.
    private static let keycap: Unicode.Scalar = "\u{20E3}"

    /// Returns the fully qualified form of an emoji (Unicode Technical Standard 51, section 1.4.5).
    ///
    /// It is the same for all forms that differ in variation selectors only. Skin tones and the parts of a sequence are
    /// kept: they make another emoji. Other texts, as the name `heart`, stay as they are.
    public static func qualified(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !$0.isASCII }) else { return text }
        let scalars = text.unicodeScalars.filter { $0 != textSelector && $0 != pictureSelector }
        guard !scalars.isEmpty, scalars.allSatisfy(isPart) else { return text }
        var qualified = String.UnicodeScalarView()
        for (place, scalar) in zip(scalars.indices, scalars) {
            qualified.append(scalar)
            let after = scalars.index(after: place)
            let next = after < scalars.endIndex ? scalars[after] : nil
            if needsSelector(scalar, before: next) { qualified.append(pictureSelector) }
        }
        return String(qualified)
    }

    /// Whether a character may be a part of an emoji.
    private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == joiner || scalar == keycap { return true }
        // The letters of flags of regions.
        return scalar.properties.isEmoji || (0xE0020...0xE007F).contains(scalar.value)
    }

    /// Whether a character is shown as text unless a selector follows.
    private static func needsSelector(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        guard scalar.properties.isEmoji, !scalar.properties.isEmojiPresentation else { return false }
        if scalar.isASCII { return next == keycap }
        return next?.properties.isEmojiModifier != true
    }
}
