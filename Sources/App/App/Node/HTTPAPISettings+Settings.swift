import Foundation
import HTTPAPI
import WebServer

extension HTTPAPISettings {
    /// The settings of a server's HTTP API.
    init(_ settings: NexusSettings) {
        self.init(
            host: settings.host, port: settings.port, unixSocketPath: LocalSocket.path(in: settings.dataFolder),
            hosts: settings.hosts, authentication: settings.authentication, defaultUser: settings.defaultUser,
            crossOrigins: settings.crossOrigins,
            callableTimestamps: settings.timestamps,
            messageLinks: settings.messageLinks, listsSources: settings.listsSources, firestore: settings.firestore,
            answerTimeout: settings.answerTimeout, drainDuration: .seconds(settings.drainSeconds),
            requestsPerMinute: settings.requestsPerMinute)
        publicURL = settings.publicURL
        proxies = settings.proxies
        connections.limit = settings.connectionCount
        connections.limitPerAddress = settings.connectionsPerAddress
        importFolder = settings.dataFolder.appending(path: "imports")
        importByteLimit = settings.importByteLimit
    }
}
