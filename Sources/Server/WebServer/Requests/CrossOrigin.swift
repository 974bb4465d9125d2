import Foundation
import HTTPTypes
import Hummingbird

/// The rule for pages of other origins that call the server from a browser (the Fetch standard's CORS protocol).
///
/// Nothing is allowed unless origins are listed. `Access-Control-Allow-Credentials` is never sent: callers are
/// identified by the field `Authorization`, not by cookies.
package struct CrossOrigin: Sendable {
    /// How long a browser may remember a preflight, in seconds.
    private static let maximumAge = "600"
    private static let methods = "GET, POST, PUT, PATCH, DELETE"
    /// The fields that pages may read, beside those that browsers always show them.
    private static let exposed = [
        "X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy", "WWW-Authenticate", "Idempotency-Replayed",
        "Mcp-Session-Id", "ETag", "Accept-Ranges", "Content-Range", "Content-Disposition", "Allow",
        "Nexus-Ignored",
    ].joined(separator: ", ")

    private let origins: Set<String>

    /// Makes the rule for listed origins, `*` for any; none allows nothing.
    package init(origins: [String]) {
        self.origins = Set(origins)
    }

    /// Whether a text names an origin as browsers write it, `https://chat.example.com:8443`, or is `*`.
    package static func isOrigin(_ text: String) -> Bool {
        guard text != "*" else { return true }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host,
            ["http", "https"].contains(scheme), !host.isEmpty
        else { return false }
        let port = parts.port.map { ":\($0)" } ?? ""
        return text == "\(scheme)://\(host.lowercased())\(port)"
    }

    /// Returns the answer to a browser's question whether it may send a request; nil for any other request.
    func preflight(_ request: Request) -> Response? {
        guard request.method == .options, request.headers[.origin] != nil,
            request.headers[.accessControlRequestMethod] != nil, !origins.isEmpty
        else { return nil }
        var response = Response(status: .noContent)
        guard allowed(request) != nil else { return response }
        response.headers[.accessControlAllowMethods] = Self.methods
        response.headers[.accessControlMaxAge] = Self.maximumAge
        // Every field is allowed, because none gives a client more rights than its token does.
        if let wanted = request.headers[.accessControlRequestHeaders] {
            response.headers[.accessControlAllowHeaders] = wanted
        }
        return response
    }

    /// Adds the origin that may read a response.
    func allow(_ request: Request, in response: inout Response) {
        guard !origins.isEmpty else { return }
        response.headers[.vary] = [response.headers[.vary], "Origin"].compactMap(\.self).joined(separator: ", ")
        guard let origin = allowed(request) else { return }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.exposed
    }

    /// Returns the allowed origin of a request; nil if it is not allowed.
    func allowed(_ request: Request) -> String? {
        guard let origin = request.headers[.origin] else { return nil }
        if origins.contains("*") { return "*" }
        return origins.contains(origin) ? origin : nil
    }
}
