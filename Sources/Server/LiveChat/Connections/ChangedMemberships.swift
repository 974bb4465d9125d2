import ChatCore
import Synchronization

/// The people whose memberships have changed since their watches were checked.
final class ChangedMemberships: Sendable {
    private struct State {
        var users: Set<UserID> = []
        var version = 0
    }

    private let state = Mutex(State())
    private let arrived = WorkSignal()

    /// Another number after each change of a membership.
    var version: Int { state.withLock { $0.version } }

    /// Notes changes; nil if any may have happened, which concerns all who are connected.
    func follow(_ changes: [Change]?, connected: @autoclosure () -> Set<UserID>) {
        guard let changes else { return mark(connected()) }
        var users: Set<UserID> = []
        for change in changes {
            guard case .membership(let user) = change.subject else { continue }
            guard !user.rawValue.isEmpty else { return mark(connected()) }
            users.insert(user)
        }
        mark(users)
    }

    func mark(_ user: UserID) { mark([user]) }

    private func mark(_ users: Set<UserID>) {
        guard !users.isEmpty else { return }
        state.withLock { state in
            state.users.formUnion(users)
            state.version += 1
        }
        arrived.signal()
    }

    /// Checks the people one after another until the task is cancelled; one that failed is checked again later.
    func run(_ check: (UserID) async throws -> Void) async {
        await arrived.repeating(failed: { _ in }) {
            while let user = state.withLock({ $0.users.first }) {
                state.withLock { _ = $0.users.remove(user) }
                do {
                    try await check(user)
                } catch {
                    state.withLock { _ = $0.users.insert(user) }
                    throw error
                }
            }
            return nil
        }
    }
}
