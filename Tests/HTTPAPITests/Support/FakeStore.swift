import ChatCore
import Synchronization

/// A store in memory, as far as the HTTP routes need one.
final class FakeStore: ConversationRepository, MessageRepository {
    private struct State {
        var rosters: [ConversationID: ConversationRoster] = [:]
        var messages: [MessageKey: Message] = [:]
        var order: [MessageKey] = []
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    /// Lets every later call fail.
    func fail(with error: any Error) { state.withLock { $0.failure = error } }

    /// All messages in the order of their arrival.
    var storedMessages: [Message] { state.withLock { state in state.order.compactMap { state.messages[$0] } } }

    private func read<Value>(_ body: (inout State) throws -> sending Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }

    func store(
        _ rosters: [ConversationRoster], source: String, mode: AcceptMode, at moment: Timestamp
    ) async throws -> Int {
        try read { state in
            var count = 0
            for roster in rosters {
                if let present = state.rosters[roster.conversation.id] {
                    guard present == roster else { throw RepositoryError.conflict("conversation") }
                } else {
                    state.rosters[roster.conversation.id] = roster
                    count += 1
                }
            }
            return count
        }
    }

    private static func sees(_ asker: UserID, _ roster: ConversationRoster) -> Bool {
        roster.conversation.visibility == .everyone
            || roster.members.contains { $0.userID == asker && $0.leftAt == nil }
    }

    func permitted(_ scope: SearchScope, at moment: Timestamp) async throws -> [PermittedConversation] {
        try read { state in
            state.rosters.values.filter { roster in
                guard Self.sees(scope.asker, roster) else { return false }
                if case .only(let ids) = scope.conversations { return ids.contains(roster.conversation.id) }
                return true
            }.map {
                PermittedConversation(
                    id: $0.conversation.id, number: ConversationNumber(rawValue: 1),
                    displayName: $0.conversation.name ?? "", timeZone: nil, isMember: true)
            }
        }
    }

    func roster(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> ConversationRoster {
        try read { state in
            guard let roster = state.rosters[id], Self.sees(asker, roster) else {
                throw RepositoryError.noSuchConversation(id)
            }
            return roster
        }
    }

    func conversations(
        asker: UserID, after: ConversationID?, limit: Int, at moment: Timestamp
    ) async throws -> [Conversation] {
        try read { state in
            let seen = state.rosters.values.filter { Self.sees(asker, $0) }.map(\.conversation)
            return Array(
                seen.filter { conversation in after.map { conversation.id > $0 } ?? true }
                    .sorted { $0.id < $1.id }.prefix(limit))
        }
    }

    func setMember(_ member: Member, in id: ConversationID, source: String, at moment: Timestamp) async throws {
        try read { state in
            state.rosters[id]?.members.removeAll { $0.userID == member.userID }
            state.rosters[id]?.members.append(member)
            state.rosters[id]?.members.sort { $0.userID < $1.userID }
        }
    }

    func removeMember(_ userID: UserID, from id: ConversationID, at moment: Timestamp) async throws {
        try read { state in
            guard let place = state.rosters[id]?.members.firstIndex(where: { $0.userID == userID }) else { return }
            state.rosters[id]?.members[place].leftAt = moment
        }
    }

    func map(_ identity: Identity, at moment: Timestamp) async throws -> Int { 0 }

    func identities() async throws -> [Identity] { [] }

    func accept(
        _ messages: [Message], source: String, mode: AcceptMode, at moment: Timestamp
    ) async throws -> [AcceptOutcome] {
        try read { state in
            messages.map { message in
                guard let present = state.messages[message.key] else {
                    state.messages[message.key] = message
                    state.order.append(message.key)
                    return .inserted
                }
                if present.deletedAt != nil { return .deletedBefore }
                return present == message ? .unchanged(message.key.messageID) : .conflict
            }
        }
    }

    func edit(_ key: MessageKey, text: String, at moment: Timestamp) async throws -> Message {
        try read { state in
            guard var message = state.messages[key] else { throw RepositoryError.noSuchMessage(key) }
            message.text = text
            message.editedAt = moment
            state.messages[key] = message
            return message
        }
    }

    func delete(_ key: MessageKey, at moment: Timestamp) async throws {
        try read { state in
            guard state.messages[key] != nil else { throw RepositoryError.noSuchMessage(key) }
            state.messages[key]?.deletedAt = moment
            state.messages[key]?.text = ""
        }
    }

    func page(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        try read { state in
            guard let roster = state.rosters[id], Self.sees(asker, roster) else {
                throw RepositoryError.noSuchConversation(id)
            }
            var keys = Array(state.order.filter { $0.conversationID == id }.reversed())
            if let before {
                let key = MessageKey(conversationID: id, messageID: before)
                guard let place = keys.firstIndex(of: key) else { throw RepositoryError.noSuchMessage(key) }
                keys.removeSubrange(...place)
            }
            return Array(keys.compactMap { state.messages[$0] }.filter { $0.deletedAt == nil }.prefix(limit))
        }
    }

    func messages(
        _ keys: [MessageKey], in scope: SearchScope, at moment: Timestamp
    ) async throws -> [MessageKey: Message] {
        try read { state in
            var found: [MessageKey: Message] = [:]
            for key in keys {
                guard let roster = state.rosters[key.conversationID], Self.sees(scope.asker, roster) else { continue }
                found[key] = state.messages[key].flatMap { $0.deletedAt == nil ? $0 : nil }
            }
            return found
        }
    }
}
