import App
import Archive
import Assistant
import ChatCore
import Evaluation
import Foundation
import Histories
import IndexCore
import LexicalIndex
import MessageStore
import Prompting
import Retrieval
import SentenceEncoder
import Telemetry
import Testing
import Transport
import VectorIndex
import WebServer

@Suite struct ErrorTextTests {
    private static let errors: [any Error] = [
        RepositoryError.noSuchConversation("c"),
        RepositoryError.noSuchMessage(MessageKey(conversationID: "c", messageID: "m")),
        RepositoryError.noSuchThread("t"), RepositoryError.noSuchTurn("t"), RepositoryError.extractionUnderWay("c"),
        RepositoryError.conflict("the id is taken"), RepositoryError.invalid(field: "name", reason: "is too long"),
        RepositoryError.storageFull, RepositoryError.storageReadOnly, RepositoryError.storageDamaged,
        RepositoryError.fromTheFuture(found: "99"),
        RepositoryError.unavailable(reason: "SQLITE_CORRUPT"), RetrievalError.noPermittedConversation,
        ModelServiceError.unreachable(reason: "refused"), ModelServiceError.busy(retryAfter: nil),
        ModelServiceError.failed(status: 500), ModelServiceError.unauthorized(status: 401),
        ModelServiceError.quotaExhausted, ModelServiceError.rejected(status: 404, code: "model_not_found"),
        ModelServiceError.tooLong, ModelServiceError.invalidReply(reason: "not JSON"),
        ModelServiceError.incompleteReply, ModelServiceError.misconfigured(reason: "there is no key"),
        ImportFileError.missing(path: "/nonexistent/x"), ImportFileError.unreadable(path: "/nonexistent/x"),
        ImportFileError.unknownFormat(path: "/x"), TransportError.cannotConnect("refused"),
        StoreOpenError.inUse(folder: "/x"), StoreOpenError.notAFolder(path: "/x"),
        StoreOpenError.notPermitted(path: "/x"), StoreOpenError.needsWriting(path: "/x"),
        StoreOpenError.tooOld(found: "9"), BackupError.tooOld(found: "0.0.9"), StoreOpenError.unfinishedMigration,
        StoreOpenError.losesCommits, StoreOpenError.sharedConnections,
        MigrationError.noSource,
        MigrationError.sourceNeedsOpening(folder: "/x"),
        MigrationError.targetNotEmpty(table: "messages"), MigrationError.otherSource, MigrationError.sourceChanged,
        MigrationError.databaseInUse,
        MigrationError.tableDiffers("messages"),
        BackupError.io(operation: "unlink", code: EACCES), BackupError.unsound, ModelFilesError.missing(file: "m"),
        EncoderError.unreadable(file: "m"), PromptError.unreadable(file: "system.md"),
        EvaluationError.unreadable(file: "/x/conversations.jsonl"), ArchiveError.notAnArchive,
        SnapshotError.notASnapshot, VectorIndexError.zeroVector, LexicalIndexError.invalidWeight(name: "k1"),
        DailyTokensUsedUp(retryAfter: 9), TimeLimitExceeded(), POSIXError(.ENOSPC),
    ]

    @Test func everyErrorOfOursDescribesItself() {
        for error in Self.errors {
            let line = ErrorText.line(for: error)
            #expect(!line.contains("internal error") && !line.contains("unexpected"), "\(line)")
            #expect(line.contains(" ") && !line.contains("\n"), "\(type(of: error)): \(line)")
        }
    }

    @Test func filesAreNamedWithWhatIsWrongWithThem() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = #expect(throws: LineFileError.self) { try LineFile(path: "/nonexistent/x.jsonl") }
        #expect(ErrorText.line(for: try #require(file)).contains("/nonexistent/x.jsonl"))
        let pair = #expect(throws: TLSCredentials.UnreadableError.self) {
            try TLSCredentials(certificatePath: "/nonexistent.pem", keyPath: "/nonexistent.key")
        }
        #expect(ErrorText.line(for: try #require(pair)).contains("/nonexistent.pem"))
        do {
            _ = try Data(contentsOf: folder)
            Issue.record("the file is there")
        } catch {
            let line = ErrorText.line(for: error)
            #expect(line.contains(folder.path) && line.contains("does not exist"), "\(line)")
        }
    }

    @Test(arguments: [
        (
            ["serve", "--port", "0", "--set", "trace.file=/nonexistent/x.jsonl"], 64,
            "trace.file: /nonexistent/x.jsonl does not exist"
        ),
        (["serve", "--port", "0", "--set", "auth.jwks=/nonexistent"], 64, "auth.jwks: /nonexistent does not exist"),
        (
            ["serve", "--port", "0", "--set", "http.tls-certificate=/nonexistent.pem", "--set", "http.tls-key=/k.pem"],
            2, "/nonexistent.pem"
        ),
        (["eval", "run", "--dataset", "/nonexistent"], 2, "/nonexistent/"),
        (["search", "x"], 64, "nexus search"), (["search", "--user", "ada", "--top-k", "0", "x"], 64, "nexus search"),
        (["threads", "list", "--user", "ada", "--limit=-1"], 64, "--limit must be 1 or more"),
        (["turns", "list", "--user", "ada", "--limit", "0"], 64, "--limit must be 1 or more"),
        (["import", "/nonexistent/x.jsonl"], 2, "/nonexistent/x.jsonl does not exist"),
    ])
    func theCommandLineSaysWhatIsWrong(arguments: [String], status: Int32, text: String) async throws {
        let run = try await NexusBinary().run(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(text), "\(run.errors)")
        #expect(!run.errors.contains("internal error") && !run.errors.contains("unexpected failure"), "\(run.errors)")
    }

    @Test func aPortInUseIsToldInOneLine() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary)
        let port = try #require(server.url.split(separator: ":").last)
        let other = try await NexusBinary().run(["serve", "--port", String(port), "--log-level", "error"])
        #expect(other.status == 2)
        #expect(other.errors.split(separator: "\n").count == 1, "\(other.errors)")
        #expect(other.errors.contains("in use"), "\(other.errors)")

        let ignored = try await binary.run(["search", "--user", "ada", "x", "--set", "chat.provider=extractive"])
        #expect(ignored.errors.contains("ignored: chat.provider"), "\(ignored.errors)")
        _ = await server.stop()
    }
}
