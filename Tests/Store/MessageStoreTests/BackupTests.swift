import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

@Suite struct BackupTests {
    private struct Interruption: Error {}

    /// Stores a few messages, one of them embedded, and a turn.
    private func fill(_ store: SQLStore) async throws {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let generation = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0)).number
        _ = try await store.accept(
            [.short("c", "1", "a berth by the pier"), .short("c", "2", at: 2)], source: "api", mode: .posting,
            at: .second(1))
        let items = try await store.claim(1, for: generation, until: .second(60), at: .second(2))
        _ = try await store.commit(items.map { .of($0) }, at: .second(3))
        _ = try await store.setSnapshot(.named("vectors-1-x"), of: generation)
        try await store.record(
            Turn(
                id: "t", askerID: "ada", question: "q", answer: "a", sourceKeys: [.of("c", "1")],
                askedAt: .second(7)))
    }

    /// Runs a body with a filled store and the folder of a backup of it.
    private func withBackup(_ body: (DataFolder, SQLStore, DataFolder, BackupManifest) async throws -> Void)
        async throws
    {
        try await DataFolder.with { folder, store in
            try await fill(store)
            let backup = DataFolder()
            defer { backup.remove() }
            let manifest = try await store.backup(to: backup.url, program: "7", at: .second(9))
            try await body(folder, store, backup, manifest)
        }
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    private func names(_ folder: DataFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test func aBackupSaysWhatItHoldsAndIsItsOwnersOnly() async throws {
        try await withBackup { _, store, backup, manifest in
            let change = try await store.latestChange().count
            #expect(try names(backup) == ["manifest.json", "nexus.sqlite"])
            #expect(try mode(backup.url) == 0o700)
            #expect(try mode(backup.database) == 0o600)
            #expect(try mode(backup.url.appending(path: "manifest.json")) == 0o600)
            #expect(
                manifest.counts
                    == BackupManifest.Counts(conversations: 1, messages: 2, vectors: 1, queued: 1, turns: 1))
            #expect(manifest.schemaVersion == 31)
            #expect(manifest.change == change)
            #expect(manifest.madeAt == "2025-06-15T15:06:49.000Z")
            #expect(try BackupRestore.manifest(of: backup.url) == manifest)
            #expect(manifest.sha256.count == 64)
        }
    }

    @Test func whatIsRestoredIsWhatWasBackedUp() async throws {
        try await withBackup { _, store, backup, manifest in
            let before = try await Picture(of: store)
            try await store.delete(.of("c", "1"), at: .second(20))
            let target = DataFolder()
            defer { target.remove() }

            #expect(try BackupRestore.run(from: backup.url, to: target.url, replacing: false) == manifest)

            let restored = try await target.open()
            let after = try await Picture(of: restored)
            let names = try await restored.snapshots()
            let cursor = try await restored.latestChange()
            await restored.close()
            #expect(after == before)
            #expect(names.isEmpty)
            // What a client knows of the old log says nothing about the restored one.
            #expect(try await cursor.epoch != store.latestChange().epoch)
            #expect(try mode(target.database) == 0o600)
        }
    }

    @Test func nothingIsOverwritten() async throws {
        try await withBackup { folder, store, backup, _ in
            await #expect(throws: BackupError.alreadyThere(path: backup.url.path)) {
                try await store.backup(to: backup.url, program: "7", at: .second(9))
            }
            let inside = folder.url.appending(path: "copy")
            await #expect(throws: BackupError.insideDataFolder(path: inside.path)) {
                try await store.backup(to: inside, program: "7", at: .second(9))
            }
            let target = DataFolder()
            defer { target.remove() }
            try await DataFolder.with { other, otherStore in
                #expect(throws: StoreOpenError.inUse(folder: other.url.path)) {
                    try BackupRestore.run(from: backup.url, to: other.url, replacing: true)
                }
                await otherStore.close()
                #expect(throws: BackupError.folderNotEmpty(path: other.url.path)) {
                    try BackupRestore.run(from: backup.url, to: other.url, replacing: false)
                }
                _ = try BackupRestore.run(from: backup.url, to: other.url, replacing: true)
                let restored = try await other.open()
                #expect(try await Picture(of: restored) == Picture(of: store))
                await restored.close()
            }
        }
    }

    @Test func aDamagedBackupLeavesTheFolderAsItWas() async throws {
        try await withBackup { _, _, backup, manifest in
            let target = DataFolder()
            defer { target.remove() }
            func demand(_ error: BackupError) {
                #expect(throws: error) { try BackupRestore.run(from: backup.url, to: target.url, replacing: true) }
                #expect((try? names(target)) == ["lock"])
            }
            var bytes = try Data(contentsOf: backup.database)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: backup.database)
            demand(.notAsMade(field: "sha256"))
            try bytes.dropLast(1).write(to: backup.database)
            demand(.notAsMade(field: "byteCount"))
            #expect(manifest.byteCount == bytes.count)
            try Data("{}".utf8).write(to: backup.url.appending(path: "manifest.json"))
            demand(.noBackup(path: backup.url.path))
        }
    }

    @Test func aManifestOfAnotherDatabaseIsNoticed() async throws {
        try await withBackup { _, _, backup, manifest in
            let target = DataFolder()
            defer { target.remove() }
            var other = manifest
            other.counts.messages += 1
            try JSONEncoder().encode(other).write(to: backup.url.appending(path: "manifest.json"))
            #expect(throws: BackupError.notAsMade(field: "counts")) {
                try BackupRestore.run(from: backup.url, to: target.url, replacing: false)
            }
            other.schemaVersion = 99
            try JSONEncoder().encode(other).write(to: backup.url.appending(path: "manifest.json"))
            #expect(throws: BackupError.fromTheFuture(found: "7")) {
                try BackupRestore.run(from: backup.url, to: target.url, replacing: false)
            }
            other.schemaVersion = 14
            try JSONEncoder().encode(other).write(to: backup.url.appending(path: "manifest.json"))
            #expect(throws: BackupError.tooOld(found: "7")) {
                try BackupRestore.run(from: backup.url, to: target.url, replacing: false)
            }
        }
    }

    @Test func aRestoreThatBreaksOffIsAsBeforeOrIsCompleted() async throws {
        try await withBackup { folder, store, backup, _ in
            let backedUp = try await Picture(of: store)
            try await store.delete(.of("c", "1"), at: .second(20))
            let present = try await Picture(of: store)
            // A crash: the log still holds what was written last.
            let crashed = try folder.copied()
            defer { crashed.remove() }
            try Data("half".utf8).write(to: crashed.url.appending(path: "nexus.sqlite.restoring"))

            let before = try await crashed.open()
            #expect(try await Picture(of: before) == present)
            await before.close()
            #expect(try names(crashed).filter { $0.contains("restor") }.isEmpty)

            let late = try folder.copied()
            defer { late.remove() }
            #expect(throws: Interruption.self) {
                try BackupRestore.run(from: backup.url, to: late.url, replacing: true) { throw Interruption() }
            }
            let after = try await late.open()
            #expect(try await Picture(of: after) == backedUp)
            #expect(try await after.checkIntegrity().isSound)
            await after.close()
        }
    }
}
