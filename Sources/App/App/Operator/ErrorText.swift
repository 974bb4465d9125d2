import Accounts
import Archive
import Assistant
import ChatCore
import Evaluation
import Foundation
import Glibc
import HTTPAPI
import Histories
import IndexCore
import Ingest
import LexicalIndex
import MessageStore
import Prompting
import Retrieval
import SentenceEncoder
import Telemetry
import Transport
import UseCases
import VectorIndex
import WebServer

/// Turns an error into one line for an operator; never with text of a message, a prompt or a key.
package enum ErrorText {
    package static func line(for error: any Error) -> String {
        switch error {
        case let error as OperatorFailure: error.message
        case let error as SettingsError: error.description
        case let error as RepositoryError: line(for: error)
        case let error as LimitError: line(for: error)
        case is GroupLimitError: "this user made too many conversations, or added too many members"
        case let error as AccountError: line(for: error)
        case let error as RetrievalError: line(for: error)
        case let error as ModelServiceError: line(for: error)
        case let error as ImportFileError: line(for: error)
        case let error as TransportError: error.description
        case let error as StoreOpenError: line(for: error)
        case let error as BackupError: line(for: error)
        case let error as MigrationError: line(for: error)
        case let error as ModelFilesError: line(for: error)
        case let error as PromptError: "prompts: \(error)"
        case let error as HTTPAPIError: error.description
        case let error as WebServerError: error.description
        case let error as EvaluationError: error.description
        case let error as RetrievalSettingsError: error.description
        case let error as LineFileError: error.description
        case let error as TLSCredentials.UnreadableError: error.description
        case let error as DailyTokensUsedUp:
            "this user's tokens of the day (UTC) are used up; ask again in \(error.retryAfter) s, or raise "
                + Settings.tokensPerDay.name
        case let error as ArchiveError: "the archive cannot be read: \(error)"
        case let error as EncoderError: "the sentence model cannot be used: \(error.explanation)"
        case let error as SnapshotError: "a file of the index cannot be used: \(error)"
        case let error as VectorIndexError: "the vectors cannot be searched: \(error)"
        case let error as LexicalIndexError: "the words cannot be searched: \(error)"
        case is TimeLimitExceeded: "it took too long; try again"
        case is DecodingError: "the data has an unexpected form: use the same version of both programs"
        case is EncodingError: "the result cannot be written as JSON"
        case let error as CocoaError: line(for: error)
        case let error as POSIXError: String(cString: strerror(error.code.rawValue))
        default: "an internal error (\(type(of: error))); please report it with what you did"
        }
    }

    private static func line(for error: AccountError) -> String {
        switch error {
        case .signInFailed: "the user or the password is wrong"
        case .disabled: "the account is disabled: nexus accounts enable"
        case .sessionEnded: "the session has ended"
        case .invitationUnknown: "the link is unknown, used, or too old"
        case .passwordTooShort: "a password has at least \(AccountService.passwordRange.lowerBound) characters"
        case .passwordTooLong: "a password has at most \(AccountService.passwordRange.upperBound) characters"
        case .unknownAccount: "there is no such account: nexus accounts list"
        case .exists: "there is an account with this id: nexus accounts reset makes a new link"
        case .reservedID: "this id is reserved"
        case .overloaded: "too many sign-ins wait; try again"
        }
    }

    /// A failure with a file: its path, and why.
    private static func line(for error: CocoaError) -> String {
        guard let path = error.filePath else { return "a file cannot be used (\(error.code.rawValue))" }
        let code = (error.underlying as? POSIXError)?.code.rawValue
        return "\(path) \(code.map(FileTrouble.words) ?? FileTrouble.reading(path))"
    }

    private static func line(for error: LimitError) -> String {
        switch error {
        case .tooManySearches: "this user has too many searches waiting: try again"
        case .tooManyQuestions: "this user has too many questions in progress: try again"
        case .overloaded: "too many questions or searches are waiting: try again"
        }
    }

    private static func line(for error: RepositoryError) -> String {
        switch error {
        case .noSuchConversation(let id): "unknown conversation \(id), or not this user's"
        case .noSuchMessage(let key): "unknown message \(key.messageID) in \(key.conversationID)"
        case .noSuchItem(let id): "unknown item \(id), or not this user's"
        case .noSuchThread(let id): "unknown thread \(id), or not this user's"
        case .noSuchSchedule(let id): "unknown schedule \(id), or not this user's"
        case .noSuchScheduledMessage(let id): "unknown scheduled message \(id), or not this user's"
        case .noSuchTurn(let id): "unknown turn \(id), or not this user's"
        case .extractionUnderWay(let id): "an extraction is under way in conversation \(id): try again later"
        case .rightsEnded: "the session has ended"
        case .expiredCursor: "the cursor belongs to another change log: read again from the beginning"
        case .conflict(let reason): reason
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .storageFull:
            "the disk is full: make room; nothing of this step was stored, what was stored before is safe"
        case .storageReadOnly:
            "the disk with the data folder is read-only, or may not be written by this user; nothing was stored"
        case .storageDamaged:
            "the database is damaged: nothing is stored any more; stop the server and restore a backup, as the page "
                + "docs/operations.md describes"
        case .fromTheFuture(let found): "the data folder was written by a newer nexus (schema \(found))"
        case .unavailable(let reason): "the database cannot be used: \(reason)"
        }
    }

    private static func line(for error: RetrievalError) -> String {
        switch error {
        case .noPermittedConversation: "this user may see none of these conversations"
        case .invalid(let field, let reason): "\(field) \(reason)"
        }
    }

    private static func line(for error: ModelServiceError) -> String {
        switch error {
        case .unreachable(let reason): "the model service cannot be reached: \(reason)"
        case .slow(let wait):
            "the model service \(wait.explanation), and the time limit has passed: raise the limit of its settings "
                + "(docs/settings.md), or use a faster model"
        case .busy: "the model service is too busy"
        case .failed(let status): "the model service fails (status \(status))"
        case .unauthorized(let status): "the model service refuses the key (status \(status))"
        case .quotaExhausted: "the model service's account has no credit left"
        case .rejected(let status, let code): "the model service refuses the request (status \(status), \(code))"
        case .tooLong: "a text is longer than the model takes"
        case .invalidReply(let reason): "the model service's reply is wrong: \(reason)"
        case .incompleteReply: "the model service's reply broke off"
        case .misconfigured(let reason): reason
        }
    }

    private static func line(for error: StoreOpenError) -> String {
        switch error {
        case .inUse(let folder): "the data folder \(folder) is in use by another process"
        case .notAFolder(let path): "\(path) is not a folder, and none can be made there"
        case .notPermitted(let path):
            "\(path) may not be used by this user; check its owner and mode, and those of the folders above it"
        case .needsWriting(let path):
            "\(path) cannot be read without writing first, and the disk cannot be written: make room, or make it "
                + "writable, then start again"
        case .unfinishedMigration:
            "a migration into this store is unfinished: run the same nexus migrate again, or begin with an empty store"
        case .cannotConnect(let reason): "PostgreSQL (store.url) cannot be used: \(reason)"
        case .losesCommits:
            "PostgreSQL runs with synchronous_commit=off, so a crash would lose messages that people saw as sent: set it "
                + "to on for the server, the database and the role, or set store.accept-loss=true"
        case .sharedConnections:
            "several clients share one connection to PostgreSQL: set the pool mode of the proxy to session "
                + "(PgBouncer: pool_mode = session), or let store.url name the server itself"
        case .tooOld(let found):
            "the tables are of schema \(found), and this release reads those from \(StoreSchema.version) on: start the "
                + "last build of nexus 0.1 once, and then this one"
        case .schemaNotPermitted:
            "the role of store.url may not make or change the tables, and this release needs to: run nexus schema with "
                + "the role that owns them"
        }
    }

    private static func line(for error: MigrationError) -> String {
        switch error {
        case .noSource: "there is no workspace to migrate from: check --from"
        case .sourceNeedsOpening(let folder):
            "\(folder) was not closed properly, or has an older schema: run nexus doctor --data \(folder), then migrate"
        case .databaseInUse: "a nexus is connected to the PostgreSQL database: stop its servers, then migrate"
        case .targetNotEmpty(let table):
            "the target is not empty (\(table)): a migration needs an empty database, or a folder without a workspace"
        case .otherSource:
            "the target has an unfinished migration of another workspace: continue that one, or take an empty target"
        case .sourceChanged:
            "the source was written since the migration began: stop its servers, empty the target and migrate again"
        case .tableDiffers(let table):
            "the table \(table) differs between source and target: stop the servers of both, empty the target and "
                + "migrate again"
        }
    }

    private static func line(for error: BackupError) -> String {
        switch error {
        case .otherDatabase:
            "the messages are in PostgreSQL (store.url), which nexus backup does not copy: use pg_dump, or nexus migrate to "
                + "get a data folder"
        case .alreadyThere(let path): "\(path) is not empty: a backup needs its own folder"
        case .insideDataFolder(let path): "\(path) is in the data folder: choose another folder for the backup"
        case .noBackup(let path): "\(path) holds no backup, or its manifest is damaged"
        case .fromTheFuture(let found): "the backup was made by a newer nexus (\(found))"
        case .tooOld(let found):
            "the backup of nexus \(found) has an older schema than \(StoreSchema.version): restore it with the last build "
                + "of nexus 0.1, start that once, and make a new backup"
        case .notAsMade(let field): "the backup is damaged: its database is not the one of the manifest (\(field))"
        case .unsound: "the backup is damaged: its database is not sound"
        case .folderNotEmpty(let path): "\(path) is not empty: --replace replaces its content"
        case .io(let operation, let code):
            "a file of the backup or of its folder cannot be used (\(operation)): \(String(cString: strerror(code)))"
        }
    }

    private static func line(for error: ModelFilesError) -> String {
        switch error {
        case .missing(let file): "the sentence model lacks \(file): run nexus model fetch"
        case .wrongSize(let file, let expected, let got):
            "the sentence model's \(file) has \(got) bytes, not \(expected): run nexus model fetch"
        case .wrongDigest(let file): "the sentence model's \(file) is damaged: run nexus model fetch"
        case .unwritable(let file): "\(file) cannot be written"
        }
    }

    private static func line(for error: ImportFileError) -> String {
        switch error {
        case .missing(let path): "\(path) \(FileTrouble.reading(path))"
        case .notAFile(let path): "\(path): neither a file nor a folder; a pipe cannot be read twice"
        case .unreadable(let path): "\(path) \(FileTrouble.reading(path))"
        case .damagedArchive(let path, let reason): "\(path): \(reason)"
        case .unknownFormat(let path):
            "\(path): does not look like a chat: nexus import --help lists the formats; convert others to JSON lines (docs/import.md)"
        case .foreign(let path, let format): "\(path): looks like \(format.name): \(format.advice)"
        case .utf16(let path): "\(path): text in UTF-16: convert it to UTF-8"
        case .partOfSlack(let path): "\(path): a list of a Slack export: give the whole zip or folder"
        case .noHistory(let path): "\(path): contains no known history"
        case .tooManyFiles(let path): "\(path): holds too many files"
        case .unclearDateOrder(let path):
            "\(path): its dates are ambiguous: choose the order of dates (--date-order dmy, mdy or ymd)"
        case .unknownCalendar(let path):
            "\(path): its dates are of a calendar that is not read, or lie in the future: set the phone to the Gregorian "
                + "calendar and export the chat again"
        case .notOneChat(let id):
            "\(id.rawValue): --conversation is for a single WhatsApp chat or Element room only"
        case .unknownTimeZone(let name): "there is no time zone \(name)"
        }
    }
}
