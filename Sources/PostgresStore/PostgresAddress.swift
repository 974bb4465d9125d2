import CPostgres
import Glibc

/// The address of a PostgreSQL database: a connection string or URI, as libpq reads it.
///
/// It may hold a password, so its description is masked. Missing options come from the environment (`PGHOST`, `PGPASSFILE`
/// and so on); the defaults below apply unless the address sets them.
public struct PostgresAddress: Sendable {
    /// A lost server or network is noticed within half a minute, so that no request waits longer.
    private static let defaults: [(name: String, value: String)] = [
        ("connect_timeout", "10"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
        ("tcp_user_timeout", "20000"),
    ]

    private let text: String
    private let password: String?

    /// Nil if libpq cannot read the text.
    ///
    /// - Parameters:
    ///   - text: A connection string or URI.
    ///   - password: The password, if it is kept elsewhere.
    public init?(_ text: String, password: String? = nil) {
        var failure: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &failure) else {
            PQfreemem(failure)
            return nil
        }
        PQconninfoFree(options)
        (self.text, self.password) = (text, password)
    }

    /// Opens a connection; returns libpq's object for it, also for one that failed.
    func connect() -> OpaquePointer? {
        // A later value replaces an earlier one, and the text is the last.
        var options = Self.defaults
        if let password { options.append(("password", password)) }
        options.append(("dbname", text))
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
    public var description: String { "********" }
    /// Eight asterisks.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
