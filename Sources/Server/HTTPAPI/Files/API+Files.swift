import ChatCore
import HTTPTypes
import Hummingbird
import NIOCore
import NexusModel
import UseCases
import WebServer

/// Files that people attach to messages.
extension API {
    /// The path at which files arrive; a client may take long to send one.
    static let filesPath = "v1/files"
    /// The bytes that are read from the disk at a time.
    private static let pieceByteCount = 64 * 1024

    var fileRoutes: [Route] {
        [
            Route(.post, Self.filesPath, .writer, id: "uploadFile", "Stores a file for a message that the user sends.")
            {
                try await uploadFile($0, $1)
            },
            Route(
                .get, Self.filesPath, .user, id: "getFileUse", "Shows how much of the user's share of files is used."
            ) { incoming, caller in
                let use = try await incoming.useCases.fileUse(of: try incoming.asker(caller))
                return try reply(FileUseDetails(use, limit: incoming.useCases.fileLimits.personBytes))
            },
            Route(
                .get, "v1/administration/files", .admin, id: "listFileUses",
                "Lists the people whose files take most, the largest first."
            ) { incoming, _ in
                let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
                let limits = incoming.useCases.fileLimits
                let uses = try await incoming.useCases.largestFileUses(limit: limit)
                return try reply(
                    FileUseDetailsList(
                        people: uses.map { FileUseDetails($0.use, limit: limits.personBytes, userID: $0.owner) },
                        limit: limits.totalBytes))
            },
            Route(.get, Self.filesPath + "/:file", .user, id: "getFile", "Sends a file, or a part of it.") {
                try await getFile($0, $1)
            },
            Route(
                .delete, Self.filesPath + "/:file", .writer, id: "deleteFile",
                "Deletes an own file that no message has."
            ) { incoming, caller in
                guard let owner = try incoming.writer(caller).user else { throw Failure.userNotNamed }
                let id = FileID(rawValue: try incoming.parameter("file"))
                guard FileID(validating: id.rawValue) != nil else { throw FileError.noSuchFile(id) }
                try await incoming.useCases.deleteFile(id, of: owner)
                return Response(status: .noContent)
            },
        ]
    }

    private func uploadFile(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        guard let owner = try incoming.writer(caller).user else { throw Failure.userNotNamed }
        try incoming.refuseForm()
        try shares.holdUpload(incoming.channel, by: owner)
        let request = incoming.request
        let limit = useCases.fileLimits.fileBytes
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw FileError.tooLarge(limit: limit)
        }
        let name = incoming.query("name") ?? ContentDisposition.name(in: request.headers[.contentDisposition])
        let file = try await incoming.useCases.storeFile(
            named: name, content: request.body.map { @Sendable in [UInt8](buffer: $0) }, of: owner)
        return try reply(FileDetails(file), status: .created)
    }

    private func getFile(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let id = FileID(rawValue: try incoming.parameter("file"))
        guard FileID(validating: id.rawValue) != nil else { throw FileError.noSuchFile(id) }
        let (file, content) = try await incoming.useCases.file(id, asker: asker)
        let request = incoming.request
        let tag = "\"\(file.sha256)\""
        var headers = Self.headers(of: file, tag: tag)
        if EntityTag.list(request.headers.values(of: "if-none-match"), holds: tag) {
            return Response(status: .notModified, headers: headers)
        }
        // A condition that does not hold asks for the whole file.
        let isUnchanged = request.headers[.ifRange].map { $0 == tag } ?? true
        let range = request.method == .get && isUnchanged ? request.headers[.range] : nil
        switch ByteRange(range, of: file.byteCount) {
        case .whole:
            return Response(
                status: .ok, headers: headers, body: Self.body(of: content, 0..<file.byteCount))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.byteCount)"
            return Response(status: .partialContent, headers: headers, body: Self.body(of: content, range))
        case .unsatisfiable:
            var response = Self.reply(.rangeUnsatisfiable, as: .problem)
            response.headers[.contentRange] = "bytes */\(file.byteCount)"
            return response
        }
    }

    /// Returns the headers of a file; no browser runs anything in it, or shows it later without asking again.
    private static func headers(of file: StoredFile, tag: String) -> HTTPFields {
        let type = file.mediaType
        var headers: HTTPFields = [
            .contentType: type.contentType, .eTag: tag,
            .acceptRanges: "bytes", .cacheControl: "private, no-cache", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy: "sandbox; default-src 'none'",
            .contentDisposition: ContentDisposition.field(name: file.name, isInline: type.isShownInline),
        ]
        headers.set("Cross-Origin-Resource-Policy", to: "same-origin")
        return headers
    }

    /// Returns a body that is read from the disk as fast as the client takes it.
    private static func body(of content: FileContent, _ range: Range<Int>) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let bytes = try await content.bytes(
                    from: offset, count: min(pieceByteCount, range.upperBound - offset))
                guard !bytes.isEmpty else { throw Failure.unexpected }
                offset += bytes.count
                try await writer.write(ByteBuffer(bytes: bytes))
            }
            try await writer.finish(nil)
        }
    }
}

extension Failure {
    static let rangeUnsatisfiable = Failure(
        416, "range_unsatisfiable", "the file has no bytes in this range", .invalidArgument)

    init(_ error: FileError) {
        switch error {
        case .noSuchFile:
            self = Failure(404, "file_not_found", "there is no such file that this user may see", .notFound)
        case .tooLarge(let limit): self = .bodyTooLarge(limit: limit)
        case .folderFull:
            self = Failure(507, "files_full", "the files of this server have no room for this one", .resourceExhausted)
        case .shareFull(let limit):
            self = Failure(
                507, "files_share_full",
                "the files of this user have no room for this one: all together may have \(limit) bytes; delete "
                    + "messages with files", .resourceExhausted)
        case .tooManyUnattached(let limits):
            self = Failure(
                409, "files_unattached",
                "the user has too many files without a message: at most \(limits.unattachedCount), and "
                    + "\(limits.unattachedBytes) bytes; send them with messages, or wait until they are deleted, "
                    + "\(FileLimits.unattachedLifetime.components.seconds / 3_600) h after their upload",
                .resourceExhausted)
        case .interrupted: self = Failure(400, "body_unreadable", "the body could not be read", .invalidArgument)
        }
    }
}

extension FileDetails {
    init(_ file: StoredFile) {
        self.init(
            id: file.id.rawValue, name: file.name, mediaType: file.mediaType.rawValue, byteCount: file.byteCount,
            sha256: file.sha256)
    }
}

extension FileUseDetails {
    init(_ use: FileUse, limit: Int, userID: UserID? = nil) {
        self.init(userId: userID?.rawValue, count: use.count, byteCount: use.byteCount, limit: limit)
    }
}
