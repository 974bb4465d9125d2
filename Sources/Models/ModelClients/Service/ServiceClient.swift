import ChatCore
package import Foundation
import Tracing
import Transport

/// Sends JSON to one function of a service, and again if that may help.
struct ServiceClient: Sendable {
    let endpoint: ServiceEndpoint
    let transport: any HTTPTransport
    let retry: RetrySchedule
    let timeouts: HTTPDeadlines

    /// The start of a streamed answer.
    struct Opened {
        let headers: HTTPHeaders
        let first: Data
        let rest: HTTPBody.AsyncIterator
    }

    /// Sends `body` and returns the body of a good response.
    ///
    /// - Parameter body: JSON.
    /// - Returns: The unchecked body.
    /// - Throws: ``ServiceFailure``; `CancellationError`.
    func send(_ body: Data) async throws -> Data {
        try await attempting {
            do {
                let response = try await transport.send(request(body))
                guard (200..<300).contains(response.status) else {
                    throw failure(response.status, response.headers, response.body)
                }
                return response.body
            } catch let error as TransportError {
                throw ServiceFailure(error)
            }
        }
    }

    /// Sends `body` and returns when the first bytes of a good response's body are there.
    ///
    /// - Parameter body: JSON.
    /// - Returns: The first bytes, empty if the body is, and the rest.
    /// - Throws: ``ServiceFailure``; `CancellationError`.
    func open(_ body: Data) async throws -> Opened {
        try await attempting {
            do {
                let response = try await transport.stream(request(body))
                guard (200..<300).contains(response.status) else {
                    throw failure(response.status, response.headers, try await response.body.collect())
                }
                var rest = response.body.makeAsyncIterator()
                let first = try await rest.next() ?? Data()
                return Opened(headers: response.headers, first: first, rest: rest)
            } catch let error as TransportError {
                throw ServiceFailure(error)
            }
        }
    }

    /// Returns the error for a good response with an unexpected body: some gateways answer 200 with an error in it.
    ///
    /// - Parameters:
    ///   - data: The body.
    ///   - content: The missing content, such as `vectors`.
    /// - Returns: The error for the caller.
    func error(inGoodReply data: Data, lacking content: String) -> ModelServiceError {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: data) else {
            return .invalidReply(reason: "not JSON")
        }
        guard ServiceErrorBody.isError(value) else { return .invalidReply(reason: "JSON without \(content)") }
        let body = ServiceErrorBody(value)
        return ServiceFailure.error(status: body.status ?? 500, body: body, endpoint: endpoint)
    }

    private func attempting<Result>(_ attempt: () async throws -> Result) async throws -> Result {
        var count = 0
        while true {
            count += 1
            do {
                return try await attempt()
            } catch let failure as ServiceFailure {
                try Task.checkCancellation()
                guard failure.isRetryable, let delay = retry.delay(afterAttempt: count, hint: failure.hint) else {
                    throw failure
                }
                try await retry.sleep(delay)
            }
        }
    }

    /// The request, with the headers of the present trace if there is one.
    private func request(_ body: Data) -> HTTPExchangeRequest {
        var headers = endpoint.headers
        if let context = ServiceContext.current {
            InstrumentationSystem.instrument.inject(context, into: &headers, using: HeaderInjector())
        }
        return HTTPExchangeRequest(
            method: "POST", url: endpoint.url, headers: headers, body: body, deadlines: timeouts)
    }

    private func failure(_ status: Int, _ headers: HTTPHeaders, _ body: Data) -> ServiceFailure {
        ServiceFailure(status: status, headers: headers, body: body, endpoint: endpoint, now: retry.now())
    }
}

/// Writes headers for a tracer.
private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout HTTPHeaders) { carrier[key] = value }
}

/// When a failed request is sent again: after 0.5 s · 2ⁿ, at most 8 s, less up to a quarter at random; or at the time
/// that the service asks for, unless that is too late for a waiting user.
///
/// The figures are those of OpenAI's own client.
package struct RetrySchedule: Sendable {
    /// How often a request is sent at most.
    package var attemptLimit: Int
    /// The longest pause that a service may ask for; for a longer one the request fails as busy, with that pause.
    package var hintLimit: Duration
    /// Returns a number in 0..<1.
    package var jitter: @Sendable () -> Double
    /// Waits.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// The time of day, for a `Retry-After` with a date.
    package var now: @Sendable () -> Date

    /// Makes a schedule; time and chance can be taken over by tests.
    package init(
        attemptLimit: Int = 4, hintLimit: Duration = .seconds(20),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.attemptLimit = attemptLimit
        self.hintLimit = hintLimit
        self.jitter = jitter
        self.sleep = sleep
        self.now = now
    }

    /// How long to wait after the failure number `attempt` (from 1); nil when it was the last or `hint` is too long.
    func delay(afterAttempt attempt: Int, hint: Duration?) -> Duration? {
        guard attempt < attemptLimit else { return nil }
        if let hint { return hint <= hintLimit ? hint : nil }
        let seconds = min(0.5 * Double(1 << min(attempt - 1, 10)), 8)
        return .milliseconds(Int(seconds * (1 - 0.25 * jitter()) * 1000))
    }
}
