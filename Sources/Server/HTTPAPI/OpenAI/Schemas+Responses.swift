import Assistant
import ChatCore

/// Requests and responses of `POST /v1/responses`.
extension JSONSchema {
    private static let inputPart = open(
        .always("type", word(["input_text", "output_text", "text", "refusal"])), .maybe("text", string),
        .maybe("refusal", string))

    private static let inputItem = open(
        .maybe("type", word(["message", "reasoning"])),
        .maybe("role", word(["system", "developer", "user", "assistant"])),
        .maybe("content", anyOf(string, array(of: inputPart), null))
    ).named("ResponseInput")

    static let newResponse = open(
        .always("model", word([ChatFields.model])),
        .always(
            "input",
            anyOf(string, array(of: inputItem)).described("The question; in a list the last message, of the role user.")
        ),
        .maybe("instructions", anyOf(string, null)), .maybe("stream", flag), .maybe("store", flag),
        .maybe("previous_response_id", string),
        .maybe(
            "conversation",
            anyOf(identifier, open(.always("id", identifier)).named("NewResponseConversation")).described(
                "A thread of the asker; see /v1/threads.")),
        .maybe("metadata", map(of: any)), .maybe("user", string), .maybe("userId", string),
        .maybe("search", searchChoice), .maybe("tools", unsupportedList), .maybe("background", flag),
        .maybe("prompt", any), .maybe("top_logprobs", integer(0...0)), .maybe("modalities", array(of: word(["text"]))),
        .maybe("text", any.described("Of a prompt of the program itself: the form of its text."))
    ).adding(filters).named("NewResponse")

    private static let responseAnnotation = closed(
        .always("type", word(["url_citation"])),
        .always("url", string.described("nexus://… if the message has no link.")), .always("title", string),
        .always("start_index", integer(atLeast: 0)), .always("end_index", integer(atLeast: 0)),
        .maybe("support", support), .maybe("score", number)
    ).named("ResponseAnnotation")

    private static let outputPart = closed(
        .always("type", word(["output_text"])), .always("text", string),
        .always("annotations", array(of: responseAnnotation)), .always("logprobs", array(of: any))
    ).named("ResponsePart")

    private static let state = word(["in_progress", "completed", "incomplete", "failed"])

    private static let outputItem = closed(
        .always("type", word(["message"])), .always("id", string), .always("status", state),
        .always("role", word(["assistant"])), .always("content", array(of: outputPart))
    ).named("ResponseMessage")

    private static let responseUsage = closed(
        .always("input_tokens", integer), .always("input_tokens_details", closed(.always("cached_tokens", integer))),
        .always("output_tokens", integer),
        .always("output_tokens_details", closed(.always("reasoning_tokens", integer))), .always("total_tokens", integer)
    ).named("ResponseUsage")

    static let response = closed(
        .always("id", string), .always("object", word(["response"])), .always("created_at", integer),
        .always("status", state), .always("model", string), .always("output", array(of: outputItem)),
        .always("parallel_tool_calls", flag), .always("tool_choice", word(["auto"])), .always("tools", array(of: any)),
        .always("error", anyOf(closed(.always("code", string), .always("message", string)), null)),
        .always(
            "incomplete_details",
            anyOf(closed(.always("reason", word(["max_output_tokens", "content_filter"]))), null)),
        .always("instructions", anyOf(string, null)), .always("metadata", map(of: any)),
        .always("temperature", number), .always("top_p", number),
        .always("previous_response_id", anyOf(string, null)), .always("store", flag),
        .always("conversation", anyOf(closed(.always("id", identifier)).named("ResponseConversation"), null)),
        .always("text", closed(.always("format", closed(.always("type", word(["text"])))))),
        .always("truncation", word(["disabled"])), .always("usage", anyOf(responseUsage, null)),
        .maybe("sources", array(of: source)), .maybe("citations", array(of: citation))
    ).named("ModelResponse")

    static let responseInputs = closed(
        .always("object", word(["list"])),
        .always(
            "data",
            array(
                of: closed(
                    .always("id", string), .always("type", word(["message"])), .always("role", word(["user"])),
                    .always("status", state),
                    .always(
                        "content",
                        array(of: closed(.always("type", word(["input_text"])), .always("text", string))))))),
        .always("first_id", anyOf(string, null)), .always("last_id", anyOf(string, null)), .always("has_more", flag)
    ).named("ResponseInputs")

    static let deletedResponse = closed(
        .always("id", string), .always("object", word(["response"])), .always("deleted", flag)
    ).named("DeletedResponse")

    private static func event(_ type: String, _ further: Property...) -> JSONSchema {
        closed(.always("type", word([type])), .always("sequence_number", integer(atLeast: 0))).adding(further)
    }

    private static func eventAtPart(_ type: String, _ further: Property...) -> JSONSchema {
        event(
            type, .always("item_id", string), .always("output_index", integer(atLeast: 0)),
            .always("content_index", integer(atLeast: 0))
        ).adding(further)
    }

    /// The events of a streamed response, in their order, with their data.
    fileprivate static let responseEvents: [(type: String, summary: String, data: JSONSchema)] = {
        func whole(_ type: String, _ summary: String) -> (type: String, summary: String, data: JSONSchema) {
            (type, summary, event(type, .always("response", response)))
        }
        func item(_ type: String, _ summary: String) -> (type: String, summary: String, data: JSONSchema) {
            (type, summary, event(type, .always("output_index", integer(atLeast: 0)), .always("item", outputItem)))
        }
        func part(
            _ type: String, _ summary: String, _ further: Property...
        ) -> (type: String, summary: String, data: JSONSchema) {
            (type, summary, eventAtPart(type).adding(further))
        }
        let chances = Property.always("logprobs", array(of: any))
        return [
            whole("response.created", "The response without a message."),
            whole("response.in_progress", "The same."),
            item("response.output_item.added", "The message without a text."),
            part("response.content_part.added", "The text, still empty.", .always("part", outputPart)),
            part("response.output_text.delta", "More text.", .always("delta", string), chances),
            part(
                "response.output_text.annotation.added", "A citation.",
                .always("annotation_index", integer(atLeast: 0)),
                .always("annotation", responseAnnotation)),
            part("response.output_text.done", "The whole text.", .always("text", string), chances),
            part("response.content_part.done", "The text with its citations.", .always("part", outputPart)),
            item("response.output_item.done", "The whole message."),
            whole("response.completed", "The whole response; the last event."),
            whole("response.incomplete", "A response that was cut off; the last event."),
            whole("response.failed", "The error that ended the response; the last event."),
        ]
    }()
}

extension StreamEvent {
    /// The events of `POST /v1/responses`.
    static let response = JSONSchema.responseEvents.map {
        StreamEvent(name: $0.type, summary: $0.summary, data: $0.data)
    }
}
