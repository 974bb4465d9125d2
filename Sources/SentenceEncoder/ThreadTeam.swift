import Foundation
import Synchronization

/// Threads for the length of one call, so that long sums block no thread of Swift's pool but the caller's.
enum ThreadTeam {
    /// Runs `body` on `count` threads, the calling one among them, and returns when all have ended.
    ///
    /// Bodies share their work through a ``WorkCounter``, so that a thread that the system refuses to start is no
    /// loss but of speed.
    static func run(count: Int, _ body: @escaping @Sendable () -> Void) {
        let threads = (1..<max(count, 1)).compactMap { _ in start(body) }
        body()
        for thread in threads { pthread_join(thread, nil) }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { box in
                if let box { Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        if code == 0 { return thread }
        box.release()
        return nil
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

/// Gives out the numbers of pieces of work, each once.
final class WorkCounter: Sendable {
    private let next = Atomic(0)
    private let end: Int

    /// Gives out 0 up to `count`, without it.
    init(count: Int) { end = count }

    /// Returns a number that no one else got; nil when all are given out.
    func take() -> Int? {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < end ? number : nil
    }
}
