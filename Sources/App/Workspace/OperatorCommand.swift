import ChatCore
import Foundation
import Histories
import MessageStore

/// Something that only an operator can do with a data folder, here or in the server that owns it.
///
/// It crosses the local socket as JSON. Everything that people can do too goes through the HTTP API; see ``APIRequest``.
enum OperatorCommand: Codable, Sendable {
    /// Takes in histories; paths are absolute.
    case importHistory(files: [String], options: HistoryOptions)
    /// Embeds what waits.
    case ingest
    /// Lists the messages that were given up.
    case listFailed
    /// Puts messages that were given up back into the queue, by their names; none for all.
    case retryFailed(names: [String])
    /// Makes a dataset of judged turns in a folder, an absolute path.
    case writeFeedback(folder: String)
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
}
