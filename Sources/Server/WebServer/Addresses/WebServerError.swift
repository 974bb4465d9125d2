/// A reason why the server cannot listen.
package enum WebServerError: Error, Equatable, Sendable {
    /// Another process listens on the port already.
    case portInUse(host: String, port: Int)
    /// Listening on the address failed; `reason` is the system's message.
    case cannotListen(host: String, port: Int, reason: String)
    /// The local socket cannot be made; `reason` says why.
    case cannotListenLocally(path: String, reason: String)
}

extension WebServerError: CustomStringConvertible {
    /// One line for an operator.
    package var description: String {
        switch self {
        case .portInUse(let host, let port): "port \(port) on \(host) is in use by another process"
        case .cannotListen(let host, let port, let reason): "cannot listen on \(host), port \(port): \(reason)"
        case .cannotListenLocally(let path, let reason): "cannot listen on the socket \(path): \(reason)"
        }
    }
}
