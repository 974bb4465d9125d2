import WebServer

extension Failure {
    /// Makes the failure that a client sees of a fault of its request or connection.
    init(_ fault: RequestFault) {
        switch fault {
        case .hostRequired: self = .hostRequired
        case .hostForbidden: self = .hostForbidden
        case .originForbidden: self = .originForbidden
        case .unknownTransferCoding: self = .unknownTransferCoding
        case .unreadableLength: self = .unreadableLength
        case .endlessBody: self = .endlessBody
        case .headTooLarge: self = .headTooLarge
        case .tooManyInProgress: self = .tooManyInProgress
        case .tooManyUploads: self = .tooManyUploads
        case .upgradeRequired: self = .upgradeRequired
        case .invalidHandshake: self = .invalidHandshake
        }
    }

    private static let hostRequired = Failure(
        400, "host_required", "the request must name this server once: the field Host, or :authority in HTTP/2",
        .invalidArgument)
    private static let hostForbidden = Failure(
        403, "host_forbidden",
        "this server is not known by the name in Host: call it by its address, or add the name to http.hosts",
        .permissionDenied)
    private static let originForbidden = Failure(
        403, "origin_forbidden", "pages of this origin may not call this server: add the origin to http.cors-origins",
        .permissionDenied)
    private static let unknownTransferCoding = Failure(
        501, "transfer_coding_unknown", "the only transfer coding is chunked; send the body without another one",
        .invalidArgument)
    private static let unreadableLength = Failure(
        400, "length_unreadable", "the length of the body cannot be read; send one Content-Length", .invalidArgument)
    private static let endlessBody = Failure(
        413, "body_too_large", "the body is larger than any request may be", .invalidArgument)
    private static let headTooLarge = Failure(
        431, "head_too_large", "the request headers are too large, or too many", .invalidArgument)
    private static let tooManyInProgress = Failure(
        429, "too_many_in_progress", "too many requests of this user or address are in progress", .resourceExhausted,
        retryAfter: 5)
    private static let tooManyUploads = Failure(
        429, "too_many_uploads",
        "this user sends \(ConnectionShares.uploadLimit) files already: wait until one of them is complete",
        .resourceExhausted, retryAfter: 5)
    static let upgradeRequired = Failure(
        426, "upgrade_required",
        "this path opens a WebSocket: send Upgrade: websocket and Sec-WebSocket-Version: 13 over HTTP/1.1",
        .failedPrecondition)
    private static let invalidHandshake = Failure(
        400, "handshake_invalid", "a handshake has one Sec-WebSocket-Key of 16 bytes in base64, and no body",
        .invalidArgument)
    static let repeatedField = Failure(
        400, "field_repeated", "a header that names the user or a key must occur only once", .invalidArgument)
}
