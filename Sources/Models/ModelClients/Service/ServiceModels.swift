import ChatCore
import Foundation
package import Transport

/// The models that an OpenAI-compatible service offers: `GET {base}/models`.
package enum ServiceModels {
    private struct Body: Decodable {
        struct Model: Decodable {
            let id: String
        }

        let data: [Model]
    }

    /// Asks a service.
    ///
    /// - Parameters:
    ///   - address: The service.
    ///   - transport: What carries the request.
    ///   - timeLimit: How long it may take.
    /// - Returns: The names; nil when the service does not list its models.
    /// - Throws: ``ModelServiceError``.
    package static func names(
        at address: ServiceAddress, transport: any HTTPTransport, timeLimit: Duration = .seconds(10)
    ) async throws -> [String]? {
        let endpoint = try ServiceEndpoint(address, path: "models")
        let request = HTTPExchangeRequest(
            method: "GET", url: endpoint.url, headers: endpoint.headers,
            deadlines: HTTPDeadlines(connect: timeLimit, idle: timeLimit, total: timeLimit))
        do {
            let response = try await transport.send(request)
            switch response.status {
            case 200: return (try? JSONDecoder().decode(Body.self, from: response.body))?.data.map(\.id)
            case 404, 405, 501: return nil
            default:
                throw ServiceFailure.error(
                    status: response.status, body: ServiceErrorBody(response.body), endpoint: endpoint)
            }
        } catch let error as TransportError {
            throw ServiceFailure(error).error
        }
    }
}
