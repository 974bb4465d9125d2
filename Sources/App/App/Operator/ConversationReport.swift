import ChatCore
import MessageStore

/// A conversation with its present and past members.
struct ConversationReport: Codable, Sendable {
    struct Person: Codable, Sendable {
        var userId: UserID
        var name: String
        var kind: UserKind
        var joinedAt: Timestamp
        var leftAt: Timestamp?
    }

    var conversation: ConversationOverview
    var people: [Person]
}
