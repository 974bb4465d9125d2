import ChatCore
import NexusModel

/// Replies about files.
extension JSONSchema {
    static let file = reply(FileDetails.self)
    static let fileUse = reply(FileUseDetails.self)
    static let fileUses = reply(FileUseDetailsList.self)
}

extension FileDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "StoredFile",
        [
            "mediaType": .word(MediaType.self), "byteCount": .integer(atLeast: 0),
            "sha256": .string.described("Of its bytes, in hexadecimal digits."),
        ])
}

extension FileUseDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "FileUse",
        [
            "userId": .identifier.described("The person; only for administrators."), "count": .integer(atLeast: 0),
            "byteCount": .integer(atLeast: 0),
            "limit": .integer(atLeast: 1).described("The most bytes of one person."),
        ])
}

extension FileUseDetailsList: NotedReply {
    static let replyNotes = ReplyNotes(
        "FileUses", ["limit": .integer(atLeast: 1).described("The most bytes of all files.")])
}

extension API {
    var fileDocuments: [String: RouteDocument] {
        let types = MediaType.allCases.map { ($0.rawValue, JSONSchema.bytes.described("The bytes.")) }
        let bytes = Dictionary(uniqueKeysWithValues: types)
        var upload = RouteDocument(
            query: [
                .init(name: "name", schema: .string.described("The name; `Content-Disposition` may name it too."))
            ], request: .bytes.described("The bytes, of any type; the server recognises the type by itself."),
            replies: [201: ["application/json": .file]],
            failures: [409, 507])
        upload.requestTypes = ["application/octet-stream"]
        return [
            "uploadFile": upload,
            "getFileUse": .json(.fileUse),
            "listFileUses": .json(.fileUses, query: [Self.pageLimit]),
            "deleteFile": RouteDocument(replies: [204: [:]]),
            "getFile": RouteDocument(replies: [200: bytes, 206: bytes, 304: [:]], failures: [416]),
        ]
    }
}
