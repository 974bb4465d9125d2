package import ChatCore
import Histories

/// A file in the media repository of a homeserver, by its `mxc` URI.
struct MatrixFile: Equatable, Sendable {
    let server: String
    let id: String

    /// Reads a URI; nil for one that could lead elsewhere.
    init?(_ uri: String) {
        guard uri.hasPrefix("mxc://"), uri.utf8.count <= 500 else { return nil }
        let parts = uri.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].isPlain(besides: "-_"), parts[0].isPlain(besides: "-.:[]"),
            parts[0].contains(where: { $0 != "." })
        else { return nil }
        (server, id) = (String(parts[0]), String(parts[1]))
    }

    /// Adds where a file is and how large it is, as the content of a message says.
    ///
    /// A file with a key is encrypted by its sender: nothing reads it here, and the message says so.
    static func describe(_ file: inout Message.Attachment, _ content: JSONFields) {
        let encrypted = content.object("file")?.text("url")
        guard let uri = encrypted ?? content.text("url"), MatrixFile(uri) != nil else { return }
        file.remoteID = uri
        file.byteCount = content.object("info")?.integer("size").flatMap { $0 < 0 ? nil : Int(exactly: $0) }
        if encrypted != nil { file.reading = FileReading(.notFetched, problem: .encrypted) }
    }
}

extension MatrixConnector {
    package var source: String { MatrixSettings.source }

    package func openRooms() async throws -> [String] { try await rooms.open() }

    /// Begins to fetch a file with the token; older homeservers, which do not know this path, have it without.
    ///
    /// See <https://spec.matrix.org/v1.13/client-server-api/#content-repository>.
    package func open(_ file: RemoteFile, limit: Int) async throws -> ArrivingRemoteFile {
        guard let media = MatrixFile(file.id) else { throw ConnectorError.refused(status: 400, code: "M_UNKNOWN") }
        let rest = ["download", media.server, media.id]
        do {
            return ArrivingRemoteFile(body: try await client.file(["v1", "media"] + rest, limit: limit))
        } catch ConnectorError.refused(_, "M_UNRECOGNIZED") {
            return ArrivingRemoteFile(body: try await oldMedia.file(["v3"] + rest, limit: limit))
        }
    }
}
