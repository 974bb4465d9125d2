import IndexCore

/// Writes one snapshot to a file.
struct FileWriter {
    private var header: FileHeader
    private let records: [BlockRecord]
    private let blocks: [RowBlock]
    let rowCount: Int

    init(_ snapshot: BM25Index.Snapshot, header: FileHeader) {
        var (records, blocks): ([BlockRecord], [RowBlock]) = ([], [])
        snapshot.groups.forEach { key, group in
            for block in group.blocks {
                records.append(BlockRecord(block, in: key))
                blocks.append(block)
            }
        }
        (self.records, self.blocks, rowCount) = (records, blocks, snapshot.count)
        self.header = header
        self.header.rowCount = UInt64(snapshot.count)
        self.header.blockCount = UInt64(blocks.count)
        self.header.fileByteCount = UInt64(byteCount)
    }

    /// Bytes of the file.
    var byteCount: Int {
        records.reduce(FileHeader.byteCount) { $0 + BlockRecord.byteCount + $1.layout.byteCount }
    }

    /// Writes the header last, because a file without it is not a snapshot.
    func write(to descriptor: Int32, byteLimit: Int) throws(SnapshotError) {
        let output = try SnapshotOutput(
            descriptor: descriptor, largestPiece: FileHeader.byteCount, byteLimit: byteLimit)
        let table = records.flatMap(\.words)
        var header = header
        header.tableChecksum = table.withUnsafeBytes { checksum(of: $0) }
        try output.seek(to: FileHeader.byteCount)
        try Self.append(table, to: output)
        for block in blocks { try output.append(UnsafeRawBufferPointer(block.bytes)) }
        try output.seek(to: 0)
        try Self.append(header.words.encoded(), to: output)
        try output.flush()
    }

    private static func append(_ words: [UInt64], to output: SnapshotOutput) throws(SnapshotError) {
        try words.withUnsafeBufferPointer { (words) throws(SnapshotError) in
            try output.append(UnsafeRawBufferPointer(words))
        }
    }
}
