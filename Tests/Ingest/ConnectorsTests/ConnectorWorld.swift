import ChatCore
import Connectors
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

/// A store, a server of another chat with one room, and the connector between them: what the contract of connectors
/// needs of each.
protocol ConnectorWorld: AnyObject, SendableMetatype {
    /// People, in the words of the source.
    static var ada: String { get }
    static var bob: String { get }
    static var eve: String { get }
    static var source: String { get }
    /// The room, and its conversation.
    static var room: String { get }
    static var conversation: ConversationID { get }

    var store: SQLStore { get }
    var clock: ManualNow { get }
    var connected: any Connector { get }
    /// The number of what the source has to be counted in the room.
    var sourceCount: Int { get }

    init(_ store: SQLStore) throws

    /// Makes the room of Ada and Bob.
    func makeRoom()
    /// Brings Nexus into the room, and reads what there is.
    func connect() async throws
    /// Lets the server deliver what happened, and the connector read what it then has to read.
    func deliver() async throws
    /// Compares and reads everything as after the longest pause.
    func compare() async throws
    /// Forgets everything that is not in the store, as a process that was killed does.
    func restart() throws
    /// Lets everything that the server would still deliver be lost, where servers do not keep it.
    func loseDeliveries()

    @discardableResult
    func say(_ text: String, by person: String, inThreadOf root: String?) -> String
    func edit(_ id: String, _ text: String, by person: String)
    func delete(_ id: String, by person: String)
    func react(to id: String, by person: String)
    func join(_ person: String)
    func leave(_ person: String)

    /// Somebody sends a file with a text.
    func send(_ file: SentFile, _ text: String, by person: String) -> String
    /// Somebody's message gets another file, or another text beside it.
    func replaceFile(of id: String, with file: SentFile, _ text: String, by person: String)
    /// The source loses a file, but not the message that has it.
    func loseFile(_ name: String)
    /// Lets the next request for a file fail.
    func failFile(_ fault: FileFault)
    /// Lets Nexus leave the room.
    func removeNexus()
    /// How often the connector asked for files.
    var fileRequestCount: Int { get }

    /// Answers the next request for history with a limit.
    func limit(seconds: Int)
    /// Lets one page of history arrive, and the next request fail.
    func failAfterOnePage()
    /// Refuses all requests from now on.
    func goAway()
    func comeBack()

    /// Answers the next request that sends an answer, or the next one that removes one, with a failure.
    func failSending()
    func failRemoving()
    /// Takes the next answer that is sent, and loses the reply.
    func loseSending()

    /// The texts of the answers that the room shows, with their ids and the first messages of their threads.
    func shownAnswers() -> [(id: String, text: String, root: String?)]
    /// All that Nexus wrote in the room and the server still has: also what a message said before an edit.
    func keptAnswers() -> [String]
}

/// A file that somebody sends.
struct SentFile {
    var name = "plan.txt"
    var content = Data("The marigold is behind the pillar.".utf8)
    /// What the source says of its size; nil for the truth.
    var claimedByteCount: Int?
}

/// What a request for a file gets instead of it.
enum FileFault {
    case status(Int)
    case limited(seconds: Int)
    /// Half of it, and then the end of the connection.
    case breaks
}

extension ConnectorWorld {
    /// Fetches files as a process does that has just begun.
    @discardableResult
    func fetchFiles(_ limits: FileLimits = FileLimits()) async throws -> Duration? {
        clock.advance(by: .milliseconds(10))
        let service = ConnectorFileService(
            connector: connected, store: store, limits: limits, makeID: { UUID().uuidString.lowercased() },
            now: clock.now, logger: .silent)
        return try await service.advance()
    }

    /// The attachments that a person sees, of all messages, oldest first.
    func files(for person: String) async throws -> [Message.Attachment] {
        try await messages(for: person)?.flatMap(\.attachments) ?? []
    }

    /// The bytes of a file, as a person gets them.
    func bytes(of id: FileID, for person: String) async throws -> Data {
        let found = try await store.file(id, for: Self.user(person), at: clock.now())
        return Data(try await found.content.bytes(from: 0, count: 1 << 20))
    }

    /// Runs a body with an empty store.
    static func with(inPostgres: Bool = false, _ body: (Self) async throws -> Void) async throws {
        if inPostgres {
            try await PostgresServer.shared().withStore { store, _ in try await body(try Self(store)) }
            return
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(source)-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await body(try Self(store))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    @discardableResult
    func say(_ text: String, by person: String) -> String { say(text, by: person, inThreadOf: nil) }

    /// An answer of the assistant that cites one message of the conversation.
    func answer(_ text: String, to question: String, citing source: String) -> Message {
        Message(
            key: MessageKey(conversationID: Self.conversation, messageID: "nexus-1"), senderID: "nexus",
            senderName: "Nexus", text: text, kind: .assistant, timestamp: clock.now(),
            replyToID: MessageID(rawValue: question), threadRootID: MessageID(rawValue: question),
            extra: """
                {"nexus":{"notices":[],"question":"q","sources":[{"conversationId":"\(Self.conversation)",\
                "conversationName":"Plans","isElsewhere":false,"messageId":"\(source)","number":1,\
                "senderName":"Ada","timestamp":"2025-10-09T00:00:00Z"}]}}
                """)
    }

    /// The user in Nexus of a person.
    static func user(_ person: String) -> UserID { UserID(rawValue: "\(source)-\(person)") }

    /// The texts that a person reads in the conversation, oldest first; nil if the person does not see it.
    func texts(for person: String) async throws -> [String]? { try await messages(for: person)?.map(\.text) }

    func messages(for person: String) async throws -> [Message]? {
        do {
            return try await store.page(
                of: Self.conversation, asker: Self.user(person), before: nil, limit: 1_000, at: clock.now()
            ).reversed()
        } catch RepositoryError.noSuchConversation {
            return nil
        }
    }

    /// The number of events of the room by effect or reason.
    func counts() async throws -> [ConnectorEvent.Kind: Int] {
        try await store.connectorCounts(of: Self.source).filter { $0.room == Self.room }
            .reduce(into: [:]) { $0[$1.kind] = $1.count }
    }
}
