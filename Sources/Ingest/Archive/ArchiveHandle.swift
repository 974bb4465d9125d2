import CArchive
import Foundation
import Glibc

/// A reader of libarchive over an input; every code of the library becomes an ``ArchiveError``.
///
/// Its errors name entry 0: the code that counts the entries inserts the number.
final class ArchiveHandle {
    /// The accepted formats.
    enum Format {
        case zip, tar
        /// All bytes as one entry.
        case raw
    }

    let input: any ArchiveInput
    private let archive: OpaquePointer
    private var headerLimit: HeaderLimit
    private var failure: ArchiveError?
    private var entry: OpaquePointer?

    init(_ format: Format, input: any ArchiveInput, limits: ArchiveLimits) throws(ArchiveError) {
        guard let archive = archive_read_new() else { throw .unreadable }
        self.archive = archive
        self.input = input
        headerLimit = HeaderLimit(limits, format: format)
        let code =
            switch format {
            case .zip: archive_read_support_format_zip_seekable(archive)
            case .tar: archive_read_support_format_tar(archive)
            case .raw: archive_read_support_format_raw(archive)
            }
        guard code == ARCHIVE_OK else { throw .unreadable }
        setCallbacks()
        guard archive_read_open1(archive) == ARCHIVE_OK else { throw failure ?? .notAnArchive }
    }

    deinit {
        archive_read_free(archive)
    }

    /// Goes to the next entry, which is valid until the next call; returns nil at the end.
    func next() throws(ArchiveError) -> EntryHeader? {
        // The rest of the previous entry is not part of the header, so it is skipped without the header's limit.
        if entry != nil { try check(archive_read_data_skip(archive)) }
        headerLimit.begin()
        defer { headerLimit.end() }
        let code = UTF8Locale.run {
            // A name that cannot be converted is a lack of memory to the library when the thread met one before.
            errno = 0
            return archive_read_next_header(archive, &entry)
        }
        if let failure { throw failure }
        switch code {
        case ARCHIVE_EOF: return nil
        // A warning is about the name or the sizes: names are checked elsewhere, sizes when all was read.
        case ARCHIVE_OK, ARCHIVE_WARN: break
        // Without a format nothing was recognised.
        default: throw archive_format(archive) == 0 ? .notAnArchive : .damaged(entry: 0)
        }
        return entry.map { EntryHeader(entry: $0, format: archive_format_name(archive)) }
    }

    /// Reads the current entry's next bytes into a buffer; returns how many, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
        try check(Int32(clamping: min(0, count)))
        return count
    }

    private func check(_ code: Int32) throws(ArchiveError) {
        guard code != ARCHIVE_OK || failure != nil else { return }
        throw failure ?? .damaged(entry: 0)
    }
}

// MARK: - What the library calls

extension ArchiveHandle {
    /// The handle outlives the library's reader, which stores a plain pointer to it.
    private func setCallbacks() {
        archive_read_set_callback_data(archive, Unmanaged.passUnretained(self).toOpaque())
        archive_read_set_read_callback(archive) { _, context, start in
            ArchiveHandle.from(context)?.deliver(to: start) ?? Int(ARCHIVE_FATAL)
        }
        archive_read_set_skip_callback(archive) { _, context, count in
            Int64(ArchiveHandle.from(context)?.input.skip(Int(count)) ?? 0)
        }
        guard input.canSeek else { return }
        archive_read_set_seek_callback(archive) { _, context, offset, whence in
            ArchiveHandle.from(context)?.seek(Int(offset), from: whence) ?? Int64(ARCHIVE_FATAL)
        }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> ArchiveHandle? {
        context.map { Unmanaged<ArchiveHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func seek(_ offset: Int, from whence: Int32) -> Int64? {
        headerLimit.seek()
        return input.seek(offset, from: whence).map(Int64.init)
    }

    private func deliver(to start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        do throws(ArchiveError) {
            let bytes = try input.next()
            try headerLimit.take(bytes)
            start?.pointee = bytes.baseAddress
            return bytes.count
        } catch {
            failure = error
            return Int(ARCHIVE_FATAL)
        }
    }
}

/// The header of an entry as libarchive reports it; valid until the next entry is read.
struct EntryHeader {
    private let entry: OpaquePointer
    private let format: UnsafePointer<CChar>?

    init(entry: OpaquePointer, format: UnsafePointer<CChar>?) {
        self.entry = entry
        self.format = format
    }

    var isFolder: Bool { archive_entry_filetype(entry) == S_IFDIR }

    /// The size according to the archive; nil if it is more than `limit` or negative.
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
        // Not the function for UTF-8, because it would use another locale to decode the bytes.
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

/// The locale in which libarchive takes names: it converts names that are known to be UTF-8 to the calling thread's
/// character set, and the process, which sets no locale, would have ASCII.
enum UTF8Locale {
    nonisolated(unsafe) private static let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

    /// Calls the library with that locale on this thread.
    static func run<Value>(_ body: () -> Value) -> Value {
        guard let locale else { return body() }
        let before = uselocale(locale)
        defer { uselocale(before) }
        return body()
    }
}
