import ChatCore
import ModelClients
import Prompting
import Transport

/// The configured language model as a judge.
struct JudgeModel {
    /// Puts together what it is shown.
    let builder: PromptBuilder
    private let model: any LanguageModel

    /// Takes the language model of the settings.
    ///
    /// - Throws: ``OperatorFailure`` when none is configured, ``PromptError``, ``ModelServiceError``.
    init(_ settings: NexusSettings, transport: CurlTransport) throws {
        guard let chat = settings.chat else {
            throw OperatorFailure(message: "a judge needs a language model: set chat.provider")
        }
        model = try OpenAIChatModel(settings: ChatServiceSettings(chat), transport: transport)
        builder = PromptBuilder(library: try PromptLibrary(overrides: settings.promptsFolder))
    }

    /// Asks the model.
    ///
    /// - Parameters:
    ///   - prompt: What it is shown.
    ///   - tokenCount: The most tokens that it may say.
    /// - Returns: What it says.
    /// - Throws: ``ModelServiceError``.
    func reply(to prompt: [PromptMessage], tokenCount: Int) async throws -> String {
        let request = GenerationRequest(messages: prompt, maximumTokenCount: tokenCount, streams: false)
        var text = ""
        for try await event in model.generate(request) {
            if case .delta(let delta) = event { text += delta }
        }
        return text
    }
}
