import Synchronization

/// Memory that searches use one after the other: to have the system clear some hundred pages for each would take a tenth
/// of its time.
struct MemoryPiece: @unchecked Sendable {
    /// Aligned to cache lines.
    let base: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Pieces that are kept, one for each thread that may search, within reason.
    private static let keptCount = 8
    /// Larger pieces are not kept.
    private static let keptByteCount = 16 * 1024 * 1024
    private static let free = Mutex<[MemoryPiece]>([])

    /// Returns a piece of `byteCount` bytes or more; whoever takes it gives it back.
    static func take(byteCount: Int) -> MemoryPiece {
        let found = free.withLock { free -> MemoryPiece? in
            free.lastIndex { $0.byteCount >= byteCount }.map { free.remove(at: $0) }
        }
        // A little more, so that the next search fits, too.
        let size = max(64 * 1024, byteCount + byteCount / 4)
        return found
            ?? MemoryPiece(base: .allocate(byteCount: size, alignment: 64), byteCount: size)
    }

    func giveBack() {
        let surplus = Self.free.withLock { free -> MemoryPiece? in
            guard byteCount <= Self.keptByteCount else { return self }
            free.append(self)
            return free.count > Self.keptCount ? free.removeFirst() : nil
        }
        surplus?.base.deallocate()
    }
}
