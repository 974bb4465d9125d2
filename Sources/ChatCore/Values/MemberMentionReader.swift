/// Finds the members whose names a text mentions, as `@Ada Lovelace` or `@ada`.
///
/// A name is a member's display name, alias or id, without regard to case. The longest name counts. A letter or digit
/// before `@`, or after the name, makes it no mention, so that a mail address is none. The beginning of a longer name
/// (`@Ada-Lin`, `@ada.bot`) is none either, nor is a name in an address, in code or in a quote.
public struct MemberMentionReader: Sendable {
    private let names: [(scalars: [Unicode.Scalar], user: UserID)]

    /// - Parameter members: The members who can be mentioned; a name that two of them have mentions nobody.
    public init(_ members: [Member]) {
        var users: [String: Set<UserID>] = [:]
        for member in members {
            for name in [member.displayName, member.userID.rawValue] + member.aliases where !name.isEmpty {
                users[name.lowercased(), default: []].insert(member.userID)
            }
        }
        names = users.compactMap { name, users in
            users.count == 1 ? users.first.map { (Array(name.unicodeScalars), $0) } : nil
        }.sorted { $0.scalars.count > $1.scalars.count }
    }

    /// Returns the mentions in a text, in its order.
    public func mentions(in text: String) -> [MemberMention] {
        guard !names.isEmpty, text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let scalars = Array(text.unicodeScalars)
        let folded = scalars.map { scalar in
            // Only case mappings that keep the length, so that offsets stay right.
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.count == 1 ? lower.first ?? scalar : scalar
        }
        let unspoken = UnspokenParts(of: scalars).flags
        var found: [MemberMention] = []
        var (place, isInAddress) = (0, false)
        while place < scalars.count {
            isInAddress =
                scalars[place].properties.isWhitespace
                ? false : isInAddress || scalars[place...].starts(with: Self.addressSign)
            guard scalars[place] == "@", !unspoken[place], !isInAddress,
                place == 0 || !Self.isWord(scalars[place - 1]), let (name, user) = name(at: place + 1, in: folded)
            else {
                place += 1
                continue
            }
            found.append(MemberMention(userID: user, start: place, end: place + 1 + name.count))
            place += 1 + name.count
        }
        return found
    }

    private func name(at place: Int, in text: [Unicode.Scalar]) -> (scalars: [Unicode.Scalar], user: UserID)? {
        names.first { name in
            let end = place + name.scalars.count
            return end <= text.count && text[place..<end].elementsEqual(name.scalars)
                && !Self.continues(text[end...])
        }
    }

    /// Whether a name does not end before `rest`: more of a word follows, also after a hyphen, a dot or `@`.
    package static func continues(_ rest: some Collection<Unicode.Scalar>) -> Bool {
        guard let first = rest.first else { return false }
        return isWord(first) || joiners.contains(first) && rest.dropFirst().first.map(isWord) == true
    }

    private static let joiners: Set<Unicode.Scalar> = ["-", "\u{2010}", "\u{2011}", ".", "@"]
    private static let addressSign: [Unicode.Scalar] = [":", "/", "/"]

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "_"
    }
}
