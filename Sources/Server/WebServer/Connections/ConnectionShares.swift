package import ChatCore
package import CoreMetrics
import HummingbirdCore
import Logging
package import NIOCore
import Synchronization

/// The shares of connections and of requests in work: see ``ConnectionTable``.
package final class ConnectionShares: Sendable {
    /// The most uploads of a person at a time.
    package static let uploadLimit = 4

    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Connections that are closed before anything is read.
        var refused: Set<ObjectIdentifier> = []
    }

    private let addresses: ClientAddress
    private let perAddress: Int
    private let perPerson: Int
    private let state: Mutex<State>
    private let refused: Counter
    private let evicted: Counter

    package init(settings: ConnectionSettings, addresses: ClientAddress, metrics: any MetricsFactory) {
        self.addresses = addresses
        let total = settings.limit
        // With few connections shares would only be in the way.
        perAddress = settings.limitPerAddress ?? max(16, total / 3)
        perPerson = max(16, total / 4)
        state = Mutex(State(table: ConnectionTable(limits: .init(total: total, perAddress: perAddress))))
        let name = "http_server_connections_closed_total"
        refused = Counter(label: name, dimensions: [("reason", "address_share")], factory: metrics)
        evicted = Counter(label: name, dimensions: [("reason", "crowded")], factory: metrics)
    }

    /// Adds a connection until it is closed.
    func open(_ channel: any Channel) {
        let (id, peer) = (ObjectIdentifier(channel), channel.remoteAddress?.ipAddress)
        let address =
            addresses.isShared(peer) ? nil : ClientAddress.limited(peer, countsThisMachine: addresses.knowsProxies)
        let (opening, closed) = state.withLock { state in
            let opening = state.table.open(id, from: address)
            guard case .opens(let closing) = opening else {
                state.refused.insert(id)
                return (opening, (any Channel)?.none)
            }
            state.channels[id] = channel
            return (opening, closing.flatMap { state.channels[$0] })
        }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.table.close(id)
                state.channels[id] = nil
                state.refused.remove(id)
            }
        }
        if opening == .refused { refused.increment() }
        if let closed {
            evicted.increment()
            closed.close(promise: nil)
        }
    }

    /// Whether the address of a connection has too many.
    func refuses(_ channel: any Channel) -> Bool { state.withLock { $0.refused.contains(ObjectIdentifier(channel)) } }

    /// Notes that the whole head of a request arrived; `channel` is the connection, or the stream.
    func begin(_ channel: any Channel) {
        let (request, id) = (ObjectIdentifier(channel), Self.connection(of: channel))
        state.withLock { $0.table.begin(request, on: id) }
    }

    /// Notes that the body of a request did not come with its head.
    func wait(_ channel: any Channel) {
        let id = Self.connection(of: channel)
        state.withLock { $0.table.wait(on: id) }
    }

    /// Notes that such a body is complete.
    func complete(_ channel: any Channel) {
        let id = Self.connection(of: channel)
        state.withLock { $0.table.complete(on: id) }
    }

    /// Notes that a request was answered, or that the stream is closed.
    func end(_ channel: any Channel) {
        let (request, id) = (ObjectIdentifier(channel), Self.connection(of: channel))
        state.withLock { $0.table.end(request, on: id) }
    }

    /// Counts a request for its address, if only the proxy's connection is known.
    package func hold(_ channel: any Channel, from address: String?) throws(RequestFault) {
        guard let address, addresses.knowsProxies, addresses.isShared(channel.remoteAddress?.ipAddress) else { return }
        try hold(channel, for: .address(address), limit: perAddress)
    }

    /// Counts a request for a person.
    package func hold(_ channel: any Channel, by user: UserID) throws(RequestFault) {
        try hold(channel, for: .person(user), limit: perPerson)
    }

    /// Counts an upload of a person.
    package func holdUpload(_ channel: any Channel, by user: UserID) throws(RequestFault) {
        guard take(channel, for: .uploads(user), limit: Self.uploadLimit) else { throw .tooManyUploads }
    }

    private func hold(_ channel: any Channel, for holder: RequestHolder, limit: Int) throws(RequestFault) {
        guard take(channel, for: holder, limit: limit) else { throw .tooManyInProgress }
    }

    private func take(_ channel: any Channel, for holder: RequestHolder, limit: Int) -> Bool {
        let (request, id) = (ObjectIdentifier(channel), Self.connection(of: channel))
        return state.withLock { $0.table.hold(request, on: id, for: holder, limit: limit) }
    }

    /// The connection of a stream of HTTP/2, which has the listening socket as its grandparent; else the channel itself.
    private static func connection(of channel: any Channel) -> ObjectIdentifier {
        guard let parent = channel.parent, parent.parent != nil else { return ObjectIdentifier(channel) }
        return ObjectIdentifier(parent)
    }
}

/// Connections that are counted before anything is read from them.
struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let shares: ConnectionShares

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        shares.open(channel)
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        // An error in `setup` would end the server.
        if shares.refuses(value.channel) { value.channel.close(promise: nil) }
        await base.handle(value: value, logger: logger)
    }
}
