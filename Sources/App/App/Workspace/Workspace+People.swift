import ChatCore
import Foundation
import HTTPAPI
import Histories
import MessageStore
import UseCases

extension Workspace {
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

    /// Returns the members that an import would add to conversations, or remove from them.
    func previewMembers(_ places: [HistorySummary.Place]) async throws -> [MembershipPreview] {
        let told = places.filter { $0.visibility != nil }
        return try await store.previewImport(
            told.map { (source: $0.source, roster: $0.roster) }, at: now())
    }
}
