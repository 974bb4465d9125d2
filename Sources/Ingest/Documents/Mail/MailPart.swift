/// A mail, or a part of one, which may have parts (RFC 2046).
struct MailPart {
    /// The most parts that one has.
    private static let partLimit = 1_000

    let header: MailHeader
    /// For example `text/plain`, in small letters.
    let type: String
    /// The parameters of the type, for example `charset`.
    let parameters: [String: String]
    private let body: ArraySlice<UInt8>

    /// - Parameters:
    ///   - bytes: The head and the body.
    ///   - otherType: The type if the head names none.
    init(_ bytes: ArraySlice<UInt8>, otherType: String = "text/plain") {
        (header, body) = MailHeader.read(bytes)
        let named = header.word("content-type")
        type = named.flatMap { $0.contains("/") ? $0 : nil } ?? otherType
        parameters = named == nil ? [:] : header.parameters("content-type")
    }

    /// The body without its encoding for the way.
    var content: ArraySlice<UInt8> {
        TransferEncoding.decoded(body, header.word("content-transfer-encoding") ?? "")
    }

    /// `attachment`, `inline`, or nil.
    var disposition: String? { header.word("content-disposition") }

    /// The name of a file, in one line.
    var fileName: String? {
        let name = header.parameters("content-disposition")["filename"] ?? parameters["name"]
        return name.map { TextCollector.line($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The parts of a `multipart` type; itself as text if it has none.
    var parts: [MailPart] {
        let otherType = type == "multipart/digest" ? "message/rfc822" : "text/plain"
        return Self.pieces(of: content, boundary: parameters["boundary"] ?? "").map {
            MailPart($0, otherType: otherType)
        }
    }

    /// Divides a body at its boundary lines; the last part may lack its end.
    private static func pieces(of body: ArraySlice<UInt8>, boundary: String) -> [ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        guard mark.count > 2 else { return [] }
        var (pieces, start): ([ArraySlice<UInt8>], Int?) = ([], nil)
        var line = body.startIndex
        while line < body.endIndex, pieces.count < partLimit {
            let end = body[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
            defer { line = end }
            guard body[line..<end].starts(with: mark) else { continue }
            let rest = body[(line + mark.count)..<end]
            let isLast = rest.starts(with: "--".utf8)
            // Another boundary may begin with this one.
            guard (isLast ? rest.dropFirst(2) : rest).allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) else {
                continue
            }
            if let start { pieces.append(withoutLineEnd(body[start..<line])) }
            start = end
            if isLast { return pieces }
        }
        if let start, pieces.count < partLimit { pieces.append(body[start...]) }
        return pieces
    }

    private static func withoutLineEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let bytes = bytes.last == 0x0A ? bytes.dropLast() : bytes
        return bytes.last == 0x0D ? bytes.dropLast() : bytes
    }
}
