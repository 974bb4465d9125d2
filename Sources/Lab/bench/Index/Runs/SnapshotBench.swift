import Glibc
import IndexCore
import VectorIndex

/// Measures a snapshot file: writing, opening with and without its pages in memory, and the first search.
struct SnapshotBench {
    private static let identity = "bench index"
    /// Disk speed varies, so files are written this many times, in turn with plain bytes.
    private static let rounds = 5
    let path: String
    let dimensions: Int
    let threads: Int
    let k: Int
    let queries: [[Float]]
    private let clock = ContinuousClock()

    init(_ options: IndexCommand, path: String, dimensions: Int, queries: [[Float]]) {
        self.path = path
        self.dimensions = dimensions
        threads = options.threads
        k = options.k
        self.queries = queries
    }

    /// Writes the index to the file, opens it and compares results; the file stays.
    func run(_ index: CosineIndex) throws -> (lines: [JSONLine], isRight: Bool) {
        let expected = try index.search(batch: queries, k: k, in: .all)
        var writing = JSONLine()
        writing.add("variant", "snapshot write")
        writing.add("memory_ms", try median(index))
        var written: WrittenSnapshot?
        var (times, plainTimes): ([Double], [Double]) = ([], [])
        for _ in 0..<Self.rounds {
            times.append(
                try clock.measure { written = try index.writeSnapshot(to: path, identity: Self.identity) }.seconds)
            plainTimes.append(try clock.measure { try writePlainly(written?.byteCount ?? 0) }.seconds)
        }
        let (seconds, plainSeconds) = (times.median, plainTimes.median)
        let byteCount = written?.byteCount ?? 0
        writing.add("rows", index.count)
        writing.add("bytes", byteCount)
        writing.add("write_s", seconds)
        writing.add("write_mb_s", Double(byteCount) / 1e6 / seconds)
        writing.add("plain_mb_s", Double(byteCount) / 1e6 / plainSeconds)
        writing.add("best_mb_s", Double(byteCount) / 1e6 / (times.min() ?? seconds))
        writing.add("best_plain_mb_s", Double(byteCount) / 1e6 / (plainTimes.min() ?? plainSeconds))
        if let written {
            writing.add("adopt_ms", try clock.measure { try index.adopt(written) }.seconds * 1000)
        }
        writing.add("byte_count_after", index.snapshot().byteCount)
        written = nil
        let warm = try open("snapshot open", expected)
        try dropPages()
        let cold = try open("snapshot open, pages dropped", expected)
        return ([writing, warm.line, cold.line], warm.isRight && cold.isRight)
    }

    private func open(_ name: String, _ expected: [[VectorHit]]) throws -> (line: JSONLine, isRight: Bool) {
        let (index, openMilliseconds) = try milliseconds {
            try CosineIndex.open(
                snapshotAt: path, identity: Self.identity, dimensions: dimensions, threadCount: threads
            )
        }
        let (first, firstMilliseconds) = try milliseconds { try index.search(queries[0], k: k, in: .all) }
        let (second, secondMilliseconds) = try milliseconds { try index.search(queries[0], k: k, in: .all) }
        let (_, verifyMilliseconds) = try milliseconds { index.verify { false } }
        let mapped = try median(index)
        let (hits, batchMilliseconds) = try milliseconds { try index.search(batch: queries, k: k, in: .all) }
        let isRight = hits == expected && first == expected[0] && second == first && index.damagedRows().isEmpty
        var line = JSONLine()
        line.add("variant", name)
        line.add("rows", index.count)
        line.add("open_ms", openMilliseconds)
        line.add("first_ms", firstMilliseconds)
        line.add("second_ms", secondMilliseconds)
        line.add("ms", mapped)
        line.add("verify_ms", verifyMilliseconds)
        line.add("batch_ms", batchMilliseconds)
        line.add("equals_memory", isRight ? "yes" : "no")
        return (line, isRight)
    }

    /// The median time of a search for one query.
    private func median(_ index: CosineIndex) throws -> Double {
        try queries.prefix(50).map { query in
            try milliseconds { try index.search(query, k: k, in: .all) }.1
        }.median
    }

    private func milliseconds<Result>(_ body: () throws -> Result) throws -> (Result, Double) {
        let start = clock.now
        let result = try body()
        return (result, (clock.now - start).seconds * 1000)
    }

    /// Writes like `dd if=/dev/zero bs=1M conv=fsync`, to a file that is deleted afterwards.
    private func writePlainly(_ byteCount: Int) throws {
        let plain = path + ".plain"
        let descriptor = Glibc.open(plain, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw BenchFault("\(plain): cannot be written") }
        defer {
            close(descriptor)
            unlink(plain)
        }
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<byteCount / piece.count where write(descriptor, piece, piece.count) != piece.count {
            throw BenchFault("\(plain): cannot be written")
        }
        guard fsync(descriptor) == 0 else { throw BenchFault("\(plain): cannot be written") }
    }

    /// Asks the kernel to drop the file's pages that are on the disk and not mapped.
    private func dropPages() throws {
        let descriptor = Glibc.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw BenchFault("\(path): cannot be opened") }
        defer { close(descriptor) }
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }
}
