import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WebServer

/// An event as CloudEvents 1.0 carries it over HTTP (https://github.com/cloudevents/spec), in binary or structured
/// mode.
struct CloudEvent {
    let id: String
    let source: String
    let type: String
    let subject: String?
    let time: JSONField
    let data: JSONField

    private static let protobufHint =
        "the event is protobuf: set the trigger's event data content type to application/json"

    /// Reads an event.
    ///
    /// - Parameters:
    ///   - incoming: The request; its body is JSON.
    ///   - limit: The most bytes of the body.
    /// - Throws: ``Failure`` with 415 for a body that is not JSON, ``FieldError``, ``JSONSyntaxError``.
    init(_ incoming: IncomingRequest, limit: Int) async throws {
        let headers = incoming.request.headers
        let type = Self.mediaType(headers[.contentType])
        guard ["application/json", "application/cloudevents+json"].contains(type) else {
            throw Self.wrongType(type)
        }
        let body = JSONField(try JSONParser.parse(Array(buffer: try await incoming.body(limit: limit))))
        if type == "application/json", headers.value(of: "ce-id") != nil {
            try self.init(headers: headers, data: body)
        } else {
            try self.init(structured: try body.object())
        }
    }

    private init(headers: HTTPFields, data: JSONField) throws {
        func attribute(_ name: String) -> JSONField {
            let text = headers.value(of: "ce-" + name).map { $0.removingPercentEncoding ?? $0 }
            return JSONField(text.map { .string($0) }, at: FieldPath("ce-" + name))
        }
        try self.init(attribute: attribute, data: data)
    }

    private init(structured event: JSONField) throws {
        if event["data_base64"].isPresent { throw Self.wrongType("application/protobuf") }
        if let type = try event["datacontenttype"].optionalString() {
            guard Self.mediaType(type) == "application/json" else { throw Self.wrongType(type) }
        }
        try self.init(attribute: { event[$0] }, data: event["data"])
    }

    private init(attribute: (String) -> JSONField, data: JSONField) throws {
        let version = attribute("specversion")
        guard try version.string() == "1.0" else { throw version.error("must be 1.0") }
        id = try attribute("id").string()
        source = try attribute("source").string()
        type = try attribute("type").string()
        subject = try attribute("subject").optionalString()
        time = attribute("time")
        self.data = data.isPresent ? try data.object() : JSONField(.object([:]), at: data.path)
    }

    private static func mediaType(_ text: String?) -> String {
        (text ?? "").prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    }

    private static func wrongType(_ type: String) -> Failure {
        guard type.contains("protobuf") else { return .wrongContentType }
        return Failure(415, "unsupported_media_type", protobufHint, .invalidArgument)
    }
}
