package import Foundation

/// Something that carries out HTTP exchanges: libcurl, or a fake in the tests of its users.
///
/// Redirects are never followed (they would carry a key along): a 3xx status is returned like any other.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the response when all of it has arrived.
    ///
    /// Cancelling the task aborts the exchange.
    func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse

    /// Sends `request` and returns when the head of the response has arrived; the body follows.
    ///
    /// Cancelling the task aborts the exchange, before the return and while it waits for the body.
    func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse
}

/// A response received in full.
package struct HTTPExchangeResponse: Sendable {
    /// The status code; 3xx is returned like any other.
    package var status: Int
    /// The headers as received, without those of interim (1xx) responses and without trailers.
    package var headers: HTTPHeaders
    /// The body, decoded.
    package var body: Data
    /// The time from the call to the last byte.
    package var duration: Duration

    package init(status: Int, headers: HTTPHeaders = [:], body: Data = Data(), duration: Duration = .zero) {
        self.status = status
        self.headers = headers
        self.body = body
        self.duration = duration
    }
}

/// A response whose head has arrived and whose body follows.
package struct HTTPStreamedResponse: Sendable {
    /// The status code; 3xx is returned like any other.
    package var status: Int
    /// The headers as received, without those of interim (1xx) responses and without trailers.
    package var headers: HTTPHeaders
    /// The body; giving it up aborts the exchange.
    package var body: HTTPBody

    package init(status: Int, headers: HTTPHeaders = [:], body: HTTPBody) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
