public import NexusModel
public import Observation

/// A part of an app that follows a session.
@MainActor public protocol SessionObserver: AnyObject {
    /// Takes an event.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - state: Everything that is known, not older than the event.
    func take(_ event: SessionEvent, _ state: ChatState)
}

/// Runs a session and hands its events to the view models, in the order in which they happen.
@MainActor public final class SessionHub {
    /// The session.
    public let session: NexusSession
    /// The conversation on the screen.
    public private(set) var openConversation: String?

    private struct WeakObserver {
        weak var observer: (any SessionObserver)?
    }

    private struct Timer: Sendable {
        let duration: Duration
        let action: @MainActor @Sendable () async -> Void
    }

    private struct WeakModel {
        weak var model: ConversationModel?
    }

    private var observers: [WeakObserver] = []
    private var events: AsyncStream<SessionEvent>
    private let runGate = RunGate()
    private var timers = AsyncStream.makeStream(of: Timer.self)
    /// Models whose entries are read again; many events are one read.
    private var stale: [ObjectIdentifier: WeakModel] = [:]
    private var refreshWork = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    public init(_ session: NexusSession) {
        self.session = session
        events = session.updates()
    }

    /// Runs the session until it is signed out or the task is cancelled; nobody else may run it.
    ///
    /// May run again, as ``NexusSession/run()``.
    public func run() async {
        guard await runGate.enter() else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [session] in await session.run() }
            group.addTask { await self.keepTime() }
            group.addTask { await self.refreshStale() }
            for await event in events { await deliver(event) }
            group.cancelAll()
        }
        events = session.updates()
        timers = AsyncStream.makeStream()
        refreshWork = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        // A cancelled task did not hear the end.
        await deliver(.connection(await session.connection))
        await runGate.leave()
    }

    /// Signs out, as ``NexusSession/signOut()``, and empties the view models.
    ///
    /// - Returns: Whether the session has ended on the server.
    /// - Throws: ``SessionError/storage(_:)``.
    @discardableResult
    public func signOut() async throws(SessionError) -> Bool {
        let result: Result<Bool, SessionError>
        do throws(SessionError) { result = .success(try await session.signOut()) } catch { result = .failure(error) }
        // Without a run nobody hears what happens.
        await deliver(.connection(await session.connection))
        return try result.get()
    }

    private func deliver(_ event: SessionEvent) async {
        let state = await session.state
        observers.removeAll { $0.observer == nil }
        for entry in observers { entry.observer?.take(event, state) }
    }

    /// Hands the following events to an observer, for as long as it lives.
    public func add(_ observer: any SessionObserver) { observers.append(WeakObserver(observer: observer)) }

    /// Puts a conversation on the screen; nil for none.
    public func open(_ conversation: String?) async {
        openConversation = conversation
        await session.open(conversation)
    }

    /// Does something later, if the hub still runs then.
    func after(_ duration: Duration, _ action: @escaping @MainActor @Sendable () async -> Void) {
        timers.continuation.yield(Timer(duration: duration, action: action))
    }

    /// Lets a model read its entries again, soon and once for many events.
    func refresh(_ model: ConversationModel) {
        stale[ObjectIdentifier(model)] = WeakModel(model: model)
        refreshWork.continuation.yield()
    }

    private func refreshStale() async {
        for await _ in refreshWork.stream {
            let models = stale.values
            stale = [:]
            for entry in models { await entry.model?.refresh() }
        }
    }

    private func keepTime() async {
        await withDiscardingTaskGroup { group in
            for await timer in timers.stream {
                group.addTask { [session] in
                    guard (try? await session.timing.sleep(timer.duration)) != nil else { return }
                    await timer.action()
                }
            }
        }
    }
}

/// The connection as an app shows it.
@Observable @MainActor public final class ConnectionModel: SessionObserver {
    /// The connection.
    public private(set) var state = ConnectionState.offline

    @ObservationIgnored private var hasTaken = false

    /// - Parameter hub: The events of the session.
    public init(_ hub: SessionHub) async {
        hub.add(self)
        let present = await hub.session.connection
        if !hasTaken { state = present }
    }

    /// The sentence to show; nil while everything is as it should be.
    public var sentence: ErrorSentence? {
        switch state {
        case .offline: .offline
        case .signedOut(let reason): SessionError.signedOut(reason).sentence
        default: nil
        }
    }

    /// Follows the connection.
    public func take(_ event: SessionEvent, _: ChatState) {
        guard case .connection(let next) = event else { return }
        hasTaken = true
        state = next
    }
}
