import Archive
import Foundation

/// What came out of an archive.
struct ReadArchive {
    var paths: [String] = []
    var contents: [[UInt8]] = []
    var numbers: [Int] = []
    var byteCounts: [Int?] = []
    var longestChunk = 0
    var skipped: [SkippedEntry] = []
    var skippedCount = 0
    var error: ArchiveError?
    /// What going on after the error ends in.
    var laterErrors: [ArchiveError] = []

    var texts: [String] { contents.map { String(decoding: $0, as: UTF8.self) } }

    /// Reads a file of these bytes to its end or to an error.
    init(_ bytes: [UInt8], limits: ArchiveLimits = .standard, readsContents: Bool = true) throws {
        self = try withFile(bytes) { ReadArchive($0, limits: limits, readsContents: readsContents) }
    }

    init(_ file: URL, limits: ArchiveLimits = .standard, readsContents: Bool = true) {
        do throws(ArchiveError) {
            var reader = try ArchiveReader(file, limits: limits)
            do throws(ArchiveError) {
                try read(&reader, readsContents: readsContents)
            } catch {
                self.error = error
                goOn(&reader)
            }
            skipped = reader.skipped
            skippedCount = reader.skippedCount
        } catch {
            self.error = error
        }
    }

    private mutating func goOn(_ reader: inout ArchiveReader) {
        do throws(ArchiveError) { _ = try reader.next() } catch { laterErrors.append(error) }
        do throws(ArchiveError) { _ = try reader.read() } catch { laterErrors.append(error) }
    }

    private mutating func read(_ reader: inout ArchiveReader, readsContents: Bool) throws(ArchiveError) {
        while let entry = try reader.next() {
            paths.append(entry.path)
            numbers.append(entry.number)
            byteCounts.append(entry.byteCount)
            guard readsContents else { continue }
            let read = try reader.readToEnd()
            longestChunk = max(longestChunk, read.longestChunk)
            contents.append(read.bytes)
        }
    }
}

extension ArchiveReader {
    /// Reads the rest of the current entry.
    @discardableResult mutating func readToEnd() throws(ArchiveError) -> (bytes: [UInt8], longestChunk: Int) {
        var bytes: [UInt8] = []
        var longest = 0
        while let chunk = try read() {
            longest = max(longest, chunk.count)
            bytes += chunk
        }
        return (bytes, longest)
    }
}

/// Calls `body` with a file of these bytes, which is gone afterwards.
func withFile<Value>(_ bytes: [UInt8], _ body: (URL) throws -> Value) throws -> Value {
    let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(bytes).write(to: file)
    return try body(file)
}
