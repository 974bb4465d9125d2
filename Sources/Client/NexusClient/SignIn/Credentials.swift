public import Foundation

/// What lets a person stay signed in on this device: keep it as a password.
public struct Credentials: Hashable, Sendable, Codable {
    /// The person.
    public var userID: String
    /// The name to show.
    public var name: String
    /// Renews the session, and is another one each time; nil if the tokens come from the app.
    public var sessionCookie: String?
    /// Tells the server that the person has signed in on this device before.
    public var deviceCookie: String?

    public init(userID: String, name: String, sessionCookie: String? = nil, deviceCookie: String? = nil) {
        self.userID = userID
        self.name = name
        self.sessionCookie = sessionCookie
        self.deviceCookie = deviceCookie
    }
}

/// Keeps credentials on this device, one person for each server.
public protocol CredentialStore: Sendable {
    /// Returns what is kept for a server; nil for nothing.
    ///
    /// - Parameter server: The address of the server.
    /// - Returns: The credentials.
    /// - Throws: Errors of the place where they are.
    func credentials(for server: String) throws -> Credentials?

    /// Keeps credentials instead of those before; nil removes them.
    ///
    /// - Parameters:
    ///   - credentials: The credentials.
    ///   - server: The address of the server.
    /// - Throws: Errors of the place where they are.
    func keep(_ credentials: Credentials?, for server: String) throws
}

/// Credentials that end with the process.
public final class InMemoryCredentials: CredentialStore {
    private let kept = Locked<[String: Credentials]>([:])

    public init() {}

    /// See ``CredentialStore/credentials(for:)``.
    public func credentials(for server: String) -> Credentials? { kept.withLock { $0[server] } }

    /// See ``CredentialStore/keep(_:for:)``.
    public func keep(_ credentials: Credentials?, for server: String) { kept.withLock { $0[server] = credentials } }
}

/// Credentials in a file that only its owner may read (mode 0600); on Apple platforms `KeychainCredentials` is better.
public final class FileCredentials: CredentialStore {
    private let file: URL
    /// One reads and writes at a time.
    private let lock = Locked(())

    /// - Parameter folder: A folder that exists; the file in it is `credentials.json`.
    public init(in folder: URL) {
        file = folder.appending(path: "credentials.json")
    }

    /// See ``CredentialStore/credentials(for:)``.
    public func credentials(for server: String) throws -> Credentials? { try lock.withLock { _ in try read()[server] } }

    /// See ``CredentialStore/keep(_:for:)``.
    public func keep(_ credentials: Credentials?, for server: String) throws {
        try lock.withLock { _ in
            var all = try read()
            all[server] = credentials
            try write(all)
        }
    }

    private func read() throws -> [String: Credentials] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        return try JSONDecoder().decode([String: Credentials].self, from: Data(contentsOf: file))
    }

    /// Replaces the file by a whole one: after a crash there is the old file or the new one.
    private func write(_ all: [String: Credentials]) throws {
        guard !all.isEmpty else {
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            return
        }
        let next = file.path + ".new"
        let content = try JSONEncoder().encode(all)
        // With this mode from the start: others could open a file whose mode is set after it was made.
        let descriptor = open(next, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw StoreError.failed }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard fchmod(descriptor, 0o600) == 0 else { throw StoreError.failed }
        try handle.write(contentsOf: content)
        try handle.close()
        guard rename(next, file.path) == 0 else { throw StoreError.failed }
    }
}
