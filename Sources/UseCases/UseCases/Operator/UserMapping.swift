package import ChatCore

/// A mapping of an author to a user, given by an operator.
package struct UserMapping: Codable, Sendable, Equatable {
    /// The place in the input, for errors.
    package var place: String
    /// Nil for every source; then the address identifies the author.
    package var source: String?
    /// The id, or the name where there are no ids; nil if the address identifies the author.
    package var externalID: String?
    package var email: String?
    /// The only conversation in which the author is mapped; nil for all.
    package var conversation: ConversationID?
    package var userID: UserID

    package init(
        place: String, source: String? = nil, externalID: String? = nil, email: String? = nil,
        conversation: ConversationID? = nil, userID: UserID
    ) {
        self.place = place
        self.source = source
        self.externalID = externalID
        self.email = email
        self.conversation = conversation
        self.userID = userID
    }

    /// The author in words.
    package var author: String {
        let person = email.map { "with the address \($0)" } ?? "\(externalID ?? "") of the source \(source ?? "")"
        return person + (conversation.map { " in \($0.rawValue)" } ?? "")
    }
}

/// An author that is known by a name only, and where this name is.
package struct NamePlaces: Codable, Sendable {
    /// The author's id in the source.
    package var author: String
    /// The name.
    package var name: String
    /// The conversations.
    package var places: [AuthorPlace]
}
