public import ChatCore
import Synchronization

/// A language model that keeps its last answer as the base model gave it, before any filter.
public final class HeardModel: LanguageModel {
    private let base: any LanguageModel
    private let heard = Mutex("")

    public init(_ base: any LanguageModel) {
        self.base = base
    }

    /// The last answer.
    public var said: String { heard.withLock { $0 } }
    public var name: String { base.name }
    public var contextTokenCount: Int { base.contextTokenCount }

    public func generate(_ request: GenerationRequest) -> AsyncThrowingStream<GenerationEvent, any Error> {
        heard.withLock { $0 = "" }
        let reply = Reply(base: base, request: request)
        return AsyncThrowingStream { [self] in
            let event = try await reply.next()
            if case .delta(let text)? = event { heard.withLock { $0 += text } }
            return event
        }
    }

    /// One answer; it is read completely when its first piece is asked for.
    private actor Reply {
        private let base: any LanguageModel
        private let request: GenerationRequest
        private var events: [GenerationEvent]?

        init(base: any LanguageModel, request: GenerationRequest) {
            self.base = base
            self.request = request
        }

        func next() async throws -> GenerationEvent? {
            if events == nil {
                var read: [GenerationEvent] = []
                for try await event in base.generate(request) { read.append(event) }
                events = read
            }
            return events?.isEmpty == false ? events?.removeFirst() : nil
        }
    }
}
