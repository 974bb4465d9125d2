/// The body of an error (RFC 9457).
public struct ChatProblem: Hashable, Sendable {
    /// The status of the reply.
    public var status: Int
    /// A stable word, such as `invalid_field`.
    public var code: String
    /// An explanation for developers; it contains no text of messages.
    public var detail: String
    /// The field at fault; nil if none is.
    public var field: String?

    public init(status: Int, code: String, detail: String, field: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.field = field
    }

    /// The phrases of RFC 9110, as RFC 9457 wants them for `about:blank`.
    private static let titles = [
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        409: "Conflict", 413: "Content Too Large", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        422: "Unprocessable Content",
        426: "Upgrade Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 507: "Insufficient Storage",
    ]

    /// Returns the phrase of a status.
    package static func title(of status: Int) -> String { titles[status] ?? "Error" }
}

extension ChatProblem: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, title, status, code, detail, field
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        status = try fields.decode(Int.self, forKey: .status)
        code = try fields.decode(String.self, forKey: .code)
        detail = try fields.decode(String.self, forKey: .detail)
        field = try fields.decodeIfPresent(String.self, forKey: .field)
    }

    /// Writes `type` and `title` too, which follow from the status.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode("about:blank", forKey: .type)
        try fields.encode(Self.title(of: status), forKey: .title)
        try fields.encode(status, forKey: .status)
        try fields.encode(code, forKey: .code)
        try fields.encode(detail, forKey: .detail)
        try fields.encodeIfPresent(field, forKey: .field)
    }
}
