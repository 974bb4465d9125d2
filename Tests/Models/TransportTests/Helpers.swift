import Foundation
import Testing
import Transport

/// Returns a transport that no variable of the environment can lead astray.
func makeTransport(bodyBufferByteLimit: Int = 64 << 10, headByteLimit: Int = 64 << 10) throws -> CurlTransport {
    try CurlTransport(
        configuration: CurlTransport.Configuration(
            usesProxyVariables: false, bodyBufferByteLimit: bodyBufferByteLimit, headByteLimit: headByteLimit))
}

/// Returns what `work` throws; records an issue when it throws nothing.
func transportError<Value>(_ work: () async throws -> Value) async -> TransportError? {
    do {
        _ = try await work()
        Issue.record("nothing was thrown")
        return nil
    } catch {
        return error as? TransportError
    }
}
