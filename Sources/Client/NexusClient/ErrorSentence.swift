public import Foundation

/// The sentence about an error that an app shows, without any text of messages.
///
/// Apps translate ``key``; ``text`` is the English sentence.
public struct ErrorSentence: Hashable, Sendable {
    /// What the person can do.
    public enum Remedy: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the client tries again by itself.
        case wait
        /// The same again, now or later.
        case retry
        /// Sign in again.
        case signIn
        /// Change what was entered.
        case change
        /// Ask the people who run the server.
        case askOperator
        /// Update the app.
        case update
        /// Nothing helps; the thing is gone or not permitted.
        case none
    }

    /// The key for translations, such as `nexus.error.offline`.
    public let key: String
    /// The English sentence.
    public let text: String
    /// What the person can do.
    public let remedy: Remedy

    private init(_ name: String, _ text: String, _ remedy: Remedy) {
        key = "nexus.error." + name
        self.text = text
        self.remedy = remedy
    }

    /// Every sentence, for translators.
    public static let all: [ErrorSentence] = [
        offline, timedOut, signedOut, forbidden, missing, deleted, invalid, tooLarge, tooMany, tooManyQuestions,
        tokensUsedUp, conflict, busy, storageFull, modelUnavailable, modelMissing, unreadable, server,
        deviceStore, storeInUse, storeDamaged, storeNewer, storeForeign, sessionEnded, accountDisabled, signInFailed,
        passwordWrong, passwordTooShort, passwordTooLong, linkUnknown, conversationForbidden, notOwn, foreignUser,
        roleRequired, senderForbidden, fieldForbidden, idForbidden, addingForbidden, commandForbidden, addressForbidden,
        filesUnattached, filesShareFull,
    ]

    package static let offline = ErrorSentence("offline", "There is no connection to the server.", .wait)
    package static let timedOut = ErrorSentence("timed_out", "The server took too long to answer. Try again.", .retry)
    package static let signedOut = ErrorSentence("signed_out", "You are signed out. Sign in again.", .signIn)
    package static let forbidden = ErrorSentence("forbidden", "You are not allowed to do this.", .none)
    package static let missing = ErrorSentence("missing", "This no longer exists, or you cannot see it.", .none)
    package static let deleted = ErrorSentence("deleted", "This message was deleted.", .none)
    package static let invalid = ErrorSentence(
        "invalid", "The server does not accept this. Change it and try again.", .change)
    package static let tooLarge = ErrorSentence(
        "too_large", "This is too long. Make it shorter and try again.", .change)
    package static let tooMany = ErrorSentence(
        "too_many", "You did this too often. Wait a moment and try again.", .retry)
    package static let tooManyQuestions = ErrorSentence(
        "too_many_questions", "The assistant is still busy with other questions. Try again in a moment.", .retry)
    package static let tokensUsedUp = ErrorSentence(
        "tokens_used_up", "You have used up your questions for today. Try again tomorrow.", .none)
    package static let conflict = ErrorSentence(
        "conflict", "Somebody else is doing this at the moment. Try again.", .retry)
    package static let busy = ErrorSentence("busy", "The server is busy. Try again in a moment.", .retry)
    package static let storageFull = ErrorSentence(
        "storage_full", "The server has no room left. Tell the people who run it.", .askOperator)
    package static let modelUnavailable = ErrorSentence(
        "model_unavailable", "The assistant cannot answer now. Try again later.", .retry)
    package static let modelMissing = ErrorSentence(
        "model_missing", "The assistant needs a language model for this. Ask the people who run the server.",
        .askOperator)
    package static let unreadable = ErrorSentence(
        "unreadable", "The app does not understand the server. Update the app.", .update)
    package static let deviceStore = ErrorSentence(
        "device_store", "This device could not read or keep your messages. Check whether it has room left.", .retry)
    package static let storeInUse = ErrorSentence(
        "store_in_use", "These messages are open elsewhere on this device. Close them there and try again.", .retry)
    package static let storeDamaged = ErrorSentence(
        "store_damaged", "The messages on this device are damaged. Remove them; the server still has what was sent.",
        .change)
    package static let storeNewer = ErrorSentence(
        "store_newer", "The messages on this device were kept by a later version. Update the app.", .update)
    package static let storeForeign = ErrorSentence(
        "store_foreign", "These messages belong to another person or server. Choose another place for yours.", .change)
    package static let sessionEnded = ErrorSentence(
        "session_ended", "Your session has ended. Sign in again.", .signIn)
    package static let accountDisabled = ErrorSentence(
        "account_disabled", "Your account is disabled. Ask the people who run the server.", .askOperator)
    package static let signInFailed = ErrorSentence(
        "sign_in_failed", "The user or the password is wrong. Try again.", .change)
    package static let passwordWrong = ErrorSentence("password_wrong", "Your present password is another one.", .change)
    package static let passwordTooShort = ErrorSentence(
        "password_too_short", "This password is too short. Choose a longer one.", .change)
    package static let passwordTooLong = ErrorSentence(
        "password_too_long", "This password is too long. Choose a shorter one.", .change)
    package static let linkUnknown = ErrorSentence(
        "link_unknown", "This link was used or is too old. Ask for another one.", .askOperator)
    package static let conversationForbidden = ErrorSentence(
        "conversation_forbidden", "This conversation does not exist, or you are not a member of it.", .none)
    package static let notOwn = ErrorSentence("not_own", "This belongs to somebody else.", .none)
    package static let foreignUser = ErrorSentence(
        "foreign_user", "This device is signed in as somebody else. Sign in again.", .signIn)
    package static let roleRequired = ErrorSentence(
        "role_required", "Your account may not do this. Ask the people who run the server.", .askOperator)
    package static let senderForbidden = ErrorSentence("sender_forbidden", "You write in your own name only.", .none)
    package static let fieldForbidden = ErrorSentence("field_forbidden", "You cannot choose this yourself.", .none)
    package static let idForbidden = ErrorSentence(
        "id_forbidden", "The server chooses the ids of conversations. Update the app.", .update)
    package static let addingForbidden = ErrorSentence(
        "adding_forbidden", "You cannot add people here. Ask the people who run the server.", .askOperator)
    package static let scopeRequired = ErrorSentence(
        "scope_required", "You did not allow this to the assistant. Connect it again to allow it.", .none)
    package static let commandForbidden = ErrorSentence(
        "command_forbidden", "This can only be done on the machine of the server.", .none)
    package static let addressForbidden = ErrorSentence(
        "address_forbidden", "The server does not answer at this address. Ask the people who run it.", .askOperator)
    package static let filesUnattached = ErrorSentence(
        "files_unattached", "You have uploaded too many files without sending them. Send them, or wait a day.", .retry)
    package static let filesShareFull = ErrorSentence(
        "files_share_full", "Your files have no room left. Delete messages with files.", .change)
    package static let server = ErrorSentence("server", "The server could not do this. Try again.", .retry)
}

extension SessionError: LocalizedError {
    /// The sentence for people, without the server's explanation for developers.
    public var sentence: ErrorSentence {
        switch self {
        case .unavailable: .offline
        case .signedOut(let reason): Self.sentences[reason.rawValue] ?? .signedOut
        case .unreadable: .unreadable
        case .storage(.inUse): .storeInUse
        case .storage(.damaged): .storeDamaged
        case .storage(.newer): .storeNewer
        case .storage(.foreign): .storeForeign
        case .storage: .deviceStore
        case .refused(let status, let code, _, _): Self.sentences[code] ?? Self.sentence(of: status)
        }
    }

    /// The sentence in English.
    public var errorDescription: String? { sentence.text }

    /// Codes that say more than their status.
    private static let sentences: [String: ErrorSentence] = [
        "session_ended": .sessionEnded,
        "account_disabled": .accountDisabled,
        "sign_in_failed": .signInFailed,
        "password_wrong": .passwordWrong,
        "password_too_short": .passwordTooShort,
        "password_too_long": .passwordTooLong,
        "invitation_unknown": .linkUnknown,
        "conversation_forbidden": .conversationForbidden,
        "not_own": .notOwn,
        "foreign_user": .foreignUser,
        "role_required": .roleRequired,
        "sender_forbidden": .senderForbidden,
        "field_forbidden": .fieldForbidden,
        "id_forbidden": .idForbidden,
        "adding_forbidden": .addingForbidden,
        "scope_required": .scopeRequired,
        "command_forbidden": .commandForbidden,
        "host_forbidden": .addressForbidden,
        "origin_forbidden": .addressForbidden,
        "files_unattached": .filesUnattached,
        "files_share_full": .filesShareFull,
        "message_deleted": .deleted,
        "extraction_under_way": .conflict,
        "idempotency_key_in_work": .conflict,
        "daily_tokens_used_up": .tokensUsedUp,
        "too_many_questions": .tooManyQuestions,
        "overloaded": .tooManyQuestions,
        "storage_damaged": .server,
        "storage_full": .storageFull,
        "storage_read_only": .storageFull,
        "files_full": .storageFull,
        "deadline_exceeded": .timedOut,
        "model_slow": .timedOut,
        "model_busy": .modelUnavailable,
        "model_failed": .modelUnavailable,
        "model_incomplete_reply": .modelUnavailable,
        "model_invalid_reply": .modelUnavailable,
        "model_unreachable": .modelUnavailable,
        "model_misconfigured": .modelMissing, "model_not_configured": .modelMissing,
        "model_quota_exhausted": .modelMissing,
        "model_rejected": .modelMissing,
        "model_unauthorized": .modelMissing,
        "model_too_long": .tooLarge,
        "cursor_expired": .busy,
    ]

    private static func sentence(of status: Int) -> ErrorSentence {
        switch status {
        case 401: .signedOut
        case 403: .forbidden
        case 404, 410: .missing
        case 408, 504: .timedOut
        case 409: .conflict
        case 413: .tooLarge
        case 429: .tooMany
        case 400...499: .invalid
        case 502, 503: .busy
        case 507: .storageFull
        default: .server
        }
    }
}

extension ClientTransportError: LocalizedError {
    /// The sentence for people.
    public var sentence: ErrorSentence {
        switch self {
        case .unreachable, .broken: .offline
        case .timedOut: .timedOut
        case .refused(let response): NexusSession.error(of: response).sentence
        case .tooLarge: .tooLarge
        case .protocolViolation: .unreadable
        }
    }

    /// The sentence in English.
    public var errorDescription: String? { sentence.text }
}
