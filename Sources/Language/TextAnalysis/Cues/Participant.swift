package import ChatCore

/// A person that a question may name.
package struct Participant: Hashable, Sendable {
    /// The user's id.
    package let id: UserID
    /// The name shown.
    package let displayName: String
    /// Other names that people use.
    package let aliases: [String]

    package init(id: UserID, displayName: String, aliases: [String] = []) {
        self.id = id
        self.displayName = displayName
        self.aliases = aliases
    }
}

/// A place where a question names a person.
package struct PersonMention: Equatable, Sendable {
    /// How the person is named, the surest first.
    package enum Kind: Int, Comparable, Sendable {
        /// The id or a name after "@".
        case mention
        /// The whole display name.
        case fullName
        /// An alias.
        case alias
        /// One part of the display name, such as the first name.
        case part
        /// The beginning of a part that nobody else's name has: Mel for Melanie.
        case nickname

        /// Orders kinds from the surest to the least sure.
        package static func < (left: Kind, right: Kind) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// The people with this name, in order of id; more than one when it is ambiguous.
    package let people: [UserID]
    /// How they are named.
    package let kind: Kind
    /// The place in the question with "@" and the possessive "'s", in UTF-8 bytes.
    package let range: Range<Int>
}

/// The names of people in a question.
package struct PeopleCues: Equatable, Sendable {
    /// The places of the names, in order.
    package let mentions: [PersonMention]
    /// Whether the asker speaks of herself: I, me, my, ich, mein.
    package let namesAsker: Bool
    /// The question without the names, as it is to be embedded; the question itself when no word would be left.
    package let textWithoutNames: String

    /// The named people, each once, in the order of the question.
    package var people: [UserID] {
        var seen: Set<UserID> = []
        return mentions.flatMap(\.people).filter { seen.insert($0).inserted }
    }
}
