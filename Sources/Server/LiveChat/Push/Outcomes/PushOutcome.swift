package import ChatCore

/// The end of one attempt to notify a device, and thereby what is done next.
package enum PushOutcome: Hashable, Sendable {
    /// The service took the notification.
    case delivered
    /// The device is gone: its registration is ended, if ``PushDevice/isEnded(by:)`` says so.
    case rejected(since: Timestamp?)
    /// Send it again later, not before the given time has passed; see ``PushBackoff``.
    case retry(after: Duration?)
    /// The service does not accept the server's credentials; keep the device, tell the operator, try later.
    ///
    /// Credentials that expired were renewed and refused again.
    case credentialsRefused(isExpired: Bool)
    /// The notification is too large for the service; it is given up.
    case tooLarge
    /// The service, or this server's settings, do not allow the request; it is given up and reported to the operator.
    case misconfigured(Cause)

    /// Why a request cannot succeed.
    package enum Cause: Hashable, Sendable {
        /// The settings have no credentials for the service.
        case notConfigured
        /// The address of the device cannot be used.
        case address(field: String)
        /// The URL must not be called.
        case endpoint(PushEndpointFault)
        /// The service refused the request; `reason` is the service's code, of ASCII letters and underscores.
        case refused(status: Int, reason: String?)
    }
}
