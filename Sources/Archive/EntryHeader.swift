import CArchive
import Glibc

/// What libarchive tells of an entry; valid until the next one is asked for.
struct EntryHeader {
    private let entry: OpaquePointer
    private let format: UnsafePointer<CChar>?

    init(entry: OpaquePointer, format: UnsafePointer<CChar>?) {
        self.entry = entry
        self.format = format
    }

    var isFolder: Bool { archive_entry_filetype(entry) == S_IFDIR }

    /// Its bytes as the archive tells them; what is more than `limit`, or less than none, is not believed.
    func byteCount(limit: Int) -> Int? {
        guard archive_entry_size_is_set(entry) != 0 else { return nil }
        let size = Int(archive_entry_size(entry))
        return (0...limit).contains(size) ? size : nil
    }

    /// Checks that it is a plain file that can be read, and its path.
    func path(limit: Int) throws(SkippedEntry.Reason) -> String {
        let type = archive_entry_filetype(entry)
        guard type != S_IFLNK, archive_entry_hardlink(entry) == nil else { throw .link }
        guard type == S_IFREG else { throw .specialFile }
        guard archive_entry_sparse_count(entry) == 0 else { throw .sparse }
        guard archive_entry_is_data_encrypted(entry) == 0 else { throw .encrypted }
        guard hasKnownCompression else { throw .compression }
        // Not the function for UTF-8, which would take another locale's word for what the bytes are.
        guard let name = UTF8Locale.run({ archive_entry_pathname(entry) }) else { throw .unreadablePath }
        let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
        return try EntryPath.checked(bytes.bindMemory(to: UInt8.self), limit: limit)
    }

    /// The other methods of zip take memory as the archive wants it.
    private var hasKnownCompression: Bool {
        guard let name = format.map({ String(cString: $0) }), name.hasPrefix("ZIP") else { return true }
        return name.hasSuffix("(uncompressed)") || name.hasSuffix("(deflation)")
    }
}
