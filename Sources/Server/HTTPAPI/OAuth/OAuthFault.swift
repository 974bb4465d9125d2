import ChatCore
import HTTPTypes
import Hummingbird

/// An error of OAuth 2.1, as programs read it (RFC 6749, section 5.2).
struct OAuthFault: Error, Equatable {
    /// The words of the specifications.
    enum Code: String {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidTarget = "invalid_target"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case invalidRedirectURI = "invalid_redirect_uri"
        case invalidClientMetadata = "invalid_client_metadata"
        case accessDenied = "access_denied"
    }

    let code: Code
    /// One line for people; it quotes nothing of a secret.
    let detail: String

    init(_ code: Code, _ detail: String) { (self.code, self.detail) = (code, detail) }

    /// The response in JSON.
    func response() throws -> Response {
        let status: HTTPResponse.Status = code == .invalidClient ? .unauthorized : .badRequest
        let body = JSONValue.object(["error": .string(code.rawValue), "error_description": .string(detail)])
        var response = Response.json(try WireEncoding.data(body), status: status)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
