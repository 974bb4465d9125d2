import IndexCore

/// Reads a snapshot from a file and checks all of it; no memory beyond the file is read, for any content.
struct FileReader {
    private let mapping: SnapshotMapping
    private let header: FileHeader
    private var snapshot: BM25Index.Snapshot
    private var groups: [(key: GroupKey, blocks: [RowBlock])] = []
    private var places: [ShardedMap<RowKey, RowPlace>.Entry] = []

    /// Reads a mapped file.
    static func read(
        _ mapping: SnapshotMapping, identity: String, analysisVersion: Int
    ) throws(SnapshotError) -> BM25Index.Snapshot {
        var reader = try FileReader(mapping, identity: identity, analysisVersion: analysisVersion)
        try reader.readBlocks()
        try reader.close()
        return reader.snapshot
    }

    private init(_ mapping: SnapshotMapping, identity: String, analysisVersion: Int) throws(SnapshotError) {
        self.mapping = mapping
        header = try FileHeader(
            checking: HeaderWords(at: mapping.base), identity: identity, analysisVersion: analysisVersion)
        snapshot = BM25Index.Snapshot(blockRowCount: BlockLayout.rowLimit)
        let expected = Int(clamping: header.fileByteCount)
        guard mapping.byteCount >= expected else { throw .truncated(expected: expected, got: mapping.byteCount) }
        guard mapping.byteCount == expected else { throw .damaged(part: "length") }
    }

    private mutating func readBlocks() throws(SnapshotError) {
        let room = UInt64(mapping.byteCount - FileHeader.byteCount)
        guard header.blockCount <= room / UInt64(BlockRecord.byteCount) else { throw .damaged(part: "header") }
        let tableBytes = Int(header.blockCount) * BlockRecord.byteCount
        let table = mapping.base + FileHeader.byteCount
        guard checksum(of: UnsafeRawBufferPointer(start: table, count: tableBytes)) == header.tableChecksum else {
            throw .damaged(part: "table")
        }
        // Each row takes some bytes, so a wrong header cannot reserve more than the size of the file.
        places.reserveCapacity(Int(clamping: min(header.rowCount, room / UInt64(MemoryLayout<Int64>.size))))
        var offset = FileHeader.byteCount + tableBytes
        for number in 0..<Int(header.blockCount) {
            guard let record = BlockRecord(at: table + number * BlockRecord.byteCount),
                record.layout.byteCount <= mapping.byteCount - offset
            else { throw .damaged(part: "table") }
            let bytes = UnsafeRawBufferPointer(start: mapping.base + offset, count: record.layout.byteCount)
            guard checksum(of: bytes) == record.checksum else { throw .damaged(part: "blocks") }
            let block = RowBlock(record.layout)
            block.bytes.copyMemory(from: bytes)
            try add(block, to: record.group)
            offset += bytes.count
        }
        guard offset == mapping.byteCount else { throw .damaged(part: "table") }
    }

    private mutating func add(_ block: RowBlock, to group: GroupKey) throws(SnapshotError) {
        guard block.isSound else { throw .damaged(part: "blocks") }
        block.close()
        if let last = groups.last, last.key == group {
            guard let before = last.blocks.last, before.position(at: before.count - 1) < block.position(at: 0) else {
                throw .damaged(part: "blocks")
            }
            groups[groups.count - 1].blocks.append(block)
        } else {
            groups.append((group, [block]))
        }
        for row in 0..<block.count {
            let key = RowKey(rawValue: block.keys[row])
            places.append(.init(key: key, value: RowPlace(group: group, position: block.position(at: row))))
        }
    }

    private mutating func close() throws(SnapshotError) {
        for group in groups {
            guard snapshot.groups[group.key] == nil else { throw .damaged(part: "table") }
            snapshot.groups[group.key] = GroupRows(key: group.key, blocks: group.blocks)
        }
        guard let places = ShardedMap(places) else { throw .damaged(part: "blocks") }
        snapshot.places = places
        guard snapshot.count == Int(clamping: header.rowCount) else { throw .damaged(part: "header") }
    }
}

extension RowBlock {
    /// Whether rows, terms and postings are in order and within the block.
    fileprivate var isSound: Bool {
        for row in 1..<max(count, 1) where !(position(at: row - 1) < position(at: row)) { return false }
        for row in 0..<count where textLengths[row] > lengths[row] { return false }
        guard starts[0] == 0, starts[layout.termCount] == layout.postingCount else { return false }
        for term in 0..<layout.termCount {
            guard starts[term] < starts[term + 1], starts[term + 1] <= layout.postingCount,
                term == 0 || terms[term - 1] < terms[term]
            else { return false }
            var last = -1
            for index in Int(starts[term])..<Int(starts[term + 1]) {
                guard postings[index].row > last, postings[index].row < count else { return false }
                last = postings[index].row
            }
        }
        return true
    }
}
