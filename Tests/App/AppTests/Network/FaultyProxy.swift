import Foundation
import Glibc
import Synchronization

/// Numbers that are the same for the same seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns whether something happens that has a probability.
    mutating func isTrue(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}

/// A bad network between a client and a server: each connection has a fate that is drawn from a seed.
final class FaultyProxy: Sendable {
    /// What happens to a connection.
    enum Fate: Hashable, Sendable, CaseIterable {
        /// It works.
        case healthy
        /// It works, and later connections overtake it.
        case late
        /// Bytes arrive late and in small pieces.
        case slow
        /// It is closed at once.
        case refused
        /// The answer is 502; the server hears nothing.
        case badGateway
        /// The server hears the request, but the answer is 502.
        case lostReply
        /// It ends somewhere in what the client says.
        case cutUp
        /// It ends somewhere in what the server says.
        case cutDown
        /// Everything disappears for a while; then it ends.
        case silent
    }

    private struct State {
        var numbers: SeededNumbers
        var server: UInt16?
        var faultShare: Double
        var open: Set<Int32> = []
        var counts: [Fate: Int] = [:]
        var isClosed = false
    }

    private let state: Mutex<State>
    private let listener: Int32
    /// Where it listens.
    let port: UInt16

    /// - Parameters:
    ///   - seed: Decides about each connection.
    ///   - faultShare: The share of connections that do not just work, between 0 and 1.
    /// - Throws: `CocoaError` if there is no free port.
    init(seed: Int, faultShare: Double) throws {
        (listener, port) = try ProxySockets.listen()
        state = Mutex(State(numbers: SeededNumbers(seed), faultShare: faultShare))
        Thread.detachNewThread { [listener, weak self] in
            while let client = ProxySockets.accept(listener) {
                guard let self else { return ProxySockets.close(client) }
                begin(client)
            }
        }
    }

    deinit { close() }

    /// The address for clients.
    var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections had each fate.
    var counts: [Fate: Int] { state.withLock { $0.counts } }

    /// Passes new connections on to a server; nil for none.
    func connect(to server: UInt16?) { state.withLock { $0.server = server } }

    /// From now on everything works.
    func heal() { state.withLock { $0.faultShare = 0 } }

    /// Ends all connections.
    func drop() { state.withLock { for descriptor in $0.open { shutdown(descriptor, Int32(SHUT_RDWR)) } } }

    /// Ends all connections and listens no more.
    func close() {
        let wasClosed = state.withLock { state in
            defer { state.isClosed = true }
            return state.isClosed
        }
        guard !wasClosed else { return }
        drop()
        ProxySockets.close(listener)
    }

    private func begin(_ client: Int32) {
        let (fate, numbers) = state.withLock { state in
            let isFaulty = state.numbers.isTrue(state.faultShare)
            let fate = isFaulty ? Fate.allCases.dropFirst().randomElement(using: &state.numbers) : nil
            state.counts[fate ?? .healthy, default: 0] += 1
            state.open.insert(client)
            return (fate ?? .healthy, SeededNumbers(Int(truncatingIfNeeded: state.numbers.next())))
        }
        Thread.detachNewThread { [self] in
            serve(client, fate, numbers)
            end(client)
        }
    }

    private func end(_ descriptor: Int32) {
        _ = state.withLock { $0.open.remove(descriptor) }
        ProxySockets.close(descriptor)
    }

    private func serve(_ client: Int32, _ fate: Fate, _ numbers: SeededNumbers) {
        var numbers = numbers
        switch fate {
        case .refused: return
        case .silent:
            usleep(.random(in: 1_000...150_000, using: &numbers))
            return
        case .late: usleep(.random(in: 0...60_000, using: &numbers))
        case .badGateway:
            _ = ProxySockets.read(client)
            return ProxySockets.answerBadGateway(client)
        default: break
        }
        guard let port = state.withLock({ $0.server }), let server = ProxySockets.connect(to: port) else {
            guard numbers.isTrue(0.5) else { return }
            _ = ProxySockets.read(client)
            return ProxySockets.answerBadGateway(client)
        }
        state.withLock { state in
            state.open.insert(server)
            if state.isClosed { shutdown(server, Int32(SHUT_RDWR)) }
        }
        relay(client, server, fate, &numbers)
        end(server)
    }

    private func relay(_ client: Int32, _ server: Int32, _ fate: Fate, _ numbers: inout SeededNumbers) {
        let limit = Int.random(in: 1...3_000, using: &numbers)
        let pieces = fate == .slow ? SeededNumbers(Int(truncatingIfNeeded: numbers.next())) : nil
        let up = DispatchGroup()
        up.enter()
        Thread.detachNewThread {
            // Few bytes go this way.
            ProxySockets.pump(from: client, to: server, limit: fate == .cutUp ? limit / 4 + 1 : nil, pieces)
            if fate == .cutUp { shutdown(client, Int32(SHUT_RDWR)) }
            up.leave()
        }
        if fate == .lostReply {
            if ProxySockets.read(server) != nil { ProxySockets.answerBadGateway(client) }
        } else {
            ProxySockets.pump(from: server, to: client, limit: fate == .cutDown ? limit : nil, pieces)
        }
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
        up.wait()
    }
}

/// The socket calls of a proxy.
private enum ProxySockets {
    private static let badGateway = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    /// Listens on a free port.
    static func listen() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Glibc.listen(descriptor, 64) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isOpen else { throw CocoaError(.fileNoSuchFile) }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    static func accept(_ listener: Int32) -> Int32? {
        var descriptor: Int32
        repeat { descriptor = Glibc.accept(listener, nil, nil) } while descriptor < 0 && errno == EINTR
        return descriptor < 0 ? nil : quick(descriptor)
    }

    static func connect(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return quick(descriptor)
    }

    static func close(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_RDWR))
        Glibc.close(descriptor)
    }

    /// Reads what there is; nil at the end.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        var count: Int
        repeat { count = Glibc.read(descriptor, &bytes, bytes.count) } while count < 0 && errno == EINTR
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    static func answerBadGateway(_ client: Int32) { _ = write(Array(badGateway.utf8)[...], to: client) }

    /// Copies bytes until one side ends, or until `limit` bytes.
    ///
    /// - Parameters:
    ///   - source: Where they come from.
    ///   - sink: Where they go.
    ///   - limit: The most bytes; nil for all.
    ///   - numbers: Decides about pieces and pauses; nil for none.
    static func pump(from source: Int32, to sink: Int32, limit: Int?, _ numbers: SeededNumbers?) {
        var (left, numbers) = (limit ?? .max, numbers)
        while left > 0, let bytes = read(source) {
            var rest = bytes.prefix(left)
            left -= rest.count
            while !rest.isEmpty {
                var piece = rest
                if var present = numbers {
                    usleep(.random(in: 0...4_000, using: &present))
                    piece = rest.prefix(.random(in: 1...2_000, using: &present))
                    numbers = present
                }
                guard write(piece, to: sink) else { return }
                rest = rest.dropFirst(piece.count)
            }
        }
        if limit == nil { shutdown(sink, Int32(SHUT_WR)) }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                let count = send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func quick(_ descriptor: Int32) -> Int32 {
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }
}
