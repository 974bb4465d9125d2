import Foundation
import Glibc
import ServiceLifecycle

/// Gives freed memory back to the system from time to time.
struct MemoryTrimmer: Service {
    private static let interval = Duration.seconds(10)
    /// Memory above the least one that a trim left, which is not worth another trim.
    private static let slack = 64 << 20

    func run() async throws {
        FreedMemory.limitKept()
        await cancelWhenGracefulShutdown {
            var least: Int?
            while (try? await Task.sleep(for: Self.interval)) != nil {
                guard let used = FreedMemory.residentBytes else { return }
                if let known = least, used >= known, used - known <= Self.slack { continue }
                await FreedMemory.trim()
                let left = FreedMemory.residentBytes ?? used
                least = min(least ?? left, left)
            }
        }
    }
}

/// Memory that was freed, and that the allocator keeps in the heaps of its threads.
///
/// After 1,000 messages with 100 mentions each those held 640 MiB that nothing used, for ever.
package enum FreedMemory {
    /// The bytes in memory that are no part of a file; nil if the system does not say.
    package static var residentBytes: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").compactMap { Int($0) }
        guard pages.count > 2, pages[1] >= pages[2] else { return nil }
        // bounded: pages of the memory of this machine
        return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Limits what the allocator keeps, with glibc: blocks of 4 MiB and more are given back when they are freed, and of
    /// the free end of the heap all but a MiB.
    ///
    /// Otherwise glibc raises both limits whenever a large block is freed, to 32 and 64 MiB, and what is in use between
    /// freed blocks holds those: after messages full of mentions 320 MiB instead of 232.
    package static func limitKept() {
        guard let found = dlsym(nil, "mallopt") else { return }
        typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        let set = unsafeBitCast(found, to: SetOption.self)
        let (trimThreshold, mmapThreshold): (Int32, Int32) = (-1, -3)
        _ = set(trimThreshold, 1 << 20)
        _ = set(mmapThreshold, 4 << 20)
    }

    /// Gives it back, with glibc.
    ///
    /// Takes about half a millisecond a MiB; a thread that allocates in the same heap waits for so long.
    @concurrent package static func trim() async {
        guard let found = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> Int32
        _ = unsafeBitCast(found, to: Trim.self)(0)
    }
}
