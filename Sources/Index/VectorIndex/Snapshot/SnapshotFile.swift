import CKernels
import Glibc
import IndexCore
import Synchronization

/// A part of a block with its own checksum.
enum BlockPart: Int, Sendable {
    case codes, vectors
}

/// A mapped snapshot file, which lives as long as its rows are used.
///
/// Codes and vectors are checked at the first use of their block, everything else at opening. Unchecked invariant: the
/// mapping is only read, and only ``scrub(oldestTurn:)`` writes to the file, to rows that no snapshot counts.
final class SnapshotFile: @unchecked Sendable {
    let layout: RowLayout
    let descriptor: Int32
    /// The first byte of the file.
    let start: UnsafeRawPointer
    private let byteCount: Int
    let sections: SnapshotSections
    let blocks: [SnapshotBlock]
    let rowCount: Int
    let liveCount: Int
    /// The check results of each block: a ``BlockState`` for its codes, then one for its vectors.
    let states: UnsafeMutablePointer<Atomic<UInt8>>
    /// The checksums at opening; a block is always checked before it is scrubbed.
    private let openingSums: UnsafePointer<UInt64>
    let scrubbing: Mutex<SnapshotScrubbing>
    let removals: Mutex<SnapshotRemovals>

    /// Opens the file at a path; for writing too if the system allows it, because rows may have to be scrubbed.
    convenience init(path: String, identity: String, layout: RowLayout) throws(SnapshotError) {
        // Without O_NONBLOCK, opening a pipe would block a waiting search; mapping refuses anything but a regular file.
        var descriptor = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == EACCES || errno == EROFS || errno == EPERM {
            descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        }
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .io(operation: "open", code: errno) }
        try self.init(descriptor: descriptor, identity: identity, layout: layout)
    }

    /// Maps an open file and checks everything but the blocks; takes over the descriptor.
    init(descriptor: Int32, identity: String, layout: RowLayout) throws(SnapshotError) {
        let mapping: SnapshotMapping
        do throws(SnapshotError) {
            mapping = try SnapshotMapping(descriptor: descriptor, leastByteCount: SnapshotHeader.byteCount)
        } catch {
            close(descriptor)
            throw error
        }
        let contents: SnapshotContents
        do throws(SnapshotError) {
            contents = try SnapshotContents(mapping, identity: identity, layout: layout)
        } catch {
            mapping.unmap()
            close(descriptor)
            throw error
        }
        self.layout = layout
        self.descriptor = descriptor
        start = mapping.base
        byteCount = mapping.byteCount
        sections = contents.sections
        blocks = contents.blocks
        rowCount = Int(contents.header.rowCount)
        liveCount = Int(contents.header.liveCount)
        states = .allocate(capacity: 2 * contents.blocks.count)
        for position in 0..<2 * contents.blocks.count {
            (states + position).initialize(to: Atomic(BlockState.unchecked.rawValue))
        }
        openingSums = contents.copyOfSums()
        scrubbing = Mutex(SnapshotScrubbing(contents))
        removals = Mutex(SnapshotRemovals(live: contents.live))
        let vectors = contents.sections[.vectors]
        // Single rows are read in random order; the check of a block asks for the whole block.
        madvise(UnsafeMutableRawPointer(mutating: start + vectors.offset), vectors.byteCount, MADV_RANDOM)
    }

    deinit {
        states.deinitialize(count: 2 * blocks.count)
        states.deallocate()
        openingSums.deallocate()
        munmap(UnsafeMutableRawPointer(mutating: start), byteCount)
        close(descriptor)
    }

    /// The first byte of a section.
    func start(of section: SnapshotSection) -> UnsafeRawPointer { start + sections[section].offset }

    /// The bytes of one part of a block, which its checksum covers.
    func bytes(of part: BlockPart, block number: Int) -> UnsafeRawBufferPointer {
        let block = blocks[number]
        switch part {
        case .codes:
            return UnsafeRawBufferPointer(
                start: start(of: .codes) + block.codesOffset,
                count: SnapshotBlock.codeByteCount(rowCount: block.rowCount, layout: layout))
        case .vectors:
            let rowBytes = layout.stride * MemoryLayout<Float>.stride
            return UnsafeRawBufferPointer(
                start: start(of: .vectors) + block.firstRow * rowBytes, count: block.rowCount * rowBytes)
        }
    }

    /// Whether a row was not scrubbed before the file was opened.
    func wasLive(_ row: Int) -> Bool {
        let word = start(of: .live).load(fromByteOffset: row / 64 * 8, as: UInt64.self)
        return word & (1 << UInt64(row & 63)) != 0
    }

    /// Whether a part of a block is intact; reads it the first time.
    func isGood(_ part: BlockPart, block number: Int) -> Bool {
        let position = 2 * number + part.rawValue
        switch states[position].load(ordering: .acquiring) {
        case BlockState.good.rawValue: return true
        case BlockState.bad.rawValue: return false
        default: break
        }
        let isGood = checksum(of: part, block: number) == openingSums[position]
        // The first answer counts, because a later one may have read data during scrubbing.
        let (isFirst, present) = states[position].compareExchange(
            expected: BlockState.unchecked.rawValue,
            desired: (isGood ? BlockState.good : BlockState.bad).rawValue, ordering: .acquiringAndReleasing)
        return isFirst ? isGood : present == BlockState.good.rawValue
    }

    /// Whether a part of a block was read and is damaged.
    func isKnownBad(_ part: BlockPart, block number: Int) -> Bool {
        states[2 * number + part.rawValue].load(ordering: .acquiring) == BlockState.bad.rawValue
    }

    /// Asks the system to read some megabytes ahead of a block, for a pass over all blocks.
    ///
    /// `asked` is the offset in the file up to which reading was asked for.
    func readAhead(of part: BlockPart, block number: Int, asked: inout Int) {
        let bytes = bytes(of: part, block: number)
        guard let first = bytes.baseAddress else { return }
        let (from, window) = (first - start, 8 * 1024 * 1024)
        if asked < from || asked > from + 2 * window { asked = from }
        guard asked < from + bytes.count + window / 2, asked < byteCount else { return }
        let count = min(window, byteCount - asked)
        askFor(UnsafeRawBufferPointer(start: start + asked, count: count))
        asked += count
    }

    private func askFor(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.baseAddress else { return }
        let offset = Int(bitPattern: first) % 4096
        madvise(UnsafeMutableRawPointer(mutating: first - offset), bytes.count + offset, MADV_WILLNEED)
    }

    private func checksum(of part: BlockPart, block number: Int) -> UInt64 {
        let bytes = bytes(of: part, block: number)
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
        // The system reads codes ahead by itself, but not vectors, because their mapping is marked for random access.
        if part == .vectors { askFor(bytes) }
        return nexus_checksum(start, bytes.count)
    }
}

/// The check result of a part of a block.
enum BlockState: UInt8 {
    case unchecked, good, bad
}

/// Rows of a snapshot file that were removed or replaced later, and those of them that wait to be scrubbed.
struct SnapshotRemovals {
    /// One bit for each row of the file: whether its key still refers to it.
    private var live: [UInt64]
    /// Rows to scrub when no snapshot older than their turn is in use; turns ascend.
    private var waiting: [(turn: UInt64, rows: [UInt32])] = []

    init(live: [UInt64]) { self.live = live }

    /// Notes that rows are gone from the snapshot of this turn on.
    mutating func add(_ rows: [UInt32], turn: UInt64) {
        let fresh = rows.filter { row in
            let (word, bit) = (Int(row / 64), UInt64(1) << UInt64(row % 64))
            defer { live[word] &= ~bit }
            return live[word] & bit != 0
        }
        if !fresh.isEmpty { waiting.append((turn, fresh)) }
    }

    /// Takes the rows that no snapshot from turn `oldest` on can see.
    mutating func take(upTo oldest: UInt64) -> [UInt32] {
        let ready = waiting.prefix { $0.turn <= oldest }
        waiting.removeFirst(ready.count)
        return ready.flatMap(\.rows)
    }

    /// The number of rows that still wait.
    var waitingCount: Int { waiting.reduce(0) { $0 + $1.rows.count } }
}
