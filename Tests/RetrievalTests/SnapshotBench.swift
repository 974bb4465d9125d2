import ChatCore
import Foundation
import IndexCore
import Ingest
import Logging
import Retrieval
import TestSupport
import VectorIndex

/// A store, a folder for snapshot files, and processes that come and go over them.
final class SnapshotBench: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "snapshots-\(UUID().uuidString)")
    let clock = ManualNow()
    let embedder = FakeEmbedder()

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A process: its index, and what it reads of the store.
    struct Process {
        let store: WatchedStore
        let index: LiveIndex
        let searcher: HybridSearcher

        func found(_ question: String, sender: UserID? = nil) async throws -> [MessageID] {
            let filter = SearchFilter(senderIDs: sender.map { [$0] })
            return try await searcher.search(
                SearchRequest(
                    question: question, scope: SearchScope(asker: "ada", conversations: .all), filter: filter,
                    limit: 50)
            ).hits.map(\.message.key.messageID)
        }
    }

    /// Starts a process that writes files as soon as anything changed.
    func start(_ store: any Store, embedder: FakeEmbedder? = nil, hasFiles: Bool = true) -> Process {
        let watched = WatchedStore(store)
        var policy = SnapshotPolicy()
        policy.rowMinimum = 1
        policy.changedPart = 0
        policy.changedPartAtEnd = 0
        let snapshots = IndexSnapshots(
            folder: folder.path, register: watched, makeName: { UUID().uuidString.lowercased() }, logger: .silent)
        let index = LiveIndex(
            store: watched, snapshots: hasFiles ? snapshots : nil, policy: policy, logger: .silent)
        var settings = RetrievalSettings()
        settings.lexical.isOn = false
        settings.selection.duplicateOverlap = 2
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

    /// Makes a store with 40 messages, `m0` to `m39`, in four conversations; `m1`, `m5` … are the only ones of a kind.
    func filledStore() async throws -> InMemoryStore {
        let store = InMemoryStore()
        _ = try await store.store(
            (0..<4).map { .sample(ConversationID(rawValue: "c\($0)"), members: ["ada"]) }, source: "test",
            mode: .importing, at: clock.now())
        try await post(0..<40, to: store)
        return store
    }

    /// Posts messages and embeds them.
    func post(_ numbers: Range<Int>, to store: InMemoryStore) async throws {
        let texts = ["the pilot", "a pilot costs money", "my cat", "a berth"]
        let messages = numbers.map { number in
            Message.sample(
                ConversationID(rawValue: "c\(number % 4)"), MessageID(rawValue: "m\(number)"),
                by: number % 2 == 0 ? "ada" : "bob", texts[number % 4], at: number)
        }
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
        try await worker(store).drain { _ in }
    }

    /// The files in the folder, ordered by name.
    var files: [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
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

    /// Changes the only file.
    func change(_ body: (inout Data) throws -> Void) throws {
        guard let file = files.first else { return }
        var content = try Data(contentsOf: file)
        try body(&content)
        // Another file under the same name, as after a copy: who has the old one open keeps it.
        try FileManager.default.removeItem(at: file)
        try content.write(to: file)
    }
}
