import ChatCore
import Foundation
import Logging
import PostgresStore

/// All settings; those of a topic stand in its file, in the order in which `nexus config` shows them.
package enum Settings {
    /// Every setting that there is.
    package static let all: [any AnySetting] = [
        ofData, ofHTTP, ofAuthentication, ofPermissions, ofLimits, ofAssistant, ofFiles, ofReplies, ofFirestore,
        ofMatrix, ofMattermost, ofSlack,
        ofProvider, ofEmbedding, ofChat, ofSearch, ofPush, ofAccounts,
    ].flatMap { $0 }
}

/// Data and logs.
extension Settings {
    static let dataFolder = Setting<URL>("data.folder", default: "./data").showing { $0.dataFolder.path }
    static let storeURL = Setting<String?>("store.url", "none: SQLite in data.folder", isSecret: true)
    static let storePasswordFile = Setting<String?>("store.password-file")
    static let storeAcceptsLoss = Setting<Bool>("store.accept-loss", default: false)
    static let storeAcceptedTimeline = Setting<Int?>("store.accept-timeline", in: 1...Int(Int32.max))
    static let logLevel = Setting<Logger.Level>("log.level", default: .info)
    static let logFormat = Setting<String>("log.format", of: ["text", "json"], default: "text")
    static let traceFile = Setting<URL?>("trace.file", "none: no spans are written")

    static let ofData: [any AnySetting] = [
        dataFolder, storeURL, storePasswordFile, storeAcceptsLoss, storeAcceptedTimeline, logLevel, logFormat,
        traceFile,
    ]

    /// Returns the PostgreSQL database; nil for SQLite.
    static func database(_ source: SettingsSource) throws -> PostgresAddress? {
        let passwordFile = try source[storePasswordFile]
        guard let text = try source[storeURL] else {
            guard passwordFile == nil else {
                throw SettingsError.inconsistent("store.password-file needs store.url")
            }
            guard try !source[storeAcceptsLoss] else {
                throw SettingsError.inconsistent("store.accept-loss needs store.url")
            }
            guard try source[storeAcceptedTimeline] == nil else {
                throw SettingsError.inconsistent("store.accept-timeline needs store.url")
            }
            return nil
        }
        // It is read again for each connection, because passwords change. A wrong file is reported at once.
        let password = { @Sendable in
            try passwordFile.map { try source.secret(in: $0, of: storePasswordFile).reveal() }
        }
        _ = try password()
        guard let address = PostgresAddress(text, password: password) else {
            throw SettingsError.invalidValue(
                key: storeURL.name, expected: "an address such as postgres://nexus@localhost/nexus")
        }
        return address
    }
}
