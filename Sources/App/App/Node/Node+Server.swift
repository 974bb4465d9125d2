import Foundation
import HTTPAPI
import WebServer

extension Node {
    /// Makes the HTTP server of a node.
    ///
    /// - Parameters:
    ///   - authentication: How callers are authenticated; nil if every caller is trusted.
    ///   - credentials: Certificate and key; nil for plain HTTP.
    ///   - push: Notifications for devices.
    ///   - isListening: Called with the bound port once requests are answered.
    /// - Returns: The server; it does not listen yet.
    /// - Throws: ``SettingsError`` if the files of the page cannot be used.
    func makeServer(
        authentication: AuthenticationSettings?, credentials: TLSCredentials?, push: PushParts,
        isListening: @escaping @Sendable (Int) -> Void
    ) throws -> HTTPAPIServer {
        var api = HTTPAPISettings(workspace.settings)
        api.authentication = authentication
        // A killed server leaves its import files behind.
        if let folder = api.importFolder { try? FileManager.default.removeItem(at: folder) }
        let host = NodeHost(self, showsMetrics: true) {
            [settings = workspace.settings, address = status.address] port in
            address.set(settings.address(port: port))
            isListening(port)
        }
        var services = HTTPAPIServices(self, host: host, push: push.registry, credentials: credentials)
        services.page = try workspace.settings.makePage()
        return HTTPAPIServer(settings: api, services: services)
    }
}

extension NexusSettings {
    /// Reads certificate and key; nil for plain HTTP.
    func makeCredentials() throws -> TLSCredentials? {
        try tls.map { try TLSCredentials(certificatePath: $0.certificate.path, keyPath: $0.key.path) }
    }
}
