import CArchive

/// The unpacked content of a gzip file, all of its members; compares the length and checksum of each, which libarchive
/// does not.
final class GzipInput: ArchiveInput {
    private static let blockByteCount = 256 << 10
    /// zlib's largest window, and a gzip header around it.
    private static let windowBits: Int32 = 15 + 16

    let canSeek = false
    private let file: FileInput
    private let limits: ArchiveLimits
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockByteCount, alignment: 16)
    private var isInMember = true
    private var byteCount = 0
    /// Bytes that were looked at and are still to be returned.
    private var peekedByteCount = 0

    init(_ file: FileInput, limits: ArchiveLimits) throws(ArchiveError) {
        self.file = file
        self.limits = limits
        stream.initialize(to: z_stream())
        let code = inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard code == Z_OK else { throw .unreadable }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        block.deallocate()
    }

    var fileReadByteCount: Int { file.fileReadByteCount }

    func next() throws(ArchiveError) -> UnsafeRawBufferPointer {
        var count = peekedByteCount
        peekedByteCount = 0
        while count == 0 {
            guard try fill(), try beginMember() else { break }
            count = try inflateBlock(from: 0)
        }
        return UnsafeRawBufferPointer(rebasing: block[..<count])
    }

    /// Returns the first bytes, or fewer if there are no more; ``next()`` returns them again.
    func peek(_ wanted: Int) throws(ArchiveError) -> UnsafeRawBufferPointer {
        while peekedByteCount < wanted, try fill(), try beginMember() {
            peekedByteCount += try inflateBlock(from: peekedByteCount)
        }
        return UnsafeRawBufferPointer(rebasing: block[..<min(wanted, peekedByteCount)])
    }

    func finish() throws(ArchiveError) {
        while try !next().isEmpty {}
    }

    func skip(_ byteCount: Int) -> Int { 0 }

    func seek(_ offset: Int, from whence: Int32) -> Int? { nil }

    /// Sees to it that there are packed bytes; returns false at the file's end.
    private func fill() throws(ArchiveError) -> Bool {
        guard stream.pointee.avail_in == 0 else { return true }
        let bytes = try file.next()
        // zlib reads through this pointer only.
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        guard bytes.isEmpty else { return true }
        // The file ends within a member.
        guard !isInMember else { throw .damaged(entry: 0) }
        return false
    }

    /// Begins the next member after the end of one; returns false if there is none: gzip allows zeros at the end.
    private func beginMember() throws(ArchiveError) -> Bool {
        while !isInMember {
            guard let first = stream.pointee.next_in?.pointee else { return false }
            if first == 0x1F {
                guard inflateReset(stream) == Z_OK else { throw .unreadable }
                isInMember = true
            } else {
                guard first == 0 else { throw .damaged(entry: 0) }
                stream.pointee.next_in += 1
                stream.pointee.avail_in -= 1
                guard try fill() else { return false }
            }
        }
        return true
    }

    private func inflateBlock(from start: Int) throws(ArchiveError) -> Int {
        let space = block.count - start
        stream.pointee.next_out = block.baseAddress.map { ($0 + start).assumingMemoryBound(to: UInt8.self) }
        stream.pointee.avail_out = UInt32(space)
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_STREAM_END: isInMember = false
        case Z_OK, Z_BUF_ERROR: break
        default: throw .damaged(entry: 0)
        }
        let count = space - Int(stream.pointee.avail_out)
        byteCount += count
        try limits.check(byteCount, outOf: fileReadByteCount)
        return count
    }
}

extension GzipInput {
    /// Whether it begins as a tar does: with a block whose checksum is right, or with one of zeros, which ends a tar.
    func isTar() throws(ArchiveError) -> Bool {
        let header = try peek(512)
        guard header.count == 512 else { return false }
        let field = 148..<156
        let sum = header.enumerated().reduce(0) { $0 + (field.contains($1.offset) ? 0x20 : Int($1.element)) }
        if sum == field.count * 0x20 { return header.allSatisfy { $0 == 0 } }
        let digits = header[field].drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8) == sum
    }
}
