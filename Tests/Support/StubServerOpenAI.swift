import Foundation

// Answers of an OpenAI-like service.

extension StubResponse {
    /// Answers a request for embeddings.
    ///
    /// - Parameters:
    ///   - vectors: The vectors, in the order of their texts.
    ///   - indexes: The `index` of each; 0, 1, … unless given.
    ///   - isBase64: Whether they are written as base64.
    ///   - tokenCount: What `usage` says; no `usage` unless given.
    /// - Returns: A response with status 200.
    package static func embeddings(
        _ vectors: [[Float]], indexes: [Int]? = nil, isBase64: Bool = false, tokenCount: Int? = nil
    ) -> StubResponse {
        let items = vectors.enumerated().map { place, vector -> [String: Any] in
            let value: Any = isBase64 ? base64(vector) : vector.map(Double.init)
            return ["object": "embedding", "index": indexes?[place] ?? place, "embedding": value]
        }
        var reply: [String: Any] = ["object": "list", "data": items, "model": "stub"]
        if let tokenCount { reply["usage"] = ["prompt_tokens": tokenCount, "total_tokens": tokenCount] }
        return .json(reply)
    }

    /// Answers a request for embeddings with ``StubVectors``.
    package static func embeddings(for request: StubRequest, dimensions: Int = 4) -> StubResponse {
        .embeddings(request.input.map { StubVectors.vector(for: $0, dimensions: dimensions) })
    }

    /// Answers a request for a chat completion that is not streamed.
    package static func chat(
        _ text: String, finishReason: String? = "stop", usage: (prompt: Int, completion: Int)? = nil
    ) -> StubResponse {
        let message = ["role": "assistant", "content": text]
        let choice: [String: Any] = [
            "index": 0, "message": message, "finish_reason": finishReason.map { $0 as Any } ?? NSNull(),
        ]
        var reply: [String: Any] = ["id": "stub", "object": "chat.completion", "choices": [choice]]
        if let usage { reply["usage"] = ["prompt_tokens": usage.prompt, "completion_tokens": usage.completion] }
        return .json(reply)
    }

    /// Answers with a stream of server-sent events; bytes among the steps are sent as they are.
    package static func eventStream(_ steps: [Step]) -> StubResponse {
        .chunked(headers: [("Content-Type", "text/event-stream")], steps)
    }

    /// Answers a request for a chat completion as a stream: one frame a piece, the reason, the usage, `[DONE]`.
    package static func chatStream(
        _ pieces: [String], finishReason: String? = "stop", usage: (prompt: Int, completion: Int)? = nil
    ) -> StubResponse {
        var steps = pieces.map(Step.delta)
        if let finishReason { steps.append(.finish(finishReason)) }
        if let usage {
            let counts = #"{"prompt_tokens":\#(usage.prompt),"completion_tokens":\#(usage.completion)}"#
            steps.append(.event(#"{"choices":[],"usage":\#(counts)}"#))
        }
        return .eventStream(steps + [.event("[DONE]")])
    }

    /// Answers with an error in OpenAI's shape.
    package static func openAIError(
        _ status: Int, code: String? = nil, type: String = "invalid_request_error", param: String? = nil,
        message: String = "refused", headers: [(String, String)] = []
    ) -> StubResponse {
        var error: [String: Any] = ["message": message, "type": type]
        error["code"] = code.map { $0 as Any } ?? NSNull()
        error["param"] = param.map { $0 as Any } ?? NSNull()
        return .json(["error": error], status: status, headers: headers)
    }

    /// Writes `vector` as base64 of little-endian floats.
    package static func base64(_ vector: [Float]) -> String {
        let words = vector.map(\.bitPattern.littleEndian)
        return words.withUnsafeBytes { Data($0) }.base64EncodedString()
    }
}

extension StubResponse.Step {
    /// One server-sent event.
    package static func event(_ data: String) -> Self { .bytes(Data("data: \(data)\n\n".utf8)) }

    /// A frame with a piece of an answer.
    package static func delta(_ text: String) -> Self {
        let object: [String: Any] = ["choices": [["index": 0, "delta": ["content": text]]]]
        let json = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
        return .event(String(decoding: json, as: UTF8.self))
    }

    /// The frame that says why the answer ended.
    package static func finish(_ reason: String) -> Self {
        .event(#"{"choices":[{"index":0,"delta":{},"finish_reason":"\#(reason)"}]}"#)
    }
}

/// Small vectors that depend on the text alone.
package enum StubVectors {
    /// Returns `dimensions` components in -1...1 that are not all zero, from an FNV-1a hash of `text`.
    package static func vector(for text: String, dimensions: Int) -> [Float] {
        var hash = hash(text)
        return (0..<dimensions).map { place in
            hash = (hash ^ UInt64(place + 1)) &* 0x100_0000_01B3
            return Float((hash >> 32) % 2000 + 1) / 1000 - 1.0005
        }
    }

    /// Returns a vector with one component a word, so that texts with common words are near each other: each word, in
    /// small letters, adds 1 to the component that its hash chooses.
    ///
    /// No word at all gives 1 in the first one.
    package static func words(of text: String, dimensions: Int) -> [Float] {
        var vector = [Float](repeating: 0, count: dimensions)
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            vector[Int(hash(String(word)) % UInt64(dimensions))] += 1
        }
        if vector.allSatisfy({ $0 == 0 }) { vector[0] = 1 }
        return vector
    }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension StubServer {
    /// Starts a service with both functions of OpenAI's API, whatever the base path: vectors from
    /// ``StubVectors/words(of:dimensions:)``, and `answer` to every prompt, streamed word by word where that is asked for.
    package static func openAI(
        dimensions: Int = 64, answer: @escaping @Sendable (StubRequest) -> String = { _ in "An answer [1]." }
    ) throws -> StubServer {
        try StubServer { request in
            if request.target.hasSuffix("/embeddings") {
                return .embeddings(request.input.map { StubVectors.words(of: $0, dimensions: dimensions) })
            }
            guard request.target.hasSuffix("/chat/completions") else { return .openAIError(404, code: "not_found") }
            let text = answer(request)
            guard request.json["stream"] as? Bool == true else { return .chat(text) }
            let pieces = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            return .chatStream(pieces.enumerated().map { $0.offset == 0 ? $0.element : " " + $0.element })
        }
    }
}
