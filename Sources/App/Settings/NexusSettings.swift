import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Logging
import ModelClients
import Retrieval
import SentenceEncoder
import TextAnalysis
import UseCases

/// All settings, checked; see ``SettingKey`` for what each means.
struct NexusSettings: Sendable {
    /// A model service and how to reach it.
    struct Service: Sendable {
        /// `openai` or `compatible`.
        var provider: String
        /// Where its API begins; `/embeddings` and `/chat/completions` follow.
        var baseURL: String
        /// Its key; nil for a service that wants none.
        var key: SecretText?
        /// The model's name there.
        var model: String
    }

    /// What embeds.
    struct Embedding: Sendable {
        /// The service; nil for the built-in encoder.
        var service: Service?
        /// Wanted dimensions; nil for the model's own.
        var dimensions: Int?
        var queryPrefix: String
        var passagePrefix: String
        var usesBase64: Bool
        var batchItemCount: Int
        var batchTokenCount: Int
        /// How many tokens a passage may have; nil for what suits the embedder.
        var passageTokenLimit: Int?
        /// What a million tokens cost, in any currency; nil when not known.
        var pricePerMillion: Double?
        /// The most tokens of a day before the backlog waits for the next; nil for any number.
        var dailyTokenCap: Int?
        /// The most requests at once.
        var concurrency: Int
        /// How often a question is sent; not a setting: a server sends it once, because words find most without it.
        var questionAttemptLimit: Int?
    }

    /// What answers.
    struct Chat: Sendable {
        var service: Service
        var contextTokenCount: Int
        var answerTokenCount: Int
        /// Nil for the service's own.
        var temperature: Double?
        /// That of extraction, summaries and priorities.
        var taskTemperature: Double? = 0
        /// What a question gets when the model fails.
        var fallback: AnswerFallback = .quote
        /// What a million tokens of prompts cost, in the currency of the other prices; nil when not known.
        var promptPricePerMillion: Double?
        /// What a million tokens of answers cost.
        var answerPricePerMillion: Double?
    }

    /// What orders the best hits once more.
    struct Rerank: Sendable {
        var service: Service
        var shape: RerankShape
    }

    /// Variables of the environment that look like settings and are none.
    var unknownVariables: [String]
    /// The settings that `--set` gave, but for those that concern the command itself.
    var givenKeys: [String] = []
    var dataFolder: URL
    var logLevel: Logger.Level
    /// Whether log lines are JSON.
    var logsJSON: Bool
    /// Where a server writes its spans; nil for nowhere.
    var traceFile: URL?
    var host: String
    /// Further names by which clients call the server.
    var hosts: [String]
    var port: Int
    var defaultUser: String?
    var crossOrigins: [String]
    /// Where certificate and key are; nil for plain HTTP.
    var tls: (certificate: URL, key: URL)?
    var connectionCount: Int
    var drainSeconds: Int
    var requestsPerMinute: Int?
    var questionLimits: QuestionLimits
    var searchLimits: SearchLimits
    /// The most tokens of a language model that a user may take in a day; nil for any number.
    var tokensPerDay: Int?
    /// How the assistant inside a conversation reads what is too long for a prompt.
    var conversations: ConversationSettings
    /// How the assistant answers in conversations; nil when it does not.
    var mentions: MentionSettings?
    /// Who is told of the assistant's messages; nil for nobody.
    var webhook: MentionWebhook.Target?
    /// How callers are told apart; nil where every caller is believed.
    var authentication: AuthenticationSettings?
    /// What persons may do with conversations.
    var permissions: PersonPermissions
    var timestamps: String
    /// Makes links to messages that came without one; nil for none.
    var messageLinks: MessageLinkTemplate?
    /// Whether the list of sources follows answers to OpenAI's clients.
    var listsSources: Bool
    var firestore: FirestoreSettings
    var embedding: Embedding
    /// Nil for extractive answers.
    var chat: Chat?
    /// Nil for none.
    var rerank: Rerank?
    /// How messages are searched for.
    var search: RetrievalSettings
    /// The language of texts whose own cannot be told.
    var language: TextLanguage
    var promptsFolder: URL?
    var modelFolder: URL?
    var encoderThreadCount: Int
    /// Whether the built-in encoder gives way to searches: in a server, no setting of its own.
    var encoderGivesWay = false
    /// Whether direct conversations are not embedded unless they are included.
    var excludesDirect: Bool
    /// The key that may be used with OpenAI's own address only.
    var openAIKey: SecretText?
}

extension NexusSettings {
    /// Where the built-in encoder's files are.
    var encoderFolder: URL {
        ModelFiles.standard.modelFolder(
            in: modelFolder ?? ModelFiles.standard.defaultRoot(environment: ProcessInfo.processInfo.environment))
    }
}
