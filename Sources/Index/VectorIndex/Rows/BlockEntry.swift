import IndexCore
import Synchronization

/// The data of a block that a scan needs, without a counted reference: 64 bytes.
///
/// Unchecked invariant: an entry is used only while its ``GroupRows`` is alive, for example in the leaf of a
/// ``GroupTable``; the addresses are only read.
struct BlockEntry: @unchecked Sendable {
    /// The block's first row.
    let vectors: UnsafePointer<Float>
    /// The codes of its rows; must not be read if the layout has no codes.
    let codes: RowCodes
    private let rowsInUse: UInt32
    private let number: UInt32
    let hasRemovedRows: Bool
    /// The check results of a mapped block; nil for a block in memory.
    private let states: UnsafeMutablePointer<Atomic<UInt8>>?
    private let rows: Unmanaged<GroupRows>

    init(_ block: RowBlock, number: Int, of rows: GroupRows) {
        vectors = block.storage.vector(at: 0)
        codes = block.storage.codes ?? RowCodes(base: block.storage.vectors, capacity: 0, layout: block.storage.layout)
        rowsInUse = UInt32(block.count)
        self.number = UInt32(number)
        hasRemovedRows = block.removedCount > 0
        states = block.storage.source.map { $0.file.states + 2 * $0.number }
        self.rows = .passUnretained(rows)
    }

    /// Rows in use, removed ones included.
    var rowCount: Int { Int(rowsInUse) }

    var isMapped: Bool { states != nil }

    /// Whether a part of the block is intact; reads a mapped block at the first call.
    func isGood(_ part: BlockPart) -> Bool {
        isKnownGood(part) || rows._withUnsafeGuaranteedRef { $0.blocks[Int(number)].storage.isGood(part) }
    }

    /// Whether a part of the block is known to be intact without reading it.
    func isKnownGood(_ part: BlockPart) -> Bool {
        guard let states else { return true }
        return states[part.rawValue].load(ordering: .relaxed) == BlockState.good.rawValue
    }

    /// The group that the block lies in.
    var group: GroupKey { rows._withUnsafeGuaranteedRef { $0.key } }

    /// Whether a row is not removed.
    func isLive(_ row: Int) -> Bool {
        !hasRemovedRows || rows._withUnsafeGuaranteedRef { $0.blocks[Int(number)].isLive(row) }
    }

    /// Whether a row is not removed and passes the predicate.
    func isVisible(_ row: Int, _ predicate: RowPredicate?) -> Bool {
        guard isLive(row) else { return false }
        return predicate?(key(of: row), attributes(of: row)) ?? true
    }

    /// The key of a row.
    func key(of row: Int) -> RowKey { rows._withUnsafeGuaranteedRef { $0.blocks[Int(number)].storage.key(at: row) } }

    /// The attributes of a row.
    func attributes(of row: Int) -> RowAttributes {
        rows._withUnsafeGuaranteedRef { $0.blocks[Int(number)].storage.attributes(at: row) }
    }
}
