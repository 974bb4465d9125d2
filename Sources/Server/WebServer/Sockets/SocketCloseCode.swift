/// Why a socket was closed (RFC 6455, section 7.4, and IANA's registry).
package struct SocketCloseCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose of the socket is fulfilled.
    package static let normal = SocketCloseCode(rawValue: 1000)
    /// The client does not answer any more, or leaves.
    package static let goingAway = SocketCloseCode(rawValue: 1001)
    /// A frame breaks the protocol.
    package static let protocolError = SocketCloseCode(rawValue: 1002)
    /// A message is not text.
    package static let unacceptableData = SocketCloseCode(rawValue: 1003)
    /// A text is not valid UTF-8.
    package static let invalidText = SocketCloseCode(rawValue: 1007)
    /// The client does something that it may not do.
    package static let policyViolation = SocketCloseCode(rawValue: 1008)
    /// A message is too large.
    package static let messageTooLarge = SocketCloseCode(rawValue: 1009)
    /// The server failed.
    package static let internalError = SocketCloseCode(rawValue: 1011)
    /// The server stops or restarts; the client should connect again.
    package static let serviceRestart = SocketCloseCode(rawValue: 1012)
    /// The server has too much to do; the client should try again later.
    package static let tryAgainLater = SocketCloseCode(rawValue: 1013)

    /// The token expired or the key was revoked; the client needs another one.
    package static let unauthorized = SocketCloseCode(rawValue: 3000)
    /// The person may not use the server any more.
    package static let forbidden = SocketCloseCode(rawValue: 3003)

    /// Whether a close frame may carry the code; the others only say how a socket ended without one.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The error of sending on a socket that is closed or being closed.
package struct SocketClosedError: Error, Equatable {
    package init() {}
}
