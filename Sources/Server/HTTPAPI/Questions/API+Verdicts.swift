import ChatCore
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// What people say about messages that later ones replaced, or did not.
    var verdictRoutes: [Route] {
        [
            Route(
                .post, "v1/timeline/verdicts", .person, id: "setVerdict",
                "Says of a message that a later one replaced it, or that it still holds."
            ) { try await setVerdict($0, $1) }
        ]
    }

    /// The words of `verdict`.
    enum VerdictWord: String, CaseIterable {
        case replaced
        case holds
        /// Takes back what the asker said.
        case none

        var kind: ReplacementVerdict.Kind? { ReplacementVerdict.Kind(rawValue: rawValue) }
    }

    private func setVerdict(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let word: VerdictWord = try body["verdict"].word()
        let subject = ReplacementVerdict.Subject(
            older: try Self.place(body["message"]), range: try Self.range(body),
            newer: try Self.place(body["replacedBy"]))
        try await incoming.useCases.setVerdict(word.kind, on: subject, by: asker)
        return Response(status: .noContent)
    }

    /// Reads `start` and `end` of a statement; nil for the whole message.
    private static func range(_ body: JSONField) throws(FieldError) -> Range<Int>? {
        let limits = 0...Int(Int32.max)
        let start = try body["start"].optionalInteger(in: limits)
        let end = try body["end"].optionalInteger(in: limits)
        switch (start, end) {
        case (nil, nil): return nil
        case (nil, _): throw body["start"].missing
        case (_, nil): throw body["end"].missing
        case (let start?, let end?):
            guard start < end else { throw body["end"].error("must be after start") }
            return start..<end
        }
    }

    private static func place(_ field: JSONField) throws(FieldError) -> MessageKey {
        let place = try field.object()
        return MessageKey(
            conversationID: try place["conversationId"].identifier(), messageID: try place["messageId"].identifier())
    }
}
