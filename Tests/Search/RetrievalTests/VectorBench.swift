import ChatCore
import Foundation
import IndexCore
import Ingest
import Logging
import Retrieval
import TestSupport
import VectorIndex

/// Files of vectors.
final class VectorBench: SnapshotBench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "snapshots-\(UUID().uuidString)")
    let clock = ManualNow()
    let embedder = FakeEmbedder()

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A process: its index, and the store that it reads.
    struct Process: SnapshotProcess {
        let store: WatchedStore
        let index: LiveIndex
        let searcher: HybridSearcher

        var isLoaded: Bool { index.isLoaded }
        var rowCount: Int { index.passageCount }
        var readCount: Int { store.passagesRead }
        func follow() async throws { try await index.follow() }
        func saveIfDue(atEnd: Bool) async { await index.saveIfDue(atEnd: atEnd) }
        func scrub() async { await index.scrub() }
        func finish() async { await index.finish() }

        func answers() async throws -> [[String]] {
            var answers: [[String]] = []
            for question in ["the pilot", "a pilot costs money", "my cat", "a berth"] {
                for sender in [nil, "ada", "bob", "robert"] as [UserID?] {
                    answers.append(try await found(question, sender: sender).map(\.rawValue))
                }
            }
            return answers
        }

        func found(_ question: String, sender: UserID? = nil) async throws -> [MessageID] {
            let filter = SearchFilter(senderIDs: sender.map { [$0] })
            return try await searcher.search(
                SearchRequest(
                    question: question, scope: SearchScope(asker: "ada", conversations: .all), filter: filter,
                    limit: 50)
            ).hits.map(\.message.key.messageID)
        }
    }

    let moments = (census: WatchedStore.Moment.census, naming: WatchedStore.Moment.naming)

    func another() -> any SnapshotBench { VectorBench() }

    func process(over store: any Store, hasFiles: Bool) -> any SnapshotProcess { start(store, hasFiles: hasFiles) }

    func record(of store: InMemoryStore) async throws -> SnapshotRecord? { try await store.snapshots().values.first }

    func setRecord(_ record: SnapshotRecord, of store: InMemoryStore) async throws {
        _ = try await store.setSnapshot(record, of: GenerationNumber(rawValue: 1))
    }

    /// Starts a process that writes files as soon as anything changed.
    func start(_ store: any Store, embedder: FakeEmbedder? = nil, hasFiles: Bool = true) -> Process {
        let watched = WatchedStore(store)
        var policy = SnapshotPolicy()
        policy.rowMinimum = 1
        policy.changedPart = 0
        policy.changedPartAtEnd = 0
        let files = SnapshotFiles(
            folder: folder.path, register: watched, makeName: { UUID().uuidString.lowercased() })
        let index = LiveIndex(store: watched, files: hasFiles ? files : nil, policy: policy, logger: .silent)
        var settings = RetrievalSettings()
        settings.lexical.isOn = false
        settings.selection.groupsRepeats = false
        let searcher = HybridSearcher(
            store: store, index: index, lexicon: LiveLexicon(store: watched, logger: .silent),
            embedders: FakeEmbedderSource(embedder ?? self.embedder, others: ["fake": self.embedder]),
            settings: settings, now: clock.now, logger: .silent)
        return Process(store: watched, index: index, searcher: searcher)
    }

    func worker(_ store: InMemoryStore, embedder: FakeEmbedder? = nil) -> IngestWorker {
        IngestWorker(
            store: store,
            embedders: FakeEmbedderSource(embedder ?? self.embedder, others: ["fake": self.embedder]), now: clock.now,
            logger: .silent)
    }

    /// Posts messages of four kinds, and embeds them.
    func post(_ numbers: Range<Int>, to store: InMemoryStore) async throws {
        let texts = ["the pilot", "a pilot costs money", "my cat", "a berth"]
        let messages = numbers.map { number in
            Message.sample(
                key(number).conversationID, key(number).messageID,
                by: number % 2 == 0 ? "ada" : "bob", texts[number % 4], at: number)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
        try await worker(store).drain { _ in }
    }

    /// The rows of the only file as bytes, by passage.
    func bytes(of passage: Int64) throws -> Data? {
        guard let file = files.first else { return nil }
        let opened = try CosineIndex.open(
            snapshotAt: file.path, identity: file.lastPathComponent, dimensions: 5, threadCount: 1)
        return opened.vector(of: RowKey(rawValue: passage)).map { row in row.withUnsafeBytes { Data($0) } }
    }

    /// How often bytes stand in the only file.
    func count(of bytes: Data) throws -> Int {
        guard let file = files.first else { return 0 }
        let content = try Data(contentsOf: file)
        var count = 0
        var rest = content[...]
        while let range = rest.range(of: bytes) {
            count += 1
            rest = content[range.upperBound...]
        }
        return count
    }
}
