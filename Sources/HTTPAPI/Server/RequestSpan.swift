import HTTPTypes
import HummingbirdCore
public import Tracing

extension ServiceContext {
    private enum RequestIDKey: ServiceContextKey {
        typealias Value = String
        static let nameOverride: String? = "request-id"
    }

    /// The id of the request that is being answered; nil elsewhere.
    public var requestID: String? {
        get { self[RequestIDKey.self] }
        set { self[RequestIDKey.self] = newValue }
    }
}

extension ServiceContext {
    /// Makes the context of a request: its id, and the trace that its headers name.
    static func of(_ request: Request, id: String) -> ServiceContext {
        var context = ServiceContext.topLevel
        context.requestID = id
        InstrumentationSystem.instrument.extract(request.headers, into: &context, using: FieldExtractor())
        return context
    }
}

/// Reads headers for a tracer.
private struct FieldExtractor: Extractor {
    func extract(key: String, from carrier: HTTPFields) -> String? { carrier.value(of: key) }
}
