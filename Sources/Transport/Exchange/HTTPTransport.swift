/// Something that carries out HTTP exchanges: libcurl, or a fake in the tests of its users.
///
/// Redirects are never followed (they would carry a key along): a 3xx status is returned like any other.
public protocol HTTPTransport: Sendable {
    /// Sends `request` and returns the response when all of it has arrived.
    ///
    /// Cancelling the task aborts the exchange.
    func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse

    /// Sends `request` and returns when the head of the response has arrived; the body follows.
    ///
    /// Cancelling the task aborts the exchange, before the return and while it waits for the body.
    func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse
}
