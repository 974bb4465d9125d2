import ChatCore
import Transport

/// The URL and the fixed headers of one function of a service.
struct ServiceEndpoint: Sendable {
    let url: String
    let headers: HTTPHeaders
    private let key: SecretText?

    /// Appends `path` to the base URL, before its query.
    ///
    /// - Parameters:
    ///   - address: The service.
    ///   - path: The function, without slashes at its ends.
    /// - Throws: ``ModelServiceError/misconfigured(reason:)`` when the base URL is not an http or https address.
    init(_ address: ServiceAddress, path: String) throws(ModelServiceError) {
        let lowercased = address.baseURL.lowercased()
        guard lowercased.hasPrefix("http://") || lowercased.hasPrefix("https://") else {
            throw .misconfigured(reason: "the base URL of a model service starts with http:// or https://")
        }
        guard !address.baseURL.contains("#") else {
            throw .misconfigured(reason: "the base URL of a model service has no fragment")
        }
        let parts = address.baseURL.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var base = parts[0]
        while base.last == "/" { base.removeLast() }
        url = "\(base)/\(path)" + (parts.count > 1 ? "?\(parts[1])" : "")
        var headers: HTTPHeaders = ["Content-Type": "application/json", "Accept": "application/json"]
        if let key = address.key {
            let isAzure = Self.host(of: base).hasSuffix(".azure.com")
            headers[isAzure ? "api-key" : "Authorization"] = isAzure ? key.reveal() : "Bearer \(key.reveal())"
        }
        (self.headers, key) = (headers, address.key)
    }

    /// Returns `code` unless it contains the key.
    func withoutKey(_ code: String) -> String {
        guard let key, code.contains(key.reveal()) else { return code }
        return ServiceErrorBody.unspecified
    }

    static func check(model: String) throws(ModelServiceError) {
        guard !model.isEmpty else { throw .misconfigured(reason: "a model service needs the name of a model") }
    }

    private static func host(of base: Substring) -> Substring {
        let authority = base.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" }
        return authority.prefix { $0 != ":" }
    }
}
