import Glibc

/// Limits the memory that libarchive uses to read a header.
///
/// For a tar this is one entry's names and attributes. For a zip the library reads the whole directory before the first
/// entry, so the directory's records are counted.
struct HeaderLimit {
    private static let recordMark: [UInt8] = [0x50, 0x4B, 0x01, 0x02]

    private let limits: ArchiveLimits
    private let format: ArchiveHandle.Format
    private var isInHeader = false
    private var isFirst = true
    private var byteCount = 0
    private var recordCount = 0
    /// The end of the bytes before: a mark may lie across.
    private var tail: [UInt8] = []

    init(_ limits: ArchiveLimits, format: ArchiveHandle.Format) {
        self.limits = limits
        self.format = format
    }

    mutating func begin() {
        isInHeader = true
        byteCount = 0
    }

    mutating func end() {
        isInHeader = false
        isFirst = false
    }

    /// Notes that the library moves elsewhere: the bytes that it read to find the directory do not count.
    mutating func seek() {
        recordCount = 0
        tail = []
    }

    /// Notes bytes that the library receives.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        guard isInHeader else { return }
        switch format {
        case .raw: break
        case .tar:
            byteCount += bytes.count
            guard byteCount <= limits.headerByteCount else {
                throw .headerTooLong(entry: 0, limit: limits.headerByteCount)
            }
        case .zip:
            guard isFirst else { return }
            countRecords(in: bytes)
            guard recordCount <= limits.entryCount else { throw .tooManyEntries(limit: limits.entryCount) }
        }
    }

    private mutating func countRecords(in bytes: UnsafeRawBufferPointer) {
        let seam = tail + bytes.prefix(Self.recordMark.count - 1)
        recordCount += seam.withUnsafeBytes { Self.recordCount(in: $0) }
        recordCount += Self.recordCount(in: bytes)
        tail = Array(bytes.suffix(Self.recordMark.count - 1))
    }

    private static func recordCount(in bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var rest = bytes
        while let start = rest.baseAddress, let found = memchr(start, Int32(recordMark[0]), rest.count) {
            rest = UnsafeRawBufferPointer(rebasing: rest[(UnsafeRawPointer(found) - start)...])
            let isMark = rest.starts(with: recordMark)
            count += isMark ? 1 : 0
            rest = UnsafeRawBufferPointer(rebasing: rest[(isMark ? recordMark.count : 1)...])
        }
        return count
    }
}
