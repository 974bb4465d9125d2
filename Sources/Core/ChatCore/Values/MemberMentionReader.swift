/// Finds the members whose names a text mentions, as `@Ada Lovelace` or `@ada`.
///
/// A name is a member's display name, alias or id, without regard to case. The longest name counts. With a letter or
/// digit before `@` or after the name it is not a mention, so mail addresses are not. The beginning of a longer name
/// (`@Ada-Lin`, `@ada.bot`) is not a mention either, nor is a name in an address, in code or in a quote. Each member is
/// mentioned once; see ``MentionPlaces`` for the limits.
public struct MemberMentionReader: Sendable {
    private let users: [String: UserID]

    /// - Parameter members: The members who can be mentioned; a name that two of them have mentions nobody.
    public init(_ members: [Member]) {
        var users: [String: Set<UserID>] = [:]
        for member in members {
            for name in MemberName.mentionable(member) { users[name, default: []].insert(member.userID) }
        }
        self.users = users.compactMapValues { $0.count == 1 ? $0.first : nil }
    }

    /// Returns the mentions in a text, in its order.
    public func mentions(in text: String) -> [MemberMention] { MentionPlaces(in: text).mentions(of: users) }

    /// Whether a name does not end before `rest`: more of a word follows, also after a hyphen, a dot or `@`.
    public static func continues(_ rest: some Collection<Unicode.Scalar>) -> Bool {
        guard let first = rest.first else { return false }
        return isWord(first) || joiners.contains(first) && rest.dropFirst().first.map(isWord) == true
    }

    private static let joiners: Set<Unicode.Scalar> = ["-", "\u{2010}", "\u{2011}", ".", "@"]

    fileprivate static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        // Properties of Unicode cost most of the time of a text that is full of names.
        guard !scalar.isASCII else {
            return switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            default: false
            }
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    fileprivate static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
    }
}

/// The places of a text that may mention a member: each `@` with the names that may follow it.
///
/// Reading them takes linear time and needs no members, so it is done before anything is locked. Only the first
/// ``MemberMention/limit`` places count, and ``nameLimit`` names at each: whoever looks names up does bounded work.
public struct MentionPlaces: Sendable {
    /// The most names that are tried at one place: so many words and signs may be in a name.
    public static let nameLimit = 24

    private struct Place: Sendable {
        let start: Int
        /// The names that may begin there, the longest first.
        let names: [(end: Int, name: String)]
    }

    private let places: [Place]

    /// Reads a text.
    public init(in text: String) {
        guard text.utf8.contains(UInt8(ascii: "@")) else {
            places = []
            return
        }
        let scalars = Array(text.unicodeScalars)
        let unspoken = UnspokenParts(of: scalars).flags
        var found: [Place] = []
        var isInAddress = false
        for place in scalars.indices where found.count < MemberMention.limit {
            let scalar = scalars[place]
            if scalar == ":", scalars[place...].starts(with: Self.addressSign) {
                isInAddress = true
            } else if isInAddress, MemberMentionReader.isSpace(scalar) {
                isInAddress = false
            }
            guard scalar == "@", !unspoken[place], !isInAddress,
                place == 0 || !MemberMentionReader.isWord(scalars[place - 1])
            else { continue }
            let names = Self.names(from: place + 1, in: scalars)
            if !names.isEmpty { found.append(Place(start: place, names: names)) }
        }
        places = found
    }

    /// The number of places.
    public var count: Int { places.count }

    /// The names to look up, as ``MemberName/mentioned(_:)`` writes them.
    public var names: Set<String> { Set(places.flatMap { $0.names.map(\.name) }) }

    /// Returns the mentions, in the order of the text, each member once.
    ///
    /// `users` are the members with these names; a name that several have is left out.
    public func mentions(of users: [String: UserID]) -> [MemberMention] {
        var mentions: [MemberMention] = []
        var seen: Set<UserID> = []
        var last = 0
        for place in places where place.start >= last {
            guard let found = place.names.first(where: { users[$0.name] != nil }), let user = users[found.name]
            else { continue }
            last = found.end
            guard seen.insert(user).inserted else { continue }
            mentions.append(MemberMention(userID: user, start: place.start, end: found.end))
        }
        return mentions
    }

    /// Returns the names that may begin at a place.
    private static func names(from start: Int, in text: [Unicode.Scalar]) -> [(end: Int, name: String)] {
        var names: [(end: Int, name: String)] = []
        var name = String.UnicodeScalarView()
        for place in text[start...].prefix(TextLimit.name.characters).indices where names.count < nameLimit {
            let scalar = text[place]
            if MemberMentionReader.isSpace(scalar) {
                if name.isEmpty { break }
            } else if !MemberMentionReader.continues(text[(place + 1)...]) {
                name.append(MemberName.lower(scalar))
                names.append((place + 1, String(name)))
                continue
            }
            name.append(MemberName.lower(scalar))
        }
        return names.reversed()
    }

    private static let addressSign: [Unicode.Scalar] = [":", "/", "/"]
}
