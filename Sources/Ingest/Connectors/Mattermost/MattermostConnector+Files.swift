package import ChatCore
import Histories

extension MattermostConnector {
    package var source: String { MattermostSettings.source }

    package func openRooms() async throws -> [String] { try await rooms.open() }

    /// Begins to fetch a file; the server is asked for its name if its post came without.
    package func open(_ file: RemoteFile, limit: Int) async throws -> ArrivingRemoteFile {
        var name: String?
        if file.name == FileName.standard {
            let info = try await client.call("GET", ["files", file.id, "info"])
            name = info.text("name").map { TextLimit.name.cut($0) }
            if let size = info.integer("size"), size > limit { throw FileError.tooLarge(limit: limit) }
        }
        return ArrivingRemoteFile(name: name, body: try await client.file(["files", file.id], limit: limit))
    }
}
