import ChatCore
import Foundation
import MessageStore
import SQLiteStore

/// A data folder that is removed at the end.
struct DataFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")

    var database: URL { url.appending(path: "nexus.sqlite") }

    func open(_ options: StoreOptions = StoreOptions()) async throws -> SQLStore {
        try await SQLStore.open(folder: url, options: options)
    }

    /// Copies the folder as it is, without telling the store: what a crash would leave.
    func copied() throws -> DataFolder {
        let copy = DataFolder()
        try FileManager.default.copyItem(at: url, to: copy.url)
        return copy
    }

    /// Returns whether the bytes of a text lie in any file of the folder.
    func holds(_ text: String) throws -> Bool {
        let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return try files.contains { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Runs a body on a new folder with an open store; closes and removes both.
    static func with(
        _ options: StoreOptions = StoreOptions(), _ body: (DataFolder, SQLStore) async throws -> Void
    ) async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let store = try await folder.open(options)
        do {
            try await body(folder, store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}
