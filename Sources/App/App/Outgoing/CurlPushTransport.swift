import ChatCore
import Foundation
import LiveChat
import Transport

/// Sends requests to push services over libcurl: HTTP/2 where TLS offers it, no redirects.
struct CurlPushTransport: PushTransport {
    private static let deadlines = HTTPDeadlines(connect: .seconds(10), idle: .seconds(20), total: .seconds(30))
    private static let replyByteLimit = 1 << 16

    let transport: CurlTransport

    func send(_ request: PushRequest) async throws -> PushReply {
        let reply = try await transport.send(
            HTTPExchangeRequest(
                method: request.method, url: request.url,
                headers: HTTPHeaders(request.headers.map { (name: $0.key, value: $0.value) }), body: request.body,
                addresses: request.addresses?.map(\.description), deadlines: Self.deadlines,
                responseByteLimit: Self.replyByteLimit))
        return PushReply(
            status: reply.status,
            headers: Dictionary(
                reply.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }),
            body: reply.body)
    }
}
