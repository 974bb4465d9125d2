public import Foundation

/// Somebody of another chat who is joined with the asker's account: the account reads what that person reads there.
public struct PersonLinkDetails: Hashable, Sendable, Codable {
    /// How two are joined.
    public enum Way: String, Hashable, Sendable, Codable, CaseIterable {
        /// Both have the same verified mail address.
        case email
        /// The person wrote a code in the other chat.
        case code
    }

    /// The other chat: `matrix`, `mattermost` or `slack`.
    public var source: String
    /// The id of the person there, with the name of the chat before it.
    public var authorId: String
    /// The name of the person there.
    public var name: String?
    /// How the two were joined.
    public var way: Way
    /// When they were joined.
    public var linkedAt: Date

    public init(source: String, authorId: String, name: String? = nil, way: Way, linkedAt: Date) {
        self.source = source
        self.authorId = authorId
        self.name = name
        self.way = way
        self.linkedAt = linkedAt
    }
}

/// The links of the asker: the reply of `GET /v1/links`.
public struct PersonLinkList: Hashable, Sendable, Codable {
    /// The links, by source.
    public var links: [PersonLinkDetails]
    /// The other chats to which the server is connected.
    public var sources: [String]

    public init(links: [PersonLinkDetails], sources: [String]) {
        self.links = links
        self.sources = sources
    }
}

/// A code that joins the asker's account with the person who writes it in another chat.
public struct LinkCodeDetails: Hashable, Sendable, Codable {
    /// The code; it works once.
    public var code: String
    /// Until when it works.
    public var expiresAt: Date

    public init(code: String, expiresAt: Date) {
        self.code = code
        self.expiresAt = expiresAt
    }
}
