import Assistant
import ChatCore
import Foundation
import Histories
import MessageStore

/// Something that an operator wants done with a data folder, here or in the server that owns it.
///
/// It crosses the local socket as JSON.
enum OperatorCommand: Codable, Sendable {
    /// Takes in histories; paths are absolute.
    case importHistory(files: [String], options: HistoryOptions)
    /// Embeds what waits.
    case ingest
    /// Lists the messages that were given up.
    case listFailed
    /// Puts messages that were given up back into the queue, by their names; none for all.
    case retryFailed(names: [String])
    /// Finds messages.
    case search(Question)
    /// Answers a question.
    case ask(Question)
    /// Does something with a user's threads.
    case threads(ThreadRequest)
    /// Does something with turns.
    case turns(TurnRequest)
    /// Makes a dataset of judged turns in a folder, an absolute path.
    case writeFeedback(folder: String)
    /// Lists what was taken out of conversations.
    case items(ItemRequest)
    /// Changes what was taken out of a conversation, or takes it away.
    case changeItem(ItemChange)
    /// Judges unread messages.
    case priorities(PriorityRequest)
    /// Answers a question to the assistant inside a conversation, or summarizes it.
    case assist(ConversationQuestion)
    /// Suggests replies of a user to the last message of a conversation.
    case suggestReplies(ConversationID, asker: UserID)
    /// Embeds everything anew.
    case reembed(ReembedRequest)
    /// Lists the sets of vectors.
    case listGenerations
    /// Lets another set of vectors serve; forced, although messages wait in it.
    case switchGeneration(Int64, isForced: Bool)
    /// Deletes a set of vectors that does not serve.
    case dropGeneration(Int64)
    /// Answers the same questions with two sets of vectors.
    case compareGenerations(ComparisonRequest)
    /// Tells how things stand.
    case status
    /// Looks for what is wrong.
    case doctor
    /// Joins an author of a source to a user.
    case mapUser(Identity)
    /// Joins authors to users, all of them or none.
    case mapUsers([UserMapping])
    /// Joins authors to users whose ids are their mail addresses.
    case mapUsersByEmail(source: String?)
    /// Says what kind of user somebody is; nil leaves it to the imports.
    case setUserKind(UserID, UserKind?)
    /// Lists the authors of all sources.
    case listUsers
    /// Lists all conversations.
    case listConversations
    /// Shows a conversation with its members.
    case showConversation(ConversationID)
    /// Tells whom an import would let into conversations, and out of them.
    case previewMembers([HistorySummary.Place])
    /// Makes a key for the HTTP API.
    case createKey(KeyRequest)
    /// Lists the keys for the HTTP API.
    case listKeys
    /// Withdraws a key for the HTTP API.
    case revokeKey(APIKey.ID)
    /// Writes a backup into a folder, an absolute path.
    case backup(folder: String)
    /// Erases a user or a conversation; unconfirmed, only says what would go.
    case erase(ErasureSubject, isConfirmed: Bool)

    /// Which items are wanted, and by whom.
    struct ItemRequest: Codable, Sendable {
        var kind: ExtractedItem.Kind
        var asker: UserID
        /// Nil for all that the asker may see.
        var conversationID: ConversationID?
        /// Whether the conversation's new messages are read first.
        var extracts: Bool
        /// What decisions have to be about.
        var question: String?
        /// Whether only the asker's own are wanted.
        var isOwn: Bool
        var timeZone: String?
    }

    /// What becomes of an item.
    struct ItemChange: Codable, Sendable {
        enum Action: Codable, Sendable {
            case edit(Edit)
            case dismiss
        }

        /// What changes; nil leaves as it is.
        struct Edit: Codable, Sendable {
            var text: String?
            /// Whether `personID` counts, nil for nobody.
            var hasPerson: Bool
            var personID: UserID?
            /// Whether `due` counts, nil for no date; microseconds since 1970.
            var hasDue: Bool
            var due: Int64?
            var status: ExtractedItem.Status?
        }

        var asker: UserID
        var kind: ExtractedItem.Kind
        var id: ItemID
        var action: Action
    }

    /// What is done with whose threads.
    struct ThreadRequest: Codable, Sendable {
        enum Action: Codable, Sendable {
            case list(limit: Int)
            case create(title: String?)
            case show(ThreadID)
            case rename(ThreadID, title: String?)
            case delete(ThreadID)
            case export(ThreadID)
            /// Shows the exchange with a conversation's assistant.
            case showExchange(ConversationID)
            /// Forgets it.
            case clearExchange(ConversationID)
        }

        var asker: UserID
        var action: Action
    }

    /// What is done with turns.
    enum TurnRequest: Codable, Sendable {
        case list(asker: UserID, limit: Int)
        /// Without a rating what was said is taken back.
        case judge(TurnID, asker: UserID, rating: TurnFeedback.Rating?, reason: String?)
        /// As its asker sees it, or as an administrator does.
        case trace(TurnID, asker: UserID?)
    }

    /// Whose unread messages are judged, and where they begin: behind a message or at a moment.
    struct PriorityRequest: Codable, Sendable {
        var asker: UserID
        var conversationID: ConversationID
        var after: MessageID?
        var since: Timestamp?
        var timeZone: String?
    }

    /// A question or a search, with who asks and where.
    struct Question: Codable, Sendable {
        var text: String
        var asker: UserID
        /// Nil for all that the asker may see.
        var conversationIDs: [ConversationID]?
        var senderIDs: [UserID]?
        /// Moments as microseconds since 1970.
        var from: Int64?
        var to: Int64?
        var limit: Int
        var timeZone: String?
        /// Whether the answer is wanted piece by piece.
        var streams = false
        /// Whether each hit shall explain itself.
        var explains = false
        /// The thread that a question belongs to.
        var threadID: ThreadID?
    }
}

extension OperatorCommand.Question {
    /// Who asks, and where.
    var scope: SearchScope {
        SearchScope(asker: asker, conversations: conversationIDs.map { .only(Set($0)) } ?? .all)
    }

    /// What a message must fulfil.
    var filter: SearchFilter {
        SearchFilter(
            senderIDs: senderIDs.map { Set($0) }, from: from.map { Timestamp(microseconds: $0) },
            to: to.map { Timestamp(microseconds: $0) })
    }
}
