public import ChatCore
import Synchronization

/// A language model that says what it was told, and remembers it: its answer gives away whatever got into the prompt.
public final class RepeatingModel: LanguageModel {
    /// See ``LanguageModel/name``.
    public let name = "repeating"
    /// See ``LanguageModel/contextTokenCount``.
    public let contextTokenCount = 16_384
    private let end: String
    private let kept = Mutex<[String]>([])

    /// Makes a model that says `end` behind what it was told.
    public init(end: String = "") {
        self.end = end
    }

    /// What it was told so far.
    public var prompts: [String] { kept.withLock { $0 } }

    /// Repeats the prompt; see ``LanguageModel/generate(_:deliver:)``.
    public func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws {
        let prompt = request.messages.map(\.content).joined(separator: "\n")
        kept.withLock { $0.append(prompt) }
        let pieces = prompt.split(separator: " ").map { $0 + " " } + [end].filter { !$0.isEmpty }
        let deltas = request.streams ? pieces : [pieces.joined()]
        for piece in deltas { await deliver(.delta(piece)) }
        await deliver(.finished(.stop, nil))
    }
}
