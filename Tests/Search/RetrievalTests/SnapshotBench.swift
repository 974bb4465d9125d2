import ChatCore
import Foundation
import TestSupport
import Testing

/// The two indexes that keep their rows in files between starts.
enum FileKind: CaseIterable, Sendable {
    case vectors, words

    /// Begins the names of its files.
    var prefix: String { self == .vectors ? "vectors-1-" : "words-2-" }
}

/// A process with an index that has files.
protocol SnapshotProcess: Sendable {
    var store: WatchedStore { get }
    var isLoaded: Bool { get }
    /// Rows of the index.
    var rowCount: Int { get }
    /// Rows that were read from the store.
    var readCount: Int { get }
    func follow() async throws
    func saveIfDue(atEnd: Bool) async
    /// Erases from the file what was removed.
    func scrub() async
    func finish() async
    /// Everything that is found for some questions and senders.
    func answers() async throws -> [[String]]
}

extension SnapshotProcess {
    func saveIfDue() async { await saveIfDue(atEnd: false) }
    func scrub() async {}
}

/// A folder for the files of one index, and processes that come and go over stores.
protocol SnapshotBench: AnyObject, Sendable {
    var folder: URL { get }
    var clock: ManualNow { get }
    /// A bench of the same kind with another folder.
    func another() -> any SnapshotBench
    /// Starts a process that writes files as soon as anything changed.
    func process(over store: any Store, hasFiles: Bool) -> any SnapshotProcess
    /// Posts messages, and makes them ready to be found.
    func post(_ numbers: Range<Int>, to store: InMemoryStore) async throws
    /// Lets the processes grow older.
    func wait(_ duration: Duration)
    /// The file that a store remembers.
    func record(of store: InMemoryStore) async throws -> SnapshotRecord?
    func setRecord(_ record: SnapshotRecord, of store: InMemoryStore) async throws
    /// The moments before the store counts rows, and before it remembers a name.
    var moments: (census: WatchedStore.Moment, naming: WatchedStore.Moment) { get }
}

extension SnapshotBench {
    func process(over store: any Store) -> any SnapshotProcess { process(over: store, hasFiles: true) }

    func wait(_ duration: Duration) {}

    /// Makes a store with messages, `m0`, `m1` and so on, in four conversations.
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

    func delete(_ number: Int, from store: InMemoryStore) async throws {
        try await store.delete(key(number), at: clock.now())
    }

    /// The files in the folder, ordered by name.
    var files: [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }

    /// Changes the only file.
    func change(_ body: (inout Data) throws -> Void) throws {
        guard let file = files.first else { return }
        var content = try Data(contentsOf: file)
        try body(&content)
        // Another file under the same name, as after a copy: a process that has the old one open keeps it.
        try FileManager.default.removeItem(at: file)
        try content.write(to: file)
    }

    /// Lets a process write its first file.
    func writeFile(_ process: some SnapshotProcess, of store: InMemoryStore) async throws {
        try await process.follow()
        await process.saveIfDue()
        try #require(files.count == 1)
        try #require(try await record(of: store)?.name == files[0].lastPathComponent)
    }

    /// Compares a process with one that reads everything from the same store.
    func requireSameAnswers(
        _ process: some SnapshotProcess, location: SourceLocation = #_sourceLocation
    ) async throws {
        let plain = self.process(over: process.store.base, hasFiles: false)
        let found = try await process.answers()
        let wanted = try await plain.answers()
        try #require(found == wanted, sourceLocation: location)
        #expect(process.rowCount == plain.rowCount, sourceLocation: location)
    }
}
