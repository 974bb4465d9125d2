import Foundation
import Hummingbird

extension API {
    /// Where the API describes itself.
    var openAPIRoutes: [Route] {
        [
            Route(.get, "openapi.json", .everyone, id: "openapi", "Describes this API, as OpenAPI 3.1.") { _, _ in
                .json(try openAPI(), status: .ok)
            }
        ]
    }

    /// Returns the description of the routes over TCP.
    func openAPI() throws -> Data {
        let document = OpenAPIDocument(
            routes: routes, documents: documents, asksForTokens: settings.authentication != nil)
        return try WireEncoding.data(document.value)
    }
}
