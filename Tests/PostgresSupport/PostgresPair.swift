package import Foundation
package import MessageStore
import PostgresStore

/// A primary and its standby in a temporary folder; they end with the value, or with the process.
///
/// At first each commit waits for the standby.
package final class PostgresPair: Sendable {
    /// One of the two servers.
    package enum Member: String, CaseIterable, Sendable {
        /// The first primary.
        case first
        /// Its standby.
        case second
    }

    private let folder: URL
    private let programs: PostgresPrograms
    /// Ends when the process ends, which stops the servers.
    private let lifeline = Pipe()

    package init() async throws {
        programs = try PostgresPrograms()
        folder = try programs.makeFolder()
        let (root, bin) = (folder.path, programs.folder)
        try await programs.run(
            """
            mkdir first second
            \(bin)/initdb -D first/data -U nexus -E UTF8 --locale=C --auth=trust --no-sync
            echo "synchronous_standby_names = '*'" >> first/data/postgresql.conf
            \(starting(.first))
            \(bin)/pg_basebackup -h \(root)/first -U nexus -D second/data -R -X stream -c fast --no-sync
            \(starting(.second))
            """, in: folder,
            end: """
                for member in first second; do \(bin)/pg_ctl stop -w -m immediate -D $member/data; done >/dev/null 2>&1
                rm -rf \(root)
                """, lifeline: lifeline)
    }

    /// The address of whichever of the two takes writes.
    package var address: String {
        "host=\(folder.path)/first,\(folder.path)/second user=nexus dbname=postgres target_session_attrs=read-write"
    }

    /// The folder of the socket of one of the two.
    package func socketFolder(of member: Member) -> URL { folder.appending(path: member.rawValue) }

    /// The address of one of the two.
    package func address(of member: Member) -> String {
        "host=\(folder.path)/\(member.rawValue) user=nexus dbname=postgres"
    }

    /// The standby waits for nobody once it is promoted.
    private func starting(_ member: Member) -> String {
        var options = "\(PostgresPrograms.options) -c unix_socket_directories=\(folder.path)/\(member.rawValue)"
        if member == .second { options += " -c synchronous_standby_names=''" }
        let name = member.rawValue
        return "\(programs.folder)/pg_ctl start -w -D \(name)/data -l \(name)/log -o \"\(options)\""
    }

    /// Starts a server that was stopped.
    package func start(_ member: Member) async throws { try await programs.run(starting(member), in: folder) }

    /// Stops a server, which first writes what it has received to its disk.
    package func stop(_ member: Member) async throws { try await stop(member, "fast") }

    /// Kills a server as a crash does.
    package func kill(_ member: Member) async throws { try await stop(member, "immediate") }

    private func stop(_ member: Member, _ mode: String) async throws {
        try await programs.run(
            "\(programs.folder)/pg_ctl stop -w -m \(mode) -D \(member.rawValue)/data", in: folder)
    }

    /// Makes the standby a primary.
    package func promote() async throws {
        try await programs.run("\(programs.folder)/pg_ctl promote -w -D second/data", in: folder)
    }

    /// Lets commits of the first server wait for no standby from now on.
    package func replicateAsynchronously() throws {
        let connection = try LibpqConnection(address(of: .first))
        defer { connection.close() }
        try connection.run("ALTER SYSTEM SET synchronous_standby_names = ''")
        try connection.run("SELECT pg_reload_conf()")
    }

    /// Calls a body with the store of a node; closes it.
    package func withStore(_ body: (SQLStore) async throws -> Void) async throws {
        try await PostgresStore.withNode(at: address, body)
    }
}
