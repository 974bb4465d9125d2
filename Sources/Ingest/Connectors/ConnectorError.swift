import ChatCore

/// A reason why a server did not do what a connector asked for.
enum ConnectorError: Error, Equatable, Sendable {
    /// It refused; with its code, such as `M_FORBIDDEN`.
    case refused(status: Int, code: String)
    /// It cannot be reached, or failed.
    case unavailable
    /// It asks to wait for longer than the caller can.
    case limited(until: Timestamp)
    /// Its reply is not what was asked for.
    case unreadable

    /// Whether the room cannot be read because Nexus is not in it, or it does not exist.
    var isAboutMembership: Bool {
        guard case .refused(let status, let code) = self else { return false }
        return status == 404 || status == 403 && code != "M_UNKNOWN_TOKEN"
    }

    /// Whether the server does not know the token.
    var isAboutToken: Bool {
        guard case .refused(let status, _) = self else { return false }
        return status == 401
    }

    /// Whether the object does not exist.
    var isAboutAbsence: Bool {
        guard case .refused(let status, _) = self else { return false }
        return status == 404 || status == 410
    }
}
