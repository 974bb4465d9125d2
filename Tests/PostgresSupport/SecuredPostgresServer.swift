import ChatCore
import Foundation
import Glibc
import PostgresStore
import TestSupport

/// A PostgreSQL server that takes only encrypted connections, on a port of 127.0.0.1; it ends with the value, or with the
/// process.
///
/// The database `certified` wants a certificate of the client, others a password.
package final class SecuredPostgresServer: Sendable {
    /// The password of the user.
    package static let password = "open sesame"

    private let folder: URL
    private let port: UInt16
    /// Ends when the process ends, which stops the server.
    private let lifeline = Pipe()

    package init() async throws {
        let programs = try PostgresPrograms()
        (folder, port) = (try programs.makeFolder(), try Self.freePort())
        let options = PostgresPrograms.options.replacingOccurrences(
            of: "listen_addresses=''", with: "listen_addresses=127.0.0.1")
        let request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
        try await programs.run(
            """
            umask 077
            for name in authority stranger; do
                \(request) -subj /CN=$name -addext basicConstraints=critical,CA:TRUE -keyout $name.key -out $name.pem
            done
            for name in localhost nexus; do
                \(request) -CA authority.pem -CAkey authority.key -subj /CN=$name -addext subjectAltName=DNS:$name \
                    -addext basicConstraints=CA:FALSE -keyout $name.key -out $name.pem
            done
            printf %s '\(Self.password)' > password
            \(programs.folder)/initdb -D data -U nexus -E UTF8 --locale=C --auth=scram-sha-256 --pwfile=password --no-sync
            {
                echo 'local all nexus trust'
                echo 'hostssl certified nexus 127.0.0.1/32 cert'
                echo 'hostssl all nexus 127.0.0.1/32 scram-sha-256'
            } > data/pg_hba.conf
            {
                echo 'ssl = on'
                echo "ssl_cert_file = '$PWD/localhost.pem'"
                echo "ssl_key_file = '$PWD/localhost.key'"
                echo "ssl_ca_file = '$PWD/authority.pem'"
            } >> data/postgresql.conf
            \(programs.folder)/pg_ctl start -w -D data -l server.log \
                -o "\(options) -c unix_socket_directories=\(folder.path) -c port=\(port)"
            \(programs.folder)/createdb -h \(folder.path) -p \(port) -U nexus certified
            """, in: folder,
            end: """
                \(programs.folder)/pg_ctl stop -w -m immediate -D data >/dev/null 2>&1
                rm -rf \(folder.path)
                """, lifeline: lifeline)
    }

    /// The address of a database, without password and settings of TLS.
    package func address(of database: String, host: String = "localhost") -> String {
        "host=\(host) hostaddr=127.0.0.1 port=\(port) user=nexus dbname=\(database)"
    }

    /// The path of one of its files: `authority.pem`, `stranger.pem`, `nexus.pem`, `nexus.key`.
    package func path(_ name: String) -> String { folder.appending(path: name).path }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else { throw PostgresPrograms.Failure(description: "there is no free port") }
        return UInt16(bigEndian: address.sin_port)
    }
}
