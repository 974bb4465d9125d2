import Foundation
import NexusClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Takes what a session reports about its tasks and hands it to those who wait.
final class ExchangeDelegate: NSObject, Sendable {
    /// The most pieces that wait for their reader; a reader that is slower loses the response.
    private static let waitingLimit = 4_096

    private struct Exchange {
        let body: AsyncThrowingStream<Data, any Error>
        let pieces: AsyncThrowingStream<Data, any Error>.Continuation
        /// Waits for the head.
        var head: CheckedContinuation<ClientStream, any Error>?
        /// Gets the number of bytes that were sent.
        var progress: (@Sendable (Int) -> Void)?
    }

    private let exchanges = Locked<[Int: Exchange]>([:])
    #if canImport(Darwin)
    let sockets = Locked<[Int: URLSessionSocket]>([:])
    #endif

    /// Starts a task and waits for the head of its response.
    func start(
        _ task: URLSessionDataTask, progress: (@Sendable (Int) -> Void)? = nil
    ) async throws -> ClientStream {
        let (body, pieces) = AsyncThrowingStream<Data, any Error>.makeStream(
            bufferingPolicy: .bufferingOldest(Self.waitingLimit))
        pieces.onTermination = { end in
            if case .cancelled = end { task.cancel() }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.withLock {
                    $0[task.taskIdentifier] = Exchange(
                        body: body, pieces: pieces, head: continuation, progress: progress)
                }
                // The handler may have run before there was something to end.
                if Task.isCancelled { end(task, CancellationError()) } else { task.resume() }
            }
        } onCancel: {
            task.cancel()
            // A task that has not started does not report its end.
            end(task, CancellationError())
        }
    }

    private func begin(_ task: URLSessionTask, _ response: HTTPURLResponse) {
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name.lowercased()] = value
        }
        let exchange = exchanges.withLock { exchanges in
            let exchange = exchanges[task.taskIdentifier]
            exchanges[task.taskIdentifier]?.head = nil
            return exchange
        }
        guard let exchange else { return }
        exchange.head?.resume(
            returning: ClientStream(
                status: response.statusCode, headers: headers, body: exchange.body, cancel: { task.cancel() }))
    }

    private func end(_ task: URLSessionTask, _ error: (any Error)?) {
        guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        guard let error else {
            // A response without a body may end before its head was reported.
            if let head = exchange.head { head.resume(throwing: ClientTransportError.broken) }
            exchange.pieces.finish()
            return
        }
        let reason = Self.reason(error, hasHead: exchange.head == nil)
        exchange.head?.resume(throwing: reason)
        exchange.pieces.finish(throwing: reason)
    }

    static func reason(_ error: any Error, hasHead: Bool) -> any Error {
        if error is CancellationError { return error }
        return switch (error as? URLError)?.code {
        case .timedOut: ClientTransportError.timedOut
        case .cancelled: hasHead ? ClientTransportError.broken : CancellationError()
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .secureConnectionFailed,
            .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
            .serverCertificateHasUnknownRoot, .clientCertificateRejected, .unsupportedURL:
            ClientTransportError.unreachable
        case .badServerResponse, .cannotParseResponse: ClientTransportError.protocolViolation
        default: ClientTransportError.broken
        }
    }
}

extension ExchangeDelegate: URLSessionDataDelegate {
    func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { begin(dataTask, response) }
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let pieces = exchanges.withLock { $0[dataTask.taskIdentifier]?.pieces }
        guard case .dropped? = pieces?.yield(data) else { return }
        pieces?.finish(throwing: ClientTransportError.tooLarge)
        dataTask.cancel()
    }

    func urlSession(
        _: URLSession, task: URLSessionTask, didSendBodyData _: Int64, totalBytesSent count: Int64,
        totalBytesExpectedToSend _: Int64
    ) {
        exchanges.withLock { $0[task.taskIdentifier]?.progress }?(Int(count))
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        #if canImport(Darwin)
        if let socket = sockets.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
            return socket.end(error, response: task.response as? HTTPURLResponse)
        }
        #endif
        end(task, error)
    }

    /// A redirect is a response like any other: a token is not sent elsewhere.
    func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
