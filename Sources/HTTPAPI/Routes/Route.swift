import HTTPTypes
import Hummingbird

/// One path with one method, and what answers there.
struct Route: Sendable {
    /// How errors are written.
    enum ErrorShape: Sendable {
        case problem
        case callable
    }

    let method: HTTPRequest.Method
    /// The pattern: `:name` stands for one segment.
    let path: String
    let errors: ErrorShape
    let handle: @Sendable (IncomingRequest) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, errors: ErrorShape = .problem,
        handle: @escaping @Sendable (IncomingRequest) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.errors = errors
        self.handle = handle
    }
}
