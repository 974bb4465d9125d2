package import ChatCore
import Histories

/// A file of Slack.
enum SlackFile {
    /// Adds the ids and sizes of a message's files.
    static func describe(_ attachments: inout [Message.Attachment], _ fields: JSONFields) {
        for (place, file) in SlackReading.files(of: fields).enumerated() where place < attachments.count {
            attachments[place].remoteID = file.text("id").flatMap { $0.isPlain() ? $0 : nil }
            attachments[place].byteCount = file.integer("size").flatMap { $0 < 0 ? nil : Int(exactly: $0) }
        }
    }
}

extension SlackConnector {
    package var source: String { SlackSettings.source }

    package func openRooms() async throws -> [String] { try await rooms.open() }

    /// Begins to fetch a file; it needs the permission `files:read`.
    package func open(_ file: RemoteFile, limit: Int) async throws -> ArrivingRemoteFile {
        let info = try await client.read("files.info", [("file", file.id)]).object("file")
        guard let info, let address = info.text("url_private_download") ?? info.text("url_private") else {
            throw ConnectorError.refused(status: 403, code: "no_address")
        }
        if let size = info.integer("size"), size > limit { throw FileError.tooLarge(limit: limit) }
        return ArrivingRemoteFile(body: try await client.file(at: address, limit: limit))
    }
}
