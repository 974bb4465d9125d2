import ChatCore
import HTTPTypes
import Hummingbird
import WebServer

/// Cookies of this server: never readable by scripts, and sent only to the routes that use them.
struct SessionCookie {
    /// The refresh token of a session.
    static let session = SessionCookie(name: "nexus-session", path: "/v1/session", sameSite: "Strict")
    /// The mark of a device on which a person has signed in; it stays when the person signs out.
    static let device = SessionCookie(name: "nexus-device", path: "/v1/session", sameSite: "Strict")
    /// How long a device is known.
    static let deviceLifetime = Duration.seconds(365 * 86_400)

    let name: String
    let path: String
    let sameSite: String

    /// Returns the cookie's value in a request; nil if there is none.
    func value(in request: Request) -> String? {
        for field in request.headers.values(of: "cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2, parts[0] == name { return String(parts[1]) }
            }
        }
        return nil
    }

    /// Returns the field that sets the cookie; an empty value removes it.
    ///
    /// - Parameters:
    ///   - value: Without characters that need quoting.
    ///   - lifetime: How long a browser keeps it.
    ///   - isSecure: Whether it is sent over TLS only.
    /// - Returns: The value of `Set-Cookie`.
    func field(_ value: String, lifetime: Duration, isSecure: Bool) -> String {
        let age = value.isEmpty ? 0 : lifetime.components.seconds
        return "\(name)=\(value); Path=\(path); Max-Age=\(age); HttpOnly; SameSite=\(sameSite)"
            + (isSecure ? "; Secure" : "")
    }
}

extension API {
    /// Whether the cookies of a request are for TLS only: always, except over plain HTTP to a loopback name.
    ///
    /// A server behind a proxy does not know what the browser speaks, and the browser drops cookies that it must not
    /// keep.
    func cookiesAreSecure(_ incoming: IncomingRequest) -> Bool {
        if services.credentials != nil { return true }
        if let publicURL = settings.publicURL { return publicURL.hasPrefix("https:") }
        return BrowserGuard.authority(of: incoming.request, isStream: incoming.isStream)?.isLoopback != true
    }

    /// Refuses requests of pages other than this server's own.
    func refuseOtherPages(_ incoming: IncomingRequest) throws(Failure) {
        if let fault = browserGuard?.pageFault(of: incoming.request, isStream: incoming.isStream) {
            throw Failure(fault)
        }
    }
}
