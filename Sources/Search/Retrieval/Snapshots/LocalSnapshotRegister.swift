package import ChatCore
import Foundation
import Glibc
import IndexCore

/// A register of snapshot files for a node that shares its database with others: each node has its own files.
///
/// It is a cache, as the files are: if it is missing or damaged, there are no valid files.
package final class LocalSnapshotRegister: SnapshotRegister {
    private struct Content: Codable {
        struct Entry: Codable {
            let name: String
            let cursor: ChangeCursor
        }

        var words: Entry?
        var vectors: [Int64: Entry] = [:]
    }

    private let path: String
    private let generations: any GenerationRepository
    /// Held while the register is changed.
    private let lock = AsyncLock()

    /// - Parameters:
    ///   - folder: The folder of the files; made with the first entry.
    ///   - generations: Knows which generations have a file.
    package init(folder: String, generations: any GenerationRepository) {
        path = folder + "/register.json"
        self.generations = generations
    }

    package func snapshots() async throws -> [GenerationNumber: SnapshotRecord] {
        let content = read()
        var records: [GenerationNumber: SnapshotRecord] = [:]
        for generation in try await usable() {
            records[generation] = content.vectors[generation.rawValue].map(Self.record)
        }
        return records
    }

    package func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool {
        let usable = try await usable()
        try await change { content in
            content.vectors = content.vectors.filter { usable.contains(GenerationNumber(rawValue: $0.key)) }
            content.vectors[generation.rawValue] = usable.contains(generation) ? record.map(Self.entry) : nil
        }
        return usable.contains(generation)
    }

    package func wordSnapshot() async throws -> SnapshotRecord? { read().words.map(Self.record) }

    package func setWordSnapshot(_ record: SnapshotRecord?) async throws {
        try await change { $0.words = record.map(Self.entry) }
    }

    /// The generations that have a file.
    private func usable() async throws -> Set<GenerationNumber> {
        let generations = try await generations.generations()
        return Set(generations.filter { $0.state == .serving || $0.state == .filling }.map(\.number))
    }

    private func change(_ body: @escaping @Sendable (inout Content) -> Void) async throws {
        try await lock.run {
            var content = read()
            body(&content)
            do {
                try write(JSONEncoder().encode(content))
            } catch {
                throw RepositoryError.unavailable(reason: "the register of index files cannot be written")
            }
        }
    }

    private func read() -> Content {
        guard let data = FileManager.default.contents(atPath: path) else { return Content() }
        return (try? JSONDecoder().decode(Content.self, from: data)) ?? Content()
    }

    private func write(_ data: Data) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try replaceFile(at: path) { (descriptor) throws(SnapshotError) in
            defer { close(descriptor) }
            let bytes = [UInt8](data)
            var failure: SnapshotError?
            bytes.withUnsafeBytes { buffer in
                do throws(SnapshotError) { try writeFully(buffer, at: 0, to: descriptor) } catch { failure = error }
            }
            if let failure { throw failure }
            guard fsync(descriptor) == 0 else { throw .io(operation: "fsync", code: errno) }
        }
    }

    private static func record(_ entry: Content.Entry) -> SnapshotRecord {
        SnapshotRecord(name: entry.name, cursor: entry.cursor)
    }

    private static func entry(_ record: SnapshotRecord) -> Content.Entry {
        Content.Entry(name: record.name, cursor: record.cursor)
    }
}
