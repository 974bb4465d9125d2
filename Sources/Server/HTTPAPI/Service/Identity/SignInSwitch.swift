package import ChatCore
import Hummingbird
import Synchronization

/// Whether a server that trusted its callers asks them to sign in now; it never trusts them again.
package final class SignInSwitch: Sendable {
    private struct State {
        var isOn = false
        var askedAt: Timestamp
    }

    /// The time between two questions to the store.
    private static let interval: Duration = .seconds(5)

    private let now: @Sendable () -> Timestamp
    private let isOnElsewhere: (@Sendable () async throws -> Bool)?
    private let closeConnections: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - now: The present time.
    ///   - isOnElsewhere: Asks the store whether another node has turned it on; nil if there is no other node.
    ///   - closeConnections: Called once when it is turned on, so that the connections of callers who did not sign in close.
    package init(
        now: @escaping @Sendable () -> Timestamp, isOnElsewhere: (@Sendable () async throws -> Bool)? = nil,
        closeConnections: @escaping @Sendable () -> Void
    ) {
        self.now = now
        self.isOnElsewhere = isOnElsewhere
        self.closeConnections = closeConnections
        state = Mutex(State(askedAt: now()))
    }

    /// Whether it is on, as far as this node knows.
    var isOn: Bool { state.withLock { $0.isOn } }

    /// Turns it on for this process; another node learns it from the store.
    func turnOn() {
        let isFirst = state.withLock { state in
            defer { state.isOn = true }
            return !state.isOn
        }
        if isFirst { closeConnections() }
    }

    /// Returns whether it is on, also on another node: the store is asked at most every five seconds.
    package func isOnAnywhere() async -> Bool {
        if isOn { return true }
        guard let isOnElsewhere else { return false }
        let moment = now()
        let asks = state.withLock { state in
            let waited = moment - state.askedAt
            guard waited >= Self.interval || waited < .zero else { return false }
            state.askedAt = moment
            return true
        }
        if asks, (try? await isOnElsewhere()) == true { turnOn() }
        return isOn
    }
}

/// Trusts every caller until sign-in is turned on, then requires a token of somebody who signed in.
struct SwitchedAuthentication: CallerAuthentication {
    let signIn: SignInSwitch
    let trusting: TrustingAuthentication
    let bearer: BearerAuthentication

    var anonymous: Caller { signIn.isOn ? bearer.anonymous : trusting.anonymous }

    func identify(_ request: Request) async throws -> (caller: Caller, validity: CallerValidity) {
        await signIn.isOnAnywhere() ? try await bearer.identify(request) : try await trusting.identify(request)
    }
}
