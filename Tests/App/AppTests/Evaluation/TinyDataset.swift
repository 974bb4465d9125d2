import Foundation
import TestSupport
import Testing

/// A dataset of 3 conversations, 30 messages and 8 questions, and a stub service that embeds it.
struct TinyDataset {
    let binary: NexusBinary
    /// The service of its models.
    let stub: StubServer

    /// One message each of ten in three conversations, Ada's and Bob's in turn.
    private static let texts = [
        "dock": [
            "The crane is repaired on Thursday", "Harbour dues rise by four percent", "The red buoy has drifted",
            "Tide tables are in the blue folder", "Diesel is sold out until noon", "The ferry needs a new gangway",
            "Customs closes at five today", "Mind the loose plank on pier two", "The slipway gets a winch",
            "Fog horns were tested at dawn",
        ],
        "galley": [
            "Lentil soup again for lunch", "The oven burns bread on the left", "Somebody ate my cheese",
            "Order saffron and rice", "Knives go to the grinder in May", "Coffee tastes of soap",
            "The fridge hums in B flat", "Birthday cake for Edda hidden in the larder", "No nuts in the granola please",
            "Plates are stacked by size",
        ],
        "mast": [
            "The spinnaker has a tear", "Varnish dries slowly in rain", "Rigging inspection found rust",
            "A gull nests in the crow's nest", "New halyards arrive from Brest", "The compass light flickers",
            "Masthead camera shows nothing", "Battens are too stiff", "The anchor chain is marked yellow",
            "Sail maker wants cash",
        ],
    ]

    /// The question, where it is asked, what answers it, its category.
    private static let questions = [
        ("When is the crane repaired?", "dock", [0], "single"),
        ("Where are the tide tables?", "dock", [3], "single"),
        ("What tastes of soap?", "galley", [5], "single"),
        ("Where is the birthday cake for Edda?", "galley", [7], "single"),
        ("What about spinnaker tear and rigging rust?", "mast", [0, 2], "several"),
        ("Which halyards arrive from Brest?", "mast", [4], "several"),
        ("Who won the chess tournament?", "dock", [], "unanswerable"),
        ("Why did the gull eat the cheese?", "mast", [3], "adversarial"),
    ]

    /// Writes the dataset, and starts its service.
    ///
    /// - Parameter answer: What the service's language model says; see ``StubServer/openAI(dimensions:answer:)``.
    /// - Throws: What the file system throws.
    init(answer: @escaping @Sendable (StubRequest) -> String = { _ in "An answer [1]." }) throws {
        binary = try NexusBinary()
        stub = try StubServer.openAI(answer: answer)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write("conversations", conversations)
        try write("messages", messages)
        try write("questions", questions)
    }

    /// The folder of the dataset.
    var folder: URL { binary.folder.appending(path: "tiny") }

    /// Settings that make the program use the stub service.
    var settings: [String] {
        [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
            "--set", "embedding.model=e",
        ]
    }

    /// Settings that make the program use the stub service's language model, too.
    var chatSettings: [String] {
        [
            "--set", "chat.provider=compatible", "--set", "chat.base-url=\(stub.baseURL)/v1", "--set", "chat.model=c",
        ]
    }

    /// The prompts that the service's language model was given so far, each as one text.
    var prompts: [String] {
        stub.requests.compactMap { request in
            (request.json["messages"] as? [[String: Any]])?.compactMap { $0["content"] as? String }.joined()
        }
    }

    /// What the service was asked so far.
    var requests: [StubRequest] { stub.requests }

    /// The options that say what is measured with what, and keep it in the test's folder.
    var options: [String] {
        settings + ["--dataset", folder.path, "--cache", binary.folder.appending(path: "cache").path]
    }

    /// The texts that the service was given so far, in order.
    var embeddedTexts: [String] { stub.requests.flatMap(\.input) }

    let conversations = ["dock", "galley", "mast"].map {
        #"{"id": "\#($0)", "participants": [{"id": "ada", "name": "Ada"}, {"id": "bob", "name": "Bob"}]}"#
    }

    let messages = texts.sorted { $0.key < $1.key }.flatMap { conversation, texts in
        texts.enumerated().map { place, text in
            let (id, name) = place % 2 == 0 ? ("ada", "Ada") : ("bob", "Bob")
            return #"{"id": "\#(conversation)-\#(place)", "conversationId": "\#(conversation)", "seq": \#(place), "#
                + #""senderId": "\#(id)", "senderName": "\#(name)", "text": "\#(text)", "#
                + #""timestamp": "2026-01-0\#(place / 3 + 1)T1\#(place % 10):00:00Z"}"#
        }
    }

    let questions = questions.enumerated().map { number, question in
        let evidence = question.2.map { #""\#(question.1)-\#($0)""# }.joined(separator: ", ")
        return #"{"id": "q\#(number)", "conversationId": "\#(question.1)", "question": "\#(question.0)", "#
            + #""evidence": [\#(evidence)], "category": "\#(question.3)"}"#
    }

    /// Writes the lines of one of the three files.
    func write(_ name: String, _ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: "\(name).jsonl"))
    }

    /// Measures, and returns the report's file.
    @discardableResult
    func measure(_ name: String, _ more: [String] = []) async throws -> String {
        let result = try await binary.run(
            ["eval", "run", "--name", name, "--k", "1,10", "--json", "\(name).json"] + options + more)
        try #require(result.status == 0, "\(result.errors)")
        return "\(name).json"
    }

    /// A file in the test's folder as JSON.
    func json(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: binary.folder.appending(path: name))
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// A file in the test's folder.
    func text(_ name: String) throws -> String {
        try String(contentsOf: binary.folder.appending(path: name), encoding: .utf8)
    }

    /// Search settings that rank the messages least alike first.
    func writeBadSettings() throws -> String {
        try binary.write(
            "bad.json",
            """
            {"lexical": {"isOn": false}, "fusion": {"cosine": -1, "window": 0, "answer": 0, "question": 0, "time": 0}}
            """)
    }
}
