import Foundation
import NIOCore
import NIOHTTP1
import NexusClient

/// Collects the response of one request.
final class ResponseCollector: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The connection changed its protocol.
    struct Upgraded: Error {}

    static let name = "response-collector"

    private let byteLimit: Int
    private let silence: TimeAmount
    private var context: ChannelHandlerContext?
    private var promise: EventLoopPromise<ClientResponse>?
    private var response: ClientResponse?
    private var timer: Scheduled<Void>?
    private var isOver = false

    init(byteLimit: Int, silence: TimeAmount) {
        self.byteLimit = byteLimit
        self.silence = silence
    }

    /// Begins to wait for the response of a request that is sent through the channel.
    func start(_ promise: EventLoopPromise<ClientResponse>) {
        guard context != nil, !isOver else { return promise.fail(ClientTransportError.broken) }
        self.promise = promise
        startTimer()
    }

    /// A long body keeps the connection from being silent.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        startTimer()
        context.write(data, promise: promise)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.failure(context.channel.isActive ? Upgraded() : ClientTransportError.broken))
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        startTimer()
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            var headers: [String: String] = [:]
            for (name, value) in head.headers { headers[name.lowercased(), default: ""].append(field: value) }
            // Interim responses come before the real one.
            if head.status.code >= 200 { response = ClientResponse(status: Int(head.status.code), headers: headers) }
        case .body(let bytes):
            response?.body.append(contentsOf: bytes.readableBytesView)
            if let response, response.body.count > byteLimit { fail(.tooLarge) }
        case .end:
            if let response { finish(.success(response)) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(ClientTransportError.broken))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(.broken) }

    private func fail(_ error: ClientTransportError) {
        finish(.failure(error))
        context?.close(promise: nil)
    }

    private func finish(_ result: Result<ClientResponse, any Error>) {
        isOver = true
        timer?.cancel()
        timer = nil
        promise?.completeWith(result)
        promise = nil
    }

    private func startTimer() {
        timer?.cancel()
        guard !isOver else { return }
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: silence) { [weak self] in
            self?.fail(.timedOut)
        }
    }
}
