import ChatCore
import Foundation
import LexicalIndex
import Retrieval
import Synchronization
import TestSupport
import TextAnalysis

/// A store, a folder for files of words, and processes that come and go over them.
final class LexiconBench: Sendable {
    let folder = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)")
    let clock = ManualNow()
    /// How long the present process runs by its own clock.
    private let elapsed = Mutex(Duration.zero)
    private let start = ContinuousClock.now

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A process: its words, and what it reads of the store.
    struct Process {
        let store: WatchedStore
        let lexicon: LiveLexicon
        let searcher: HybridSearcher

        /// What is found, with its score.
        struct Found: Hashable {
            let id: MessageID
            let score: Double
        }

        func found(_ question: String, sender: UserID? = nil) async throws -> [Found] {
            let filter = SearchFilter(senderIDs: sender.map { [$0] })
            return try await searcher.search(
                SearchRequest(
                    question: question, scope: SearchScope(asker: "ada", conversations: .all), filter: filter,
                    limit: 50)
            ).hits.map { Found(id: $0.message.key.messageID, score: $0.score) }
        }
    }

    /// Starts a process that writes files as soon as anything changed, and nothing was erased for 30 seconds.
    func start(
        _ store: any Store, in folder: URL? = nil, fallback: TextLanguage = .english, hasFiles: Bool = true,
        changedPart: Double = 0,
        makeName: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) -> Process {
        let watched = WatchedStore(store)
        var policy = SnapshotPolicy()
        (policy.rowMinimum, policy.changedPart, policy.changedPartAtEnd) = (1, changedPart, 0)
        let files = LexiconFiles(folder: (folder ?? self.folder).path, register: watched, makeName: makeName)
        let lexicon = LiveLexicon(
            store: watched, files: hasFiles ? files : nil, policy: policy, fallback: fallback,
            now: { self.start + self.elapsed.withLock { $0 } }, logger: .silent)
        var settings = RetrievalSettings()
        settings.selection.duplicateOverlap = 2
        let searcher = HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: .silent), lexicon: lexicon,
            embedders: FakeEmbedderSource(FakeEmbedder()), settings: settings, now: clock.now, logger: .silent)
        return Process(store: watched, lexicon: lexicon, searcher: searcher)
    }

    /// Lets the processes grow older.
    func wait(_ duration: Duration) { elapsed.withLock { $0 += duration } }

    /// Makes a store with 40 messages, `m0` to `m39`, in four conversations.
    func filledStore(_ count: Int = 40) async throws -> InMemoryStore {
        let store = InMemoryStore()
        _ = try await store.store(
            (0..<4).map { .sample(ConversationID(rawValue: "c\($0)"), members: ["ada"]) }, source: "test",
            mode: .importing, at: clock.now())
        try await post(0..<count, to: store)
        return store
    }

    /// The key of a message.
    func key(_ number: Int) -> MessageKey {
        .of(ConversationID(rawValue: "c\(number % 4)"), MessageID(rawValue: "m\(number)"))
    }

    /// A message; each has a word of its own, `word7` for instance.
    func message(_ number: Int, reactions: [Message.Reaction] = []) -> Message {
        // Every eighth is German.
        let texts = ["the pilot asks?", "a pilot costs money", "my cat sleeps", "a berth for two"]
        var message = Message.sample(
            key(number).conversationID, key(number).messageID, by: number % 2 == 0 ? "ada" : "bob",
            "\(number % 8 == 6 ? "die Katze ist nicht auf dem Boot" : texts[number % 4]) word\(number)", at: number)
        message.reactions = reactions
        return message
    }

    /// Posts messages.
    func post(_ numbers: Range<Int>, to store: InMemoryStore) async throws {
        _ = try await store.accept(
            numbers.map { message($0) }, source: "test", mode: .importing, at: clock.now())
    }

    func delete(_ number: Int, from store: InMemoryStore) async throws {
        try await store.delete(key(number), at: clock.now())
    }

    /// The files in the folder, ordered by name.
    var files: [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }

    /// How many files hold a word, as its hash.
    func count(of word: String) throws -> Int {
        let bytes = withUnsafeBytes(of: TermKey(utf8: word.utf8).rawValue.littleEndian) { Data($0) }
        return try files.count { try Data(contentsOf: $0).range(of: bytes) != nil }
    }

    /// Changes the only file.
    func change(_ body: (inout Data) throws -> Void) throws {
        guard let file = files.first else { return }
        var content = try Data(contentsOf: file)
        try body(&content)
        try content.write(to: file)
    }
}
