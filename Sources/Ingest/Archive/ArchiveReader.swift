package import Foundation

/// Reads a zip, a tar, or a tar or single file in gzip, entry by entry and in chunks; nothing is written, and little is
/// kept in memory.
///
/// Archives are not trusted: see ``ArchiveLimits`` for limits that cause errors, and ``SkippedEntry`` for entries that
/// are skipped. In a zip the directory at the end of the file decides, and of several entries with one path the first
/// counts. Checksums are those of zip and gzip: a tar has none for its content. The checksum of gzip is compared with
/// the last bytes of a single file, and when there is no next entry.
/// After an error nothing more can be read: the same error is thrown again.
package struct ArchiveReader: ~Copyable {
    private static let chunkByteCount = 64 << 10

    /// The first skipped entries, at most ``ArchiveLimits/skippedEntryCount``.
    package private(set) var skipped: [SkippedEntry] = []
    /// How many entries were passed over.
    package private(set) var skippedCount = 0

    private let limits: ArchiveLimits
    private let handle: ArchiveHandle
    private let fileByteCount: Int
    /// The path of a single file in gzip: the archive's name without its ending.
    private let singlePath: String?
    private var entryNumber = 0
    /// Hashes of the paths so far; two that collide by chance are not to be expected among 2^64.
    private var paths: Set<Int> = []
    private var failure: ArchiveError?
    private var isInEntry = false
    private var entryByteCount = 0
    private var totalByteCount = 0
    /// The bytes of the file that were read before the current entry.
    private var fileReadByteCount = 0

    /// Opens an archive.
    ///
    /// - Parameters:
    ///   - file: A regular file.
    ///   - limits: The limits of the archive.
    /// - Throws: ``ArchiveError/unreadable``, ``ArchiveError/notAnArchive``.
    package init(_ file: URL, limits: ArchiveLimits = .standard) throws(ArchiveError) {
        let input = try FileInput(file)
        let (handle, format) = try Self.open(input, limits: limits)
        self.limits = limits
        self.handle = handle
        singlePath = format == .raw ? file.deletingPathExtension().lastPathComponent : nil
        fileByteCount = input.byteCount
    }

    private static func open(
        _ input: FileInput, limits: ArchiveLimits
    ) throws(ArchiveError) -> (ArchiveHandle, ArchiveHandle.Format) {
        switch try input.firstBytes(2) {
        case [0x1F, 0x8B]:
            let gzip = try GzipInput(input, limits: limits)
            let format = try Self.format(of: gzip)
            return (try ArchiveHandle(format, input: gzip, limits: limits), format)
        case [0x50, 0x4B]: return (try ArchiveHandle(.zip, input: input, limits: limits), .zip)
        default: return (try ArchiveHandle(.tar, input: input, limits: limits), .tar)
        }
    }

    private static func format(of gzip: GzipInput) throws(ArchiveError) -> ArchiveHandle.Format {
        do throws(ArchiveError) {
            return try gzip.isTar() ? .tar : .raw
        } catch {
            throw error.at(1)
        }
    }

    /// Moves to the next regular file; unread content of the previous one is skipped.
    ///
    /// - Returns: The entry, or nil at the archive's end.
    /// - Throws: ``ArchiveError``.
    package mutating func next() throws(ArchiveError) -> ArchiveEntry? {
        if let failure { throw failure }
        do throws(ArchiveError) {
            return try advance()
        } catch {
            throw failed(error)
        }
    }

    /// Reads on in the current entry.
    ///
    /// - Returns: The next bytes, at most 64 KiB, or nil at the entry's end and when there is no entry.
    /// - Throws: ``ArchiveError``; that the checksum is wrong shows with the last bytes.
    package mutating func read() throws(ArchiveError) -> [UInt8]? {
        if let failure { throw failure }
        guard isInEntry else { return nil }
        do throws(ArchiveError) {
            let chunk = try readChunk()
            if chunk.isEmpty { isInEntry = false }
            return chunk.isEmpty ? nil : chunk
        } catch {
            throw failed(error)
        }
    }

    private mutating func failed(_ error: ArchiveError) -> ArchiveError {
        let numbered = error.at(entryNumber)
        failure = numbered
        return numbered
    }
}

extension ArchiveReader {
    private mutating func advance() throws(ArchiveError) -> ArchiveEntry? {
        isInEntry = false
        while true {
            entryNumber += 1
            guard let header = try handle.next() else {
                try handle.input.finish()
                return nil
            }
            guard entryNumber <= limits.entryCount else { throw .tooManyEntries(limit: limits.entryCount) }
            if header.isFolder { continue }
            do throws(SkippedEntry.Reason) {
                let path = if let singlePath { singlePath } else { try header.path(limit: limits.pathByteCount) }
                guard paths.insert(path.hashValue).inserted else { throw .duplicatePath }
                begin()
                return ArchiveEntry(
                    number: entryNumber, path: path, byteCount: header.byteCount(limit: limits.entryByteCount))
            } catch {
                skip(error)
            }
        }
    }

    private mutating func begin() {
        isInEntry = true
        entryByteCount = 0
        // A block that was read with the header may contain the entry's bytes.
        fileReadByteCount = handle.input.fileReadByteCount - FileInput.blockByteCount
    }

    private mutating func skip(_ reason: SkippedEntry.Reason) {
        skippedCount += 1
        if skipped.count < limits.skippedEntryCount {
            skipped.append(SkippedEntry(number: entryNumber, reason: reason))
        }
    }

    private mutating func readChunk() throws(ArchiveError) -> [UInt8] {
        var failure: ArchiveError?
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkByteCount) { buffer, count in
            do throws(ArchiveError) {
                count = try handle.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        entryByteCount += chunk.count
        totalByteCount += chunk.count
        guard entryByteCount <= limits.entryByteCount else {
            throw .entryTooLarge(entry: entryNumber, limit: limits.entryByteCount)
        }
        guard totalByteCount <= limits.totalByteCount else { throw .archiveTooLarge(limit: limits.totalByteCount) }
        try limits.check(entryByteCount, outOf: handle.input.fileReadByteCount - fileReadByteCount)
        try limits.check(totalByteCount, outOf: fileByteCount)
        return chunk
    }
}

extension ArchiveError {
    /// The same error with an entry's number in it.
    func at(_ entry: Int) -> ArchiveError {
        switch self {
        case .damaged: .damaged(entry: entry)
        case .headerTooLong(_, let limit): .headerTooLong(entry: entry, limit: limit)
        case .entryTooLarge(_, let limit): .entryTooLarge(entry: entry, limit: limit)
        case .ratioTooHigh(_, let limit): .ratioTooHigh(entry: entry, limit: limit)
        case .unreadable, .notAnArchive, .tooManyEntries, .archiveTooLarge: self
        }
    }
}

/// The limits of an archive.
package struct ArchiveLimits: Hashable, Sendable {
    /// The most entries, folders and those that are passed over included.
    package var entryCount = 500_000
    /// The most bytes that are read out of all entries together.
    package var totalByteCount = 64 << 30
    /// The most bytes that are read out of one entry.
    package var entryByteCount = 16 << 30
    /// The most bytes that one byte of the file may unpack to, over one entry and over the whole.
    ///
    /// Chats as JSON stay below 50; deflate ends at about 1,030.
    package var ratio = 200
    /// How many bytes may be unpacked before the ratio is checked, because a few bytes are not significant.
    package var ratioFreeByteCount = 16 << 20
    /// The longest path in bytes; an entry with a longer one is passed over.
    package var pathByteCount = 1_024
    /// The most bytes of the description of one entry in a tar.
    package var headerByteCount = 4 << 20
    /// The most skipped entries that are reported by name.
    package var skippedEntryCount = 100

    /// The limits for an export of a chat.
    package static let standard = ArchiveLimits()

    package init() {}
}
