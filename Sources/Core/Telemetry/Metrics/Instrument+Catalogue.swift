extension Instrument {
    /// Seconds of requests and stages: from a cached search to an answer that is cut off.
    private static let seconds = Kind.histogram(
        bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60])
    /// The buckets that the semantic conventions of OpenTelemetry recommend for operations of models.
    private static let modelSeconds = Kind.histogram(
        bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92])
    /// The same, for tokens.
    private static let modelTokens = Kind.histogram(
        bounds: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576])

    private static let method = Label(
        "http_request_method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    private static let operation = Label("gen_ai_operation_name", ["chat", "embeddings", "rerank"])
    private static let use = Label("use", ["messages", "questions", "chat"])
    private static let stages: Set = [
        "follow", "names", "cues", "embedding", "lexical", "dense", "read", "score", "fusion", "tokens", "rerank",
        "rewrite",
        "prompt", "first_token", "ingest_claim", "ingest_embed", "ingest_store",
    ]
    /// Codes of `ModelServiceError`, and of requests that were given up.
    private static let errorType = Label(
        "error_type",
        [
            "unreachable", "busy", "failed", "unauthorized", "quota_exhausted", "rejected", "too_long", "invalid_reply",
            "incomplete_reply", "misconfigured", "cancelled",
        ])

    /// Everything that is measured, in the order in which it is written.
    package static let all: [Instrument] = requests + live + answers + models + embedding + process

    private static let requests = [
        Instrument(
            "http_server_request_duration_seconds", seconds, "Requests by route, from head to end of the response.",
            [
                method, Label("http_route", nil),
                Label("status_class", ["1xx", "2xx", "3xx", "4xx", "5xx", "client_gone"]),
            ]),
        Instrument("http_server_active_requests", .gauge, "Requests being processed.", [method]),
        Instrument("http_server_open_connections", .gauge, "Open connections, including those of the local socket."),
        Instrument(
            "nexus_request_failures_total", .counter,
            "Requests, tools and streams that failed, by the code that the client was told.", [Label("code", nil)]),
        Instrument(
            "nexus_store_write_seconds", seconds,
            "Transactions that wrote: the time in which nobody else could write."),
        Instrument(
            "nexus_store_slow_writes_total", .counter, "Transactions that kept the writer busy for more than 50 ms.",
            [Label("operation", nil)]),
        Instrument(
            "nexus_sign_ins_total", .counter, "Sign-ins by method and outcome.",
            [Label("method", ["password", "link", "openid"]), Label("outcome", ["succeeded", "failed"])]),
    ]

    private static let answers = [
        Instrument(
            "nexus_mentions_total", .counter, "Questions to the assistant in conversations, by outcome.",
            [Label("outcome", ["answered", "again", "limited", "failed", "dropped"])]),
        Instrument(
            "nexus_searches_total", .counter, "Searches by outcome.",
            [
                Label(
                    "outcome",
                    ["found", "below_threshold", "nothing_in_scope", "search_failed", "refused", "failed", "cancelled"])
            ]),
        Instrument(
            "nexus_questions_total", .counter, "Questions by outcome.",
            [
                Label(
                    "outcome",
                    [
                        "answered", "below_threshold", "nothing_in_scope", "search_failed", "refused", "failed",
                        "cancelled",
                    ])
            ]),
        Instrument(
            "nexus_questions_active", .gauge, "Questions that are being answered or wait for a place.",
            [Label("state", ["running", "waiting"])]),
        Instrument("nexus_answer_streams", .gauge, "Answers that are being streamed."),
        Instrument(
            "nexus_turn_feedback_total", .counter, "Feedback on answers; none when it was withdrawn.",
            [Label("rating", ["up", "down", "none"])]),
        Instrument(
            "nexus_search_notes_total", .counter, "Deviations of searches from their configuration.",
            [
                Label(
                    "note",
                    [
                        "embedding_failed", "tokens_failed", "rerank_failed", "rewritten", "rewrite_failed",
                        "carried_over",
                    ])
            ]),
        Instrument(
            "nexus_answer_notices_total", .counter,
            "Notices on answers; links_removed when the filter removed something.",
            [
                Label(
                    "notice",
                    [
                        "extractive", "truncated", "filtered", "prompt_cut", "links_removed", "incomplete",
                        "sentences_removed", "as_of",
                        "model_unavailable", "not_stored", "uncited",
                    ])
            ]),
        Instrument(
            "nexus_stage_duration_seconds", seconds,
            "How long each stage of a search, of an answer or of the queue's work took.", [Label("stage", stages)]),
    ]

    private static let models = [
        Instrument(
            "gen_ai_client_operation_duration_seconds", modelSeconds,
            "Calls of model services, including retries; error_type is missing for successful ones.",
            [operation, errorType]),
        Instrument(
            "gen_ai_client_token_usage", modelTokens, "Tokens of each call of a model service.",
            [operation, Label("gen_ai_token_type", ["input", "output"])]),
        Instrument(
            "nexus_tokens_total", .counter, "Tokens that model services used, by purpose.",
            [use, Label("type", ["input", "output"])]),
        Instrument(
            "nexus_cost_total", .counter, "Cost of the tokens, in the currency of the configured prices.", [use]),
    ]

    private static let embedding = [
        Instrument(
            "nexus_ingest_messages_total", .counter,
            "Messages that the worker took from the queue, by outcome, counted for each generation.",
            [Label("outcome", ["claimed", "embedded", "parked"])]),
        Instrument(
            "nexus_queue_messages", .gauge, "Messages of the serving generation by state.",
            [Label("state", ["embedded", "waiting", "failed", "excluded"])]),
        Instrument(
            "nexus_queue_oldest_age_seconds", .gauge, "Waiting time of the oldest waiting message; 0 for none."),
        Instrument(
            "nexus_embedding_coverage_ratio", .gauge, "Share of the messages to embed that are embedded, 0 to 1."),
        Instrument("nexus_index_passages", .gauge, "Passages that can be found by meaning."),
        Instrument("nexus_index_messages", .gauge, "Messages that can be found by their words."),
        Instrument("nexus_index_bytes", .gauge, "Bytes of the vectors with their keys and codes."),
        Instrument("nexus_ready", .gauge, "1 when the server can do its work, as GET /ready says."),
        Instrument(
            "nexus_store_trouble", .gauge, "1 while nothing can be stored for this reason.",
            [Label("trouble", ["storage_full", "storage_read_only", "writes_wait_for_standby", "storage_damaged"])]),
    ]

    private static let process = [
        Instrument("process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM."),
        Instrument("process_start_time_seconds", .gauge, "When the process began, seconds since 1970."),
        Instrument("nexus_build_info", .gauge, "Always 1; its label tells the version.", [Label("version", nil)]),
    ]
}
