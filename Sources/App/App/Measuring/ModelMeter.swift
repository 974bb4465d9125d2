import ChatCore
package import CoreMetrics

/// Counts calls, tokens and cost of model services.
package struct ModelMeter: Sendable {
    /// An operation of a service.
    package enum Operation: String, Sendable {
        case chat
        case embeddings
        case rerank
    }

    /// A use of tokens.
    package enum Use: String, Sendable {
        case messages
        case questions
        case chat
    }

    /// Prices of a million tokens; nil when not known.
    package struct Prices: Hashable, Sendable {
        /// The price of embeddings.
        package var embedding: Double?
        /// The price of a language model's prompt.
        package var prompt: Double?
        /// The price of a language model's answer.
        package var answer: Double?

        package init(embedding: Double? = nil, prompt: Double? = nil, answer: Double? = nil) {
            self.embedding = embedding
            self.prompt = prompt
            self.answer = answer
        }
    }

    let factory: any MetricsFactory
    let prices: Prices

    package init(factory: any MetricsFactory, prices: Prices = Prices()) {
        self.factory = factory
        self.prices = prices
    }

    /// Counts a call.
    func record(_ operation: Operation, took duration: Duration, failure: (any Error)?) {
        Recorder(
            label: "gen_ai_client_operation_duration_seconds",
            dimensions: [
                ("gen_ai_operation_name", operation.rawValue), ("error_type", failure.map(Self.errorType) ?? ""),
            ], factory: factory
        ).record(duration / .seconds(1))
    }

    /// Counts the tokens of a call.
    func countTokens(_ operation: Operation, for use: Use, input: Int, output: Int? = nil) {
        record(operation, use, "input", input, price: use == .chat ? prices.prompt : prices.embedding)
        if let output { record(operation, use, "output", output, price: prices.answer) }
    }

    private func record(_ operation: Operation, _ use: Use, _ type: String, _ count: Int, price: Double?) {
        Recorder(
            label: "gen_ai_client_token_usage",
            dimensions: [("gen_ai_operation_name", operation.rawValue), ("gen_ai_token_type", type)], factory: factory
        ).record(Double(count))
        Counter(label: "nexus_tokens_total", dimensions: [("use", use.rawValue), ("type", type)], factory: factory)
            .increment(by: count)
        guard let price else { return }
        FloatingPointCounter(label: "nexus_cost_total", dimensions: [("use", use.rawValue)], factory: factory)
            .increment(by: Double(count) / 1_000_000 * price)
    }

    /// A stable word for why a call failed.
    static func errorType(_ error: any Error) -> String {
        (error as? ModelServiceError)?.code ?? (error is CancellationError ? "cancelled" : "other")
    }
}

/// Records how long stages take.
package struct StageMeter: Sendable {
    let factory: any MetricsFactory

    package init(factory: any MetricsFactory) {
        self.factory = factory
    }

    func record(_ stage: String, took duration: Duration) {
        Recorder(label: "nexus_stage_duration_seconds", dimensions: [("stage", stage)], factory: factory)
            .record(duration / .seconds(1))
    }

    func record(_ durations: [String: Duration]) {
        for (stage, duration) in durations { record(stage, took: duration) }
    }
}
