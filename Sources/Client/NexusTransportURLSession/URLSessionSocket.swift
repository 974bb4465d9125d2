#if canImport(Darwin)
import Foundation
import NexusClient

/// A WebSocket of URLSession; compiled on Apple platforms only.
final class URLSessionSocket: ClientSocket {
    private struct State {
        var opening: CheckedContinuation<Void, any Error>?
        var isClosed = false
        var code: UInt16?
    }

    private let task: URLSessionWebSocketTask
    private let subprotocol: String
    private let state = Locked(State())

    init(_ task: URLSessionWebSocketTask, subprotocol: String) {
        self.task = task
        self.subprotocol = subprotocol
    }

    var closeCode: UInt16? { state.withLock { $0.code } }

    /// Waits for the handshake.
    func open() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.opening = continuation }
                // The handler may have run before there was something to end.
                if Task.isCancelled { end(CancellationError(), response: nil) } else { task.resume() }
            }
        } onCancel: {
            task.cancel()
            end(CancellationError(), response: nil)
        }
    }

    func next() async throws -> String? {
        do {
            switch try await withTaskCancellationHandler(
                operation: { try await task.receive() }, onCancel: { task.cancel() })
            {
            case .string(let text): return text
            case .data: throw ClientTransportError.protocolViolation
            @unknown default: throw ClientTransportError.protocolViolation
            }
        } catch let error as ClientTransportError {
            throw error
        } catch {
            if Task.isCancelled || state.withLock({ $0.isClosed }) { return nil }
            // The system's range of close codes is shorter than that of servers; raw values pass.
            let code = UInt16(clamping: task.closeCode.rawValue)
            guard code == 0 else {
                state.withLock { $0.code = code }
                return nil
            }
            if (error as NSError).code == Int(EMSGSIZE) { throw ClientTransportError.tooLarge }
            throw ExchangeDelegate.reason(error, hasHead: true)
        }
    }

    func send(_ text: String) async throws {
        do { try await task.send(.string(text)) } catch { throw ClientTransportError.broken }
    }

    func close() async {
        state.withLock { $0.isClosed = true }
        task.cancel(with: .normalClosure, reason: nil)
    }

    /// Notes that the server took the handshake.
    func didOpen(with chosen: String?) {
        let opening = state.withLock { $0.opening.take() }
        guard chosen == subprotocol else {
            task.cancel()
            opening?.resume(throwing: ClientTransportError.protocolViolation)
            return
        }
        opening?.resume()
    }

    /// Notes the code of the server's close frame.
    func didClose(with code: URLSessionWebSocketTask.CloseCode) {
        state.withLock { $0.code = UInt16(clamping: code.rawValue) }
    }

    /// Notes the end of the connection, which may be that of the handshake.
    func end(_ error: (any Error)?, response: HTTPURLResponse?) {
        guard let opening = state.withLock({ $0.opening.take() }) else { return }
        if let response, response.statusCode != 101 {
            var headers: [String: String] = [:]
            for case (let name as String, let value as String) in response.allHeaderFields {
                headers[name.lowercased()] = value
            }
            // The system keeps the body of a refused handshake to itself.
            opening.resume(
                throwing: ClientTransportError.refused(
                    ClientResponse(status: response.statusCode, headers: headers)))
        } else {
            opening.resume(
                throwing: error.map { ExchangeDelegate.reason($0, hasHead: false) } ?? ClientTransportError.broken)
        }
    }
}

extension ExchangeDelegate: URLSessionWebSocketDelegate {
    func open(_ task: URLSessionWebSocketTask, subprotocol: String) async throws -> URLSessionSocket {
        let socket = URLSessionSocket(task, subprotocol: subprotocol)
        sockets.withLock { $0[task.taskIdentifier] = socket }
        try await socket.open()
        return socket
    }

    func urlSession(
        _: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol chosen: String?
    ) {
        sockets.withLock { $0[webSocketTask.taskIdentifier] }?.didOpen(with: chosen)
    }

    func urlSession(
        _: URLSession, webSocketTask: URLSessionWebSocketTask, didCloseWith code: URLSessionWebSocketTask.CloseCode,
        reason _: Data?
    ) {
        sockets.withLock { $0[webSocketTask.taskIdentifier] }?.didClose(with: code)
    }
}
#endif
