package import ChatCore
import Synchronization

/// A language model that says what it was told, and remembers it: its answer gives away whatever got into the prompt.
package final class RepeatingModel: LanguageModel {
    /// See ``LanguageModel/name``.
    package let name = "repeating"
    /// See ``LanguageModel/contextTokenCount``.
    package let contextTokenCount = 16_384
    private let end: String
    private let kept = Mutex<[String]>([])

    /// Makes a model that says `end` behind what it was told.
    package init(end: String = "") {
        self.end = end
    }

    /// What it was told so far.
    package var prompts: [String] { kept.withLock { $0 } }

    /// Repeats the prompt; see ``LanguageModel/generate(_:deliver:)``.
    package func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let prompt = request.messages.map(\.content).joined(separator: "\n")
        kept.withLock { $0.append(prompt) }
        let pieces = prompt.split(separator: " ").map { $0 + " " } + [end].filter { !$0.isEmpty }
        let deltas = request.streams ? pieces : [pieces.joined()]
        for piece in deltas { await deliver(.delta(piece)) }
        await deliver(.finished(.stop, nil))
    }
}
