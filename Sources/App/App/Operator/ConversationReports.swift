import ChatCore
import MessageStore
import UseCases

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

/// The conversations as an operator sees them, without messages.
struct ConversationReports: Sendable {
    let store: SQLStore
    let now: @Sendable () -> Timestamp

    /// Returns all conversations.
    func all() async throws -> [ConversationOverview] { try await store.overviews(at: now()) }

    /// Returns a conversation with its present and past members.
    func report(on id: ConversationID) async throws -> ConversationReport {
        let moment = now()
        guard let place = try await store.overviews(of: id, at: moment).first else {
            throw OperatorFailure(message: "no conversation \(id.rawValue); see nexus conversations list")
        }
        var people: [ConversationReport.Person] = []
        for member in try await store.roster(of: id).members {
            people.append(
                ConversationReport.Person(
                    userId: member.userID, name: member.displayName, kind: try await store.kind(of: member.userID),
                    joinedAt: member.joinedAt, leftAt: member.leftAt))
        }
        return ConversationReport(conversation: place, people: people)
    }
}
