import ChatCore
import Foundation
import Glibc
import PostgresStore
import TestSupport

/// The programs of PostgreSQL, run as a user that may run a server.
struct PostgresPrograms: Sendable {
    /// A server cannot be started; the text says what to do.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The options of a test's server: it need not survive a crash of the machine.
    static let options = "-c listen_addresses='' -c fsync=off -c full_page_writes=off -c autovacuum=off"

    /// The folder of the programs.
    let folder: String

    init() throws {
        let roots = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let version = roots.max { $0.compare($1, options: .numeric) == .orderedAscending }
        guard let version else { throw Failure(description: "PostgreSQL is missing: apt-get install postgresql") }
        folder = "/usr/lib/postgresql/\(version)/bin"
    }

    /// Makes a folder for servers.
    func makeFolder() throws -> URL {
        // The path of a socket has at most 107 bytes.
        let folder = URL(filePath: "/tmp/nexus-pg-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        // PostgreSQL refuses to run as root.
        if geteuid() == 0 {
            guard let user = getpwnam("postgres") else { throw Failure(description: "there is no user postgres") }
            chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        return folder
    }

    /// Runs commands of a shell in a folder of servers.
    ///
    /// - Parameters:
    ///   - script: The commands.
    ///   - folder: The folder; the output goes to its file `log`.
    ///   - end: What is done when the lifeline ends.
    ///   - lifeline: Ends when the servers are not needed any more.
    /// - Throws: ``Failure``.
    func run(_ script: String, in folder: URL, end: String? = nil, lifeline: Pipe? = nil) async throws {
        var script = "{ set -e; \(script)\n} >>\(folder.path)/log 2>&1"
        script = "( \(script) )\necho $?"
        if let end { script = "trap '' INT HUP TERM\n\(script)\nexec >/dev/null\ncat >/dev/null\n\(end)" }
        let own = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        let command =
            (geteuid() == 0 ? own : []) + [
                "/usr/bin/env", "-C", folder.path, "/usr/bin/setsid", "/bin/sh", "-c", script,
            ]
        let output = Pipe()
        let program = try StartedProgram(command, input: lifeline, output: output)
        let answer = try await onOwnThread { try output.fileHandleForReading.readToEnd() }
        if lifeline == nil { await program.wait() }
        guard let answer, String(decoding: answer, as: UTF8.self) == "0\n" else {
            throw Failure(description: "a command of PostgreSQL fails; see \(folder.path)/log")
        }
    }
}
