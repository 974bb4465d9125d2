import ChatCore
import Foundation
import Prompting

/// A generator whose numbers depend on its seed alone (https://prng.di.unimi.it/splitmix64.c).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A generator that always gives the same number: each delimiter it draws is one letter, repeated.
struct ConstantGenerator: RandomNumberGenerator {
    let number: UInt64

    mutating func next() -> UInt64 { number }
}

/// Thursday, 2025-10-23 10:30 UTC.
let thursday = Timestamp(milliseconds: 1_761_215_400_000)

/// Makes a source, written so many minutes after ``thursday``; the conversation's id is its name unless given.
func source(
    _ text: String, sender: String = "Ada", conversation: String = "Harbor", id: ConversationID? = nil,
    after minutes: Int = 0, timeZone: String? = nil
) -> PromptSource {
    PromptSource(
        sender: sender, conversation: conversation, conversationID: id ?? ConversationID(rawValue: conversation),
        timestamp: thursday + .seconds(60 * minutes), timeZone: timeZone, text: text)
}

func builder(limits: PromptLimits = PromptLimits()) throws -> PromptBuilder {
    PromptBuilder(library: try PromptLibrary(overrides: nil), limits: limits)
}

/// Makes a prompt with room for everything, fenced by sixteen times the letter A.
func render(
    _ grounding: Grounding, question: String = "When do we sail?", history: [PromptExchange] = [],
    limits: PromptLimits = PromptLimits(), layout: PromptLayout = .byConversation, size: PromptSize = .normal
) throws -> Prompt {
    var generator = ConstantGenerator(number: 0)
    return try builder(limits: limits).prompt(
        for: PromptRequest(
            question: question, history: history, grounding: grounding, now: thursday, layout: layout, size: size),
        budget: PromptBudget(contextTokenCount: 1_000_000, answerTokenCount: 0), using: &generator)
}

/// The folder of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

/// Runs `body` with a folder that holds these files.
func withFolder<Result>(_ files: [String: Data], body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "prompts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appending(path: name)) }
    return try body(folder)
}
