import Foundation
import Hummingbird
import Synchronization

extension API {
    /// Where the API describes itself.
    var openAPIRoutes: [Route] {
        [
            Route(.get, "openapi.json", .everyone, id: "openapi", "Describes this API, as OpenAPI 3.1.") { _, _ in
                .json(try description.value { try openAPI() }, status: .ok)
            }
        ]
    }

    /// Returns the description of the routes over TCP.
    func openAPI() throws -> Data {
        let document = OpenAPIDocument(
            routes: routes, documents: documents, asksForTokens: settings.authentication != nil,
            version: services.version)
        return try WireEncoding.data(document.value)
    }
}

/// A value that is made when it is first asked for, and kept.
package final class MadeOnce<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)

    package init() {}

    /// Returns the value, which `make` makes the first time; what fails is tried again.
    package func value(_ make: () throws -> Value) rethrows -> Value {
        try made.withLock { made in
            if let made { return made }
            let value = try make()
            made = value
            return value
        }
    }
}
