package import ChatCore
import Foundation
package import Transport

/// One promise of a boundary: run on every conformer, real, wrapping or fake.
package struct ServiceContract<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The promise in words.
    package let description: String
    private let body: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the promise; throws ``ContractViolation`` when it is broken.
    package func check(_ subject: Subject) async throws {
        try await body(subject)
    }
}

extension ServiceContract where Subject == any Embedder {
    private static let texts = ["The pilot comes at noon.", "a cat", "Berth 12 costs money", "ein Lotse, später", "9"]

    /// Demands vectors of length 1 with as many components as the space says.
    private static func vectors(_ outcomes: [EmbeddingOutcome], of embedder: any Embedder) async throws -> [[Float]] {
        let dimensions = try await embedder.space().dimensions
        return try outcomes.map { outcome in
            guard case .vector(let vector) = outcome else {
                throw ContractViolation(description: "a text was refused")
            }
            try demand(vector.count, dimensions)
            try demand(vector.allSatisfy(\.isFinite), true)
            let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
            try demand(abs(length - 1) < 1e-4, true)
            return vector
        }
    }

    /// All promises of an embedder.
    package static var all: [ServiceContract<any Embedder>] {
        [
            ServiceContract("the space has dimensions and stays the same") { embedder in
                let space = try await embedder.space()
                try demand(space.isUsable, true)
                try demand(try await embedder.space(), space)
                try demand(try await embedder.passageLimit().tokenCount >= 1, true)
            },
            ServiceContract("there is a vector for each text, in order, and it does not depend on the others") {
                embedder in
                let reply = try await embedder.embed(texts, as: .passage)
                try demand(reply.outcomes.count, texts.count)
                let together = try await vectors(reply.outcomes, of: embedder)
                for (text, expected) in zip(texts, together) {
                    let alone = try await vectors(try await embedder.embed([text], as: .passage).outcomes, of: embedder)
                    let cosine = zip(alone[0], expected).reduce(0) { $0 + $1.0 * $1.1 }
                    try demand(cosine > 0.999, true)
                }
            },
            ServiceContract("any number of texts is taken, none too") { embedder in
                try demand(try await embedder.embed([], as: .passage).outcomes.count, 0)
                let many = (0..<150).map { texts[$0 % texts.count] }
                let found = try await vectors(try await embedder.embed(many, as: .passage).outcomes, of: embedder)
                try demand(found.count, many.count)
                let cosine = zip(found[0], found[100]).reduce(0) { $0 + $1.0 * $1.1 }
                try demand(cosine > 0.999, true)
            },
            ServiceContract("a question is embedded by itself") { embedder in
                let vector = try await embedder.embedQuery("Where is the pilot?")
                _ = try await vectors([.vector(vector)], of: embedder)
            },
        ]
    }
}

extension ServiceContract where Subject == any LanguageModel {
    private static func request(streams: Bool) -> GenerationRequest {
        GenerationRequest(
            messages: [
                PromptMessage(role: .system, content: "Answer."), PromptMessage(role: .user, content: "Where? [1]"),
            ], maximumTokenCount: 64, streams: streams)
    }

    /// All promises of a language model.
    package static var all: [ServiceContract<any LanguageModel>] {
        [
            ServiceContract("it has a name and takes something") { model in
                try demand(model.name.isEmpty, false)
                try demand(model.contextTokenCount >= 1, true)
            },
            ServiceContract("an answer ends with its end, and only once") { model in
                for streams in [true, false] {
                    var (deltaCount, endCount) = (0, 0)
                    for event in try await model.events(of: request(streams: streams)) {
                        try demand(endCount, 0)
                        switch event {
                        case .reading(let share):
                            try demand(deltaCount, 0)
                            try demand((0...1).contains(share), true)
                        case .delta(let text):
                            try demand(text.isEmpty, false)
                            deltaCount += 1
                        case .finished: endCount += 1
                        }
                    }
                    try demand(endCount, 1)
                    try demand(deltaCount >= 1, true)
                }
            },
            ServiceContract("an answer that is not streamed comes in one piece") { model in
                var count = 0
                for event in try await model.events(of: request(streams: false)) {
                    if case .delta = event { count += 1 }
                }
                try demand(count, 1)
            },
            ServiceContract("a caller that leaves harms nobody") { model in
                let seen = try await model.events(of: request(streams: true)) { _ in true }
                try demand(seen.isEmpty, false)
                let reply = try await model.reply(to: request(streams: true))
                try demand(reply.text.isEmpty, false)
            },
        ]
    }
}

extension ServiceContract where Subject == any Reranker {
    /// All promises of a reranker.
    package static var all: [ServiceContract<any Reranker>] {
        let texts = ["the pilot", "a cat", "a pilot and a berth"]
        return [
            ServiceContract("it has a name") { reranker in try demand(reranker.name.isEmpty, false) },
            ServiceContract("there is a finite score for each text") { reranker in
                let scores = try await reranker.scores(of: texts, for: "Where is the pilot?")
                try demand(scores.count, texts.count)
                try demand(scores.allSatisfy(\.isFinite), true)
                try demand(try await reranker.scores(of: ["one"], for: "Which?").count, 1)
            },
            ServiceContract("many texts are taken") { reranker in
                let many = (0..<150).map { "text \($0)" }
                try demand(try await reranker.scores(of: many, for: "Which?").count, many.count)
            },
        ]
    }
}

extension ServiceContract where Subject == any TokenEncoder {
    /// All promises of a token encoder.
    package static var all: [ServiceContract<any TokenEncoder>] {
        [
            ServiceContract("there is a matrix for each text, in order, all of the same dimensions") { encoder in
                let texts = [
                    TokenText(text: "the pilot"), TokenText(prefix: "ADA", text: "cat zander"), TokenText(text: ""),
                ]
                let found = try await encoder.tokenVectors(of: texts)
                try demand(found.count, texts.count)
                try demand(Set(found.map(\.dimensions)).count, 1)
                try demand(found[2].count, 0)
                for (text, vectors) in zip(texts, found) {
                    let size = text.text.utf8.count
                    try demand(
                        vectors.tokens.allSatisfy { $0.range.lowerBound >= 0 && $0.range.upperBound <= size }, true)
                    try demand(vectors.codes.count, vectors.count * vectors.dimensions)
                }
                try demand(try await encoder.tokenVectors(of: [texts[1]])[0].tokens, found[1].tokens)
            },
            ServiceContract("no text gives no matrix") { encoder in
                try demand(try await encoder.tokenVectors(of: []).count, 0)
            },
        ]
    }
}

/// A transport, an address that it reaches, and the body of every reply there.
package struct ReachableTransport: Sendable {
    let transport: any HTTPTransport
    let url: String
    let body: String

    package init(_ transport: any HTTPTransport, url: String, body: String) {
        self.transport = transport
        self.url = url
        self.body = body
    }
}

extension ServiceContract where Subject == ReachableTransport {
    private static func request(_ subject: Subject) -> HTTPExchangeRequest {
        HTTPExchangeRequest(
            method: "POST", url: subject.url, headers: ["Content-Type": "application/json"], body: Data("{}".utf8),
            deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900)))
    }

    /// All promises of a transport.
    package static var all: [ServiceContract<ReachableTransport>] {
        [
            ServiceContract("a response has its status and all of its body") { subject in
                let reply = try await subject.transport.send(request(subject))
                try demand(reply.status, 200)
                try demand(String(decoding: reply.body, as: UTF8.self), subject.body)
            },
            ServiceContract("a streamed response has the same body, in pieces") { subject in
                let reply = try await subject.transport.stream(request(subject))
                try demand(reply.status, 200)
                var body = Data()
                for try await piece in reply.body { body += piece }
                try demand(String(decoding: body, as: UTF8.self), subject.body)
            },
            ServiceContract("requests at the same time do not mix") { subject in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask { try await subject.transport.send(request(subject)).body.count }
                    }
                    for try await count in group { try demand(count, subject.body.utf8.count) }
                }
            },
        ]
    }
}
