import ChatCore

/// Requests and responses about files.
extension JSONSchema {
    static let file = closed(
        .always("id", identifier), .always("name", string), .always("mediaType", word(MediaType.self)),
        .always("byteCount", integer(atLeast: 0)),
        .always("sha256", string.described("Of its bytes, in hexadecimal digits."))
    ).named("File")

    static let fileUse = closed(
        .maybe("userId", identifier.described("The person; only for administrators.")),
        .always("count", integer(atLeast: 0)), .always("byteCount", integer(atLeast: 0)),
        .always("limit", integer(atLeast: 1).described("The most bytes of one person."))
    ).named("FileUse")

    static let fileUses = closed(
        .always("people", .array(of: fileUse)),
        .always("limit", integer(atLeast: 1).described("The most bytes of all files."))
    ).named("FileUses")
}

extension API {
    var fileDocuments: [String: RouteDocument] {
        let types = MediaType.allCases.map { ($0.rawValue, JSONSchema.string.described("The bytes.")) }
        let bytes = Dictionary(uniqueKeysWithValues: types)
        var upload = RouteDocument(
            query: [
                .init(name: "name", schema: .string.described("The name; `Content-Disposition` may name it too."))
            ], request: .string.described("The bytes, of any type."), replies: [201: ["application/json": .file]],
            failures: [409, 507])
        upload.requestTypes = ["*/*"]
        return [
            "uploadFile": upload,
            "getFileUse": .json(.fileUse),
            "listFileUses": .json(.fileUses, query: [Self.pageLimit]),
            "deleteFile": RouteDocument(replies: [204: [:]]),
            "getFile": RouteDocument(replies: [200: bytes, 206: bytes, 304: [:]], failures: [416]),
        ]
    }
}
