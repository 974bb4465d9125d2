import Foundation
import Synchronization

/// Threads for the length of one call, so that long sums block no thread of Swift's pool except the caller's.
///
/// Starting a thread takes about as long as waking a sleeping one, so none is kept.
final class ThreadTeam: Sendable {
    /// Spins at a meeting before a waiting member yields; a step of one short text takes about as long.
    private static let patience = 20_000

    /// 0 until all members have started.
    private let size = Atomic(0)
    private let arrived = Atomic(0)
    private let meeting = Atomic(0)

    private init() {}

    /// Runs `body` on `count` threads, the calling one among them, and returns when all have ended.
    ///
    /// A thread that the system refuses to start is no loss but of speed: members share out their work by the
    /// number that did start, or through a ``WorkCounter``.
    static func run(count: Int, _ body: @escaping @Sendable (Member) -> Void) {
        let team = ThreadTeam()
        var threads: [pthread_t] = []
        for _ in 1..<max(count, 1) {
            let index = threads.count + 1
            guard let thread = start({ body(Member(index: index, team: team)) }) else { break }
            threads.append(thread)
        }
        team.size.store(threads.count + 1, ordering: .releasing)
        body(Member(index: 0, team: team))
        for thread in threads { pthread_join(thread, nil) }
    }

    /// Waits until all members have come here as often as the caller.
    ///
    /// It spins because members are only microseconds apart; with fewer processors than members it yields.
    private func meet() {
        let count = awaitedSize()
        guard count > 1 else { return }
        let current = meeting.load(ordering: .acquiring)
        if arrived.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == count {
            arrived.store(0, ordering: .relaxed)
            meeting.wrappingAdd(1, ordering: .releasing)
        } else {
            waitWhile { meeting.load(ordering: .acquiring) == current }
        }
    }

    private func awaitedSize() -> Int {
        waitWhile { size.load(ordering: .acquiring) == 0 }
        return size.load(ordering: .relaxed)
    }

    private func waitWhile(_ condition: () -> Bool) {
        var turns = 0
        while condition() {
            turns += 1
            if turns > Self.patience { sched_yield() }
        }
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

    /// A thread's place in a team.
    struct Member: Sendable {
        /// Counted from 0.
        let index: Int
        private let team: ThreadTeam?

        /// The member of a team of one.
        static let alone = Member(index: 0, team: nil)

        fileprivate init(index: Int, team: ThreadTeam?) { (self.index, self.team) = (index, team) }

        /// Returns the member's part of `count` things in a row; those of all members are about equal.
        func share(of count: Int) -> Range<Int> {
            let size = team?.awaitedSize() ?? 1
            return count * index / size..<count * (index + 1) / size
        }

        /// Waits for all other members, and makes their writes visible.
        func meet() { team?.meet() }
    }
}

/// Gives out the numbers of pieces of work, each once.
final class WorkCounter: Sendable {
    private let next = Atomic(0)
    private let end: Int

    /// Gives out 0 up to `count`, without it.
    init(count: Int) { end = count }

    /// Returns a number that no other caller got; nil when all are used.
    func take() -> Int? {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < end ? number : nil
    }
}
