import ChatCore
import Foundation
import LexicalIndex
import Retrieval
import Synchronization
import TestSupport
import TextAnalysis

/// Files of words.
final class LexiconBench: SnapshotBench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID().uuidString)")
    let clock = ManualNow()
    /// How long the present process runs by its own clock.
    private let elapsed = Mutex(Duration.zero)
    private let origin = ContinuousClock.now

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A process: its words, and the store that it reads.
    struct Process: SnapshotProcess {
        let store: WatchedStore
        let lexicon: LiveLexicon
        let searcher: HybridSearcher

        var isLoaded: Bool { lexicon.isLoaded }
        var rowCount: Int { lexicon.messageCount }
        var readCount: Int { store.messagesRead }
        func follow() async throws { try await lexicon.follow() }
        func saveIfDue(atEnd: Bool) async { await lexicon.saveIfDue(atEnd: atEnd) }
        func finish() async { await lexicon.finish() }

        func answers() async throws -> [[String]] {
            var answers: [[String]] = []
            // "berths" is found by its stem only, so the languages must be known.
            for question in ["berths", "the pilot", "word7 word41", "what does the cat do in may?", "bob money"] {
                for sender in [nil, "ada", "robert"] as [UserID?] {
                    let hits = try await found(question, sender: sender)
                    answers.append(hits.map { "\($0.id.rawValue) \($0.score)" })
                }
            }
            return answers + [lexicon.languages.map(\.rawValue)]
        }

        /// A message that was found, with its score.
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

    let moments = (census: WatchedStore.Moment.messageCensus, naming: WatchedStore.Moment.wordNaming)

    func another() -> any SnapshotBench { LexiconBench() }

    func process(over store: any Store, hasFiles: Bool) -> any SnapshotProcess { start(store, hasFiles: hasFiles) }

    func record(of store: InMemoryStore) async throws -> SnapshotRecord? { try await store.wordSnapshot() }

    func setRecord(_ record: SnapshotRecord, of store: InMemoryStore) async throws {
        try await store.setWordSnapshot(record)
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
        let files = SnapshotFiles(folder: (folder ?? self.folder).path, register: watched, makeName: makeName)
        let lexicon = LiveLexicon(
            store: watched, files: hasFiles ? files : nil, policy: policy, fallback: fallback,
            now: { self.origin + self.elapsed.withLock { $0 } }, logger: .silent)
        var settings = RetrievalSettings()
        settings.selection.groupsRepeats = false
        let searcher = HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: .silent), lexicon: lexicon,
            embedders: FakeEmbedderSource(FakeEmbedder()), settings: settings, now: clock.now, logger: .silent)
        return Process(store: watched, lexicon: lexicon, searcher: searcher)
    }

    /// Lets the processes grow older.
    func wait(_ duration: Duration) { elapsed.withLock { $0 += duration } }

    /// A message; each has its own word, `word7` for instance.
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

    /// How many files hold a word, as its hash.
    func count(of word: String) throws -> Int {
        let bytes = withUnsafeBytes(of: TermKey(utf8: word.utf8).rawValue.littleEndian) { Data($0) }
        return try files.count { try Data(contentsOf: $0).range(of: bytes) != nil }
    }
}
