import ChatCore
import Histories
import MessageStore
import UseCases

/// A command that only an operator can perform on a data folder, here or in the server that owns it.
///
/// It crosses the local socket as JSON. Actions that people can take too go through the HTTP API; see ``APIRequest``.
enum OperatorCommand: Codable, Sendable {
    /// Imports histories; paths are absolute.
    case importHistory(files: [String], options: HistoryOptions)
    /// Reads histories, compares them with what is stored, and writes nothing; paths are absolute.
    case previewImport(files: [String], options: HistoryOptions)
    /// Embeds waiting messages.
    case ingest
    /// Lists the messages that were given up.
    case listFailed
    /// Puts messages that were given up back into the queue, by their names; none for all.
    case retryFailed(names: [String])
    /// Makes a dataset of rated turns in a folder, an absolute path.
    case writeFeedback(folder: String)
    /// Embeds everything again.
    case reembed(ReembedRequest)
    /// Lists the sets of vectors.
    case listGenerations
    /// Switches to another set of vectors; if forced, even if messages wait in it.
    case switchGeneration(Int64, isForced: Bool)
    /// Deletes a set of vectors that does not serve.
    case dropGeneration(Int64)
    /// Answers the same questions with two sets of vectors.
    case compareGenerations(ComparisonRequest)
    /// Reports the state of the data folder.
    case status
    /// Looks for problems.
    case doctor
    /// Maps an author of a source to a user; in one conversation only if one is given.
    ///
    /// A name that is in several conversations needs a confirmation.
    case mapUser(Identity, conversation: ConversationID?, isConfirmed: Bool?)
    /// Maps authors to users, all of them or none.
    case mapUsers([UserMapping], isConfirmed: Bool?)
    /// Maps authors to users whose ids are their mail addresses.
    case mapUsersByEmail(source: String?)
    /// Sets the kind of a user; nil uses the kind from imports.
    case setUserKind(UserID, UserKind?)
    /// Lists the authors of all sources.
    case listUsers
    /// Lists all conversations.
    case listConversations
    /// Shows a conversation with its members.
    case showConversation(ConversationID)
    /// Makes a key for the HTTP API.
    case createKey(KeyRequest)
    /// Lists the keys for the HTTP API.
    case listKeys
    /// Revokes a key for the HTTP API.
    case revokeKey(APIKey.ID)
    /// Makes an account with a link, or a new link for one that was not accepted.
    case inviteAccount(UserID, name: String?, role: AccountRole)
    /// Lists the accounts.
    case listAccounts
    /// Changes the role of an account, or disables or enables it.
    case changeAccount(UserID, role: AccountRole?, isDisabled: Bool?)
    /// Makes a link with which a person sets a new password.
    case resetAccount(UserID)
    /// Sets the mail address of an account that the administrator has verified; nil for none.
    case setAccountEmail(UserID, email: String?)
    /// Writes a backup into a folder, an absolute path.
    case backup(folder: String)
    /// Erases a user or a conversation; without confirmation it only counts.
    case erase(ErasureSubject, isConfirmed: Bool)
    /// Lists the connections to other chats with their rooms.
    case listConnections
    /// Calls the server of another chat with the configured credentials.
    case testConnection(source: String)
    /// Pauses the connection to another chat, resumes it, or connects again what was disconnected.
    case setConnection(source: String, isActive: Bool)
    /// Leaves out a room of another chat, or takes it in again.
    case setRoom(source: String, room: String, isLeftOut: Bool)
    /// Ends a connection and erases everything that came from there; without confirmation it only counts.
    case disconnect(source: String, isConfirmed: Bool)
    /// Lists the people of other chats who are joined with accounts.
    case listLinks
    /// Ends the link of a person of another chat.
    case endLink(source: String, author: String)
}

extension OperatorCommand {
    /// Whether administrators may give it over the network: it names no file of the server's machine.
    var isForAdministrators: Bool {
        switch self {
        case .status, .doctor, .listGenerations, .switchGeneration, .dropGeneration, .reembed, .listFailed,
            .retryFailed, .ingest, .listUsers, .mapUser, .setUserKind, .listConversations, .createKey, .listKeys,
            .revokeKey, .erase, .listConnections, .testConnection, .setConnection, .setRoom, .disconnect,
            .listLinks, .endLink, .setAccountEmail:
            true
        case .importHistory, .previewImport, .writeFeedback, .compareGenerations, .mapUsers, .mapUsersByEmail,
            .showConversation,
            .inviteAccount, .listAccounts, .changeAccount, .resetAccount, .backup:
            false
        }
    }
}
