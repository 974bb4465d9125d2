package import ChatCore

/// The folder of the snapshot files of both indexes, and the register of those that are valid.
///
/// A file is a cache. It is valid only while the store remembers its name, which is new for every file and is also
/// written into the file. So a database that was restored from a backup, or another database, never uses a file with
/// other rows than its own. Files that are not remembered are deleted. The folder may be deleted at any time.
package struct SnapshotFiles: Sendable {
    let folder: String
    let register: any SnapshotRegister
    let makeName: @Sendable () -> String

    /// Names the folder; it is created with the first file.
    ///
    /// - Parameters:
    ///   - folder: A path. Names of other files in it must not begin with `vectors-` or `words-`.
    ///   - register: Remembers which files are valid.
    ///   - makeName: Returns a text that no file had before, of letters, digits and hyphens.
    package init(folder: String, register: any SnapshotRegister, makeName: @escaping @Sendable () -> String) {
        self.folder = folder
        self.register = register
        self.makeName = makeName
    }
}

/// The index that a file belongs to, and how such files are treated.
enum SnapshotKind: String, Sendable {
    case vectors, words

    /// A part of the file's name; files of other versions are deleted without being opened.
    ///
    /// It changes when rows change their meaning, for instance when senders are numbered in another way.
    var version: Int {
        switch self {
        case .vectors: 1
        case .words: WordRows.version
        }
    }

    /// Whether erasing a row deletes the files that may hold it; otherwise the row is overwritten in the file.
    var dropsErased: Bool { self == .words }
}

/// A place of the register, which remembers one file.
enum SnapshotSlot: Hashable, Sendable {
    case vectors(GenerationNumber)
    case words
}

extension SnapshotRegister {
    /// Returns the valid files of a kind.
    func records(of kind: SnapshotKind) async throws -> [SnapshotSlot: SnapshotRecord] {
        var records: [SnapshotSlot: SnapshotRecord] = [:]
        switch kind {
        case .vectors: for (generation, record) in try await snapshots() { records[.vectors(generation)] = record }
        case .words: records[.words] = try await wordSnapshot()
        }
        return records
    }

    /// Replaces the valid file of a slot; nil forgets it.
    ///
    /// - Returns: False if the generation of the slot no longer serves; then nothing is remembered.
    /// - Throws: ``RepositoryError``.
    func setRecord(_ record: SnapshotRecord?, in slot: SnapshotSlot) async throws -> Bool {
        switch slot {
        case .vectors(let generation): return try await setSnapshot(record, of: generation)
        case .words:
            try await setWordSnapshot(record)
            return true
        }
    }
}
