import CPostgres
import Glibc
import MessageStore

/// The address of a PostgreSQL database: a connection string or URI, as libpq reads it.
///
/// It may hold a password, so its description is masked. Missing options come from the environment (`PGHOST`, `PGPASSFILE`
/// and so on); the defaults below apply unless the address sets them.
package struct PostgresAddress: Sendable {
    /// A lost server or network is noticed within half a minute, so that no request waits longer.
    private static let defaults: [(name: String, value: String)] = [
        ("connect_timeout", "10"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "20000"),
    ]

    /// The seconds until another one of several servers is tried.
    private static let severalServersTimeout = "3"

    private let text: String
    private let password: @Sendable () throws -> String?
    /// The options of one of several servers, which replace those of the text.
    private var server: [(name: String, value: String)] = []
    private var isOneOfSeveral = false

    /// Nil if libpq cannot read the text.
    ///
    /// - Parameters:
    ///   - text: A connection string or URI.
    ///   - password: Called for each connection; returns the password if it is kept elsewhere.
    package init?(_ text: String, password: @escaping @Sendable () throws -> String? = { nil }) {
        guard Self.options(of: text) != nil else { return nil }
        (self.text, self.password) = (text, password)
    }

    /// The options that a text sets; nil if it cannot be read.
    private static func options(of text: String) -> [String: String]? {
        var failure: UnsafeMutablePointer<CChar>?
        guard let list = PQconninfoParse(text, &failure) else {
            PQfreemem(failure)
            return nil
        }
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }

    /// The addresses of the servers, if the text names several; otherwise this one alone.
    ///
    /// libpq takes the first server that accepts writes, which may be an old primary. So each is tried alone, and the
    /// caller decides.
    var servers: [PostgresAddress] {
        let options = Self.options(of: text) ?? [:]
        let lists = ["host", "hostaddr", "port"].compactMap { name in
            options[name].map { (name, $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)) }
        }
        let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
        guard count > 1 else { return [self] }
        return (0..<count).map { place in
            var address = self
            address.isOneOfSeveral = true
            address.server = lists.compactMap { name, values in
                if values.indices.contains(place) { return (name, values[place]) }
                return values.count == 1 ? (name, values[0]) : nil
            }
            // Each connection asks its server whether it accepts writes.
            if options["target_session_attrs"] != nil { address.server.append(("target_session_attrs", "any")) }
            return address
        }
    }

    private func readPassword() throws(PostgresFailure) -> String? {
        do { return try password() } catch {
            throw PostgresFailure(code: nil, reason: "the file of the password cannot be read")
        }
    }

    /// Opens a connection; returns libpq's object for it, also for one that failed.
    ///
    /// - Throws: ``PostgresFailure`` if the password cannot be read.
    func connect() throws(PostgresFailure) -> OpaquePointer? {
        // A later value replaces an earlier one.
        var options = Self.defaults
        if isOneOfSeveral { options.append(("connect_timeout", Self.severalServersTimeout)) }
        if let password = try readPassword() { options.append(("password", password)) }
        options.append(("dbname", text))
        options += server
        var names = options.map { strdup($0.name) } + [nil]
        var values = options.map { strdup($0.value) } + [nil]
        defer { for text in names + values { free(text) } }
        return names.withUnsafeMutableBufferPointer { names in
            values.withUnsafeMutableBufferPointer { values in
                names.withMemoryRebound(to: UnsafePointer<CChar>?.self) { names in
                    values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
                        PQconnectdbParams(names.baseAddress, values.baseAddress, 1)
                    }
                }
            }
        }
    }
}

extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Eight asterisks.
    package var description: String { "********" }
    /// Eight asterisks.
    package var debugDescription: String { description }
    /// Empty.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
