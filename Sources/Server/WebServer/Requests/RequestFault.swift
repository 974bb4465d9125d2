package import Foundation

/// Why a request is refused because of its connection or its form, whatever it asks for.
///
/// The application decides how a client reads it: ``ServedApplication/reply``.
package enum RequestFault: Error, Hashable, CaseIterable, Sendable {
    /// The request does not name the server exactly once.
    case hostRequired
    /// The server is not known by the name in the request.
    case hostForbidden
    /// Pages of this origin may not call the server.
    case originForbidden
    /// The body has a transfer coding other than chunked.
    case unknownTransferCoding
    /// The length of the body cannot be read.
    case unreadableLength
    /// The body is larger than any request may be.
    case endlessBody
    /// The headers are too large, or too many.
    case headTooLarge
    /// Too many requests of the user or address are in progress.
    case tooManyInProgress
    /// The user sends too many files already.
    case tooManyUploads
    /// The path opens a socket, and the request does not ask for one.
    case upgradeRequired
    /// The handshake of a socket has no usable key, or a body.
    case invalidHandshake
}

/// The answer to a request that no route gets.
package struct FaultReply: Sendable {
    package let status: Int
    /// The type of the body.
    package let contentType: String
    package let body: Data

    package init(status: Int, contentType: String, body: Data) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}
