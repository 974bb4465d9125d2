import ChatCore
import Prompting
import Retrieval
import TextAnalysis

/// One conversation as one user may read it now.
struct ConversationReader: Sendable {
    /// The number of messages of one read.
    private static let pageSize = 500

    let store: any ConversationAssistant.Repository
    let asker: UserID
    let conversation: PermittedConversation
    let roster: ConversationRoster
    /// The asker's thread with the assistant; nil if there is none.
    let thread: AssistantThread?
    let moment: Timestamp
    /// The IANA name of the zone in which times are shown.
    let timeZone: String?

    /// Looks a conversation up.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the asker may not see it.
    init(
        _ id: ConversationID, asker: UserID, timeZone: String?, in store: any ConversationAssistant.Repository,
        at moment: Timestamp
    ) async throws {
        self.store = store
        self.asker = asker
        self.moment = moment
        let beginning = try await store.beginning(of: asker, in: id, at: moment)
        (conversation, roster, thread) = (beginning.conversation, beginning.roster, beginning.thread)
        self.timeZone = timeZone ?? conversation.timeZone
    }

    /// Returns the newest messages in order of time, without those that summaries ignore.
    ///
    /// - Parameters:
    ///   - limit: The most that are read.
    ///   - isEnough: Receives all messages read so far, newest first; returns true to stop.
    /// - Returns: The messages, and whether they are all that exist.
    /// - Throws: ``RepositoryError``.
    func newest(limit: Int, until isEnough: ([Message]) -> Bool = { _ in false }) async throws -> (
        messages: [Message], isWhole: Bool
    ) {
        var read: [Message] = []
        var before: MessageID?
        var count = 0
        while count < limit {
            let page = try await store.page(
                of: conversation.id, asker: asker, before: before, limit: min(Self.pageSize, limit - count), at: moment)
            count += page.count
            before = page.last?.key.messageID
            read += page.filter(\.isSummarized)
            if page.count < Self.pageSize { return (read.reversed(), count < limit || page.isEmpty) }
            if isEnough(read) { return (read.reversed(), false) }
        }
        return (read.reversed(), false)
    }

    /// A message in the form that a prompt shows.
    func source(_ message: Message, focus: Range<Int>? = nil) -> PromptSource {
        PromptSource(
            sender: message.senderName.isEmpty ? message.senderID.rawValue : message.senderName, conversation: "",
            conversationID: conversation.id, timestamp: message.timestamp, timeZone: timeZone,
            text: message.searchableText, focus: focus)
    }

    /// The most names that are shown.
    private static let nameLimit = 100

    /// The participants: the asker, the senders, then other members; someone who only wrote here is not a member.
    func participants(writing messages: [Message]) -> [ConversationRequest.Participant] {
        let senders = Dictionary(messages.map { ($0.senderID, $0) }, uniquingKeysWith: { _, last in last })
        let members = roster.members.map { member in
            (
                id: member.userID,
                participant: ConversationRequest.Participant(
                    name: member.displayName, aliases: member.aliases, isAsker: member.userID == asker,
                    isPresent: member.leftAt.map { $0 > moment } ?? true,
                    isProgram: senders[member.userID]?.kind == .bot)
            )
        }
        let known = Set(members.map(\.id))
        let others = senders.values.filter { !known.contains($0.senderID) }.sorted { $0.senderID < $1.senderID }
            .map { message in
                ConversationRequest.Participant(
                    name: message.senderName.isEmpty ? message.senderID.rawValue : message.senderName,
                    isAsker: message.senderID == asker, isPresent: nil, isProgram: message.kind == .bot)
            }
        let writing = members.filter { $0.participant.isAsker || senders[$0.id] != nil }
        let silent = members.filter { !$0.participant.isAsker && senders[$0.id] == nil }
        let asking = writing.filter(\.participant.isAsker) + writing.filter { !$0.participant.isAsker }
        return Array((asking.map(\.participant) + others + silent.map(\.participant)).prefix(Self.nameLimit))
    }
}
