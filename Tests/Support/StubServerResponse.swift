package import Foundation

/// What the stub server does with one request: bytes to write, and faults.
package struct StubResponse: Sendable {
    /// One thing to do, in order.
    package enum Step: Sendable {
        /// Writes these bytes as they are.
        case bytes(Data)
        /// Waits until the test opens the gate.
        case gate(StubGate)
        /// Does nothing any more until the client goes away.
        case hang
        /// Closes the connection in an orderly way.
        case close
        /// Closes the connection with a reset.
        case reset
        /// Closes the listener and all connections: the service is away until ``StubServer/admit()``.
        case refuse
    }

    /// What is done, in order; afterwards the connection waits for the next request.
    package var steps: [Step]

    /// Makes a response of raw steps, head included.
    package init(steps: [Step]) {
        self.steps = steps
    }

    /// Makes a complete response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: Fields beside `Content-Length`.
    ///   - body: The body.
    ///   - contentLength: A wrong length to announce; the body's own unless given.
    package init(
        status: Int = 200, headers: [(String, String)] = [], body: Data = Data(), contentLength: Int? = nil
    ) {
        let all = headers + [("Content-Length", String(contentLength ?? body.count))]
        steps = [.bytes(Self.head(status, all)), .bytes(body)]
    }

    /// Makes a chunked response: bytes are framed, other steps stay as they are, and the last chunk follows unless
    /// the steps end with a fault.
    package static func chunked(
        status: Int = 200, headers: [(String, String)] = [], _ steps: [Step]
    ) -> StubResponse {
        let framed = steps.map { step in
            guard case .bytes(let data) = step else { return step }
            return Step.bytes(Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8))
        }
        let head = Step.bytes(Self.head(status, headers + [("Transfer-Encoding", "chunked")]))
        return StubResponse(steps: [head] + framed + [.bytes(Data("0\r\n\r\n".utf8))])
    }

    /// Makes a response with a JSON body.
    package static func json(
        _ object: Any, status: Int = 200, headers: [(String, String)] = []
    ) -> StubResponse {
        let body = (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])) ?? Data()
        return StubResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: body)
    }

    /// Makes a response with a body of text.
    package static func text(
        _ text: String, status: Int = 200, headers: [(String, String)] = []
    ) -> StubResponse {
        StubResponse(status: status, headers: headers, body: Data(text.utf8))
    }

    /// Takes the request and says nothing.
    package static let neverAnswers = StubResponse(steps: [.hang])
    /// Takes the request and resets the connection.
    package static let resets = StubResponse(steps: [.reset])
    /// Takes the request and closes the connection.
    package static let closes = StubResponse(steps: [.close])
    /// Takes the request and goes away; see ``Step/refuse``.
    package static let goesAway = StubResponse(steps: [.refuse])
    /// Answers with bytes that are not HTTP.
    package static let garbage = StubResponse(steps: [.bytes(Data("\u{1}\u{2}not http at all\r\n\r\n".utf8)), .close])

    /// Returns a status line with fields and the empty line.
    package static func head(_ status: Int, _ headers: [(String, String)]) -> Data {
        let lines = ["HTTP/1.1 \(status) Stubbed"] + headers.map { "\($0.0): \($0.1)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
