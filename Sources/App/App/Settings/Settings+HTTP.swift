import ChatCore
import Foundation
import HTTPAPI
import ModelClients
import UseCases
import WebServer

/// The server and its clients.
extension Settings {
    static let host = Setting<String>("http.host", default: "127.0.0.1")
    static let hosts = Setting<[String]>(
        "http.hosts", default: "", "none: http.host, localhost and addresses",
        expected: "names as chat.example.com, without ports, separated by commas"
    ) { $0.commaSeparated { Authority.isHost($0) ? $0 : nil } }
    static let proxies = Setting<[IPNetwork]>(
        "http.proxies", default: "", "none: X-Forwarded-For is ignored",
        expected: "addresses or networks as 127.0.0.1 and 10.0.0.0/8, separated by commas"
    ) { $0.commaSeparated { IPNetwork($0) } }
    static let port = Setting<Int>("http.port", in: 0...65_535, default: 8_080)
    static let defaultUser = Setting<String?>("http.default-user")
    static let crossOrigins = Setting<[String]>(
        "http.cors-origins", default: "", "none: no pages of other origins",
        expected: "origins as https://chat.example.com, separated by commas"
    ) { $0.commaSeparated { CrossOrigin.isOrigin($0) ? $0 : nil } }
    static let page = Setting<String>("http.page", of: ["on", "off"], default: "on")
    static let pageFolder = Setting<URL?>("http.page-folder", "none: the page in the program")
    static let tlsCertificate = Setting<URL?>("http.tls-certificate", "none: plain HTTP")
    static let tlsKey = Setting<URL?>("http.tls-key")
    static let connections = Setting<Int>("http.connections", in: 1...1_000_000, default: 4_096)
    static let connectionsPerAddress = Setting<Int?>(
        "http.connections-per-address", in: 1...1_000_000, "a third of http.connections")
    static let drainSeconds = Setting<Int>("http.drain-seconds", in: 0...60, default: 1)

    static let ofHTTP: [any AnySetting] = [
        host, hosts, proxies, port, defaultUser, crossOrigins, page, pageFolder, tlsCertificate, tlsKey, connections,
        connectionsPerAddress, drainSeconds,
    ]

    /// Reads the files of certificate and key.
    static func tls(_ source: SettingsSource) throws -> (certificate: URL, key: URL)? {
        switch (try source[tlsCertificate], try source[tlsKey]) {
        case (let certificate?, let key?): return (certificate, key)
        case (nil, nil): return nil
        default: throw SettingsError.inconsistent("http.tls-certificate and http.tls-key must be set together")
        }
    }
}

/// The form of replies.
extension Settings {
    static let timestamps = Setting<CallableTimestamps>("callable.timestamps", default: .iso)
    static let messageURL = Setting<MessageLinkTemplate?>(
        "http.message-url", "none: only links that came with messages",
        expected: "an http or https address with {messageId}, and {conversationId} if it is needed, "
            + "in its path, query or fragment"
    ) { MessageLinkTemplate($0) }
    static let sourceList = Setting<Bool>("openai.source-list", default: true)

    static let ofReplies: [any AnySetting] = [timestamps, messageURL, sourceList]
}

/// Events of Firestore.
extension Settings {
    private static let usual = FirestoreSettings()

    static let firestoreSecret = SecretSetting("firestore.secret")
    static let firestorePath = Setting<String>(
        "firestore.message-path", default: usual.messagePath, expected: "a path as conversations/{c}/messages/{m}"
    ) { FirestoreSettings.isUsable(messagePath: $0) ? $0 : nil }
    static let firestoreText = Setting<String>("firestore.fields.text", default: usual.fields.text)
    static let firestoreSender = Setting<String>("firestore.fields.sender-id", default: usual.fields.senderID)
    static let firestoreName = Setting<String>("firestore.fields.sender-name", default: usual.fields.senderName)
    static let firestoreTime = Setting<String>("firestore.fields.timestamp", default: usual.fields.timestamp)

    static let ofFirestore: [any AnySetting] = [
        firestoreSecret.text, firestoreSecret.file, firestorePath, firestoreText, firestoreSender, firestoreName,
        firestoreTime,
    ]

    static func firestore(_ source: SettingsSource) throws -> FirestoreSettings {
        FirestoreSettings(
            secret: try source[firestoreSecret], messagePath: try source[firestorePath],
            fields: FirestoreSettings.Fields(
                text: try source[firestoreText], senderID: try source[firestoreSender],
                senderName: try source[firestoreName], timestamp: try source[firestoreTime]))
    }
}
