import Assistant
import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import Logging
import ModelClients
import PostgresStore
import Retrieval
import SentenceEncoder
import TextAnalysis
import UseCases

/// All settings, checked; see ``SettingKey`` for their meaning.
struct NexusSettings: Sendable {
    /// A model service and how to reach it.
    struct Service: Sendable {
        /// `openai` or `compatible`.
        var provider: String
        /// The address of its API; `/embeddings` and `/chat/completions` follow.
        var baseURL: String
        /// Its key; nil for a service that needs none.
        var key: SecretText?
        /// The model's name there.
        var model: String
    }

    /// The embedder.
    struct Embedding: Sendable {
        /// The service; nil for the built-in encoder.
        var service: Service?
        /// Wanted dimensions; nil for the model's own.
        var dimensions: Int?
        var queryPrefix: String
        var passagePrefix: String
        /// Whether an empty prefix was set, which is also meant for other models of the same service.
        var dropsQueryPrefix = false
        var dropsPassagePrefix = false
        /// The words that tell the service what a text is for; nil sends none.
        var inputTypes: InputTypes?
        /// How long a request may take.
        var timeLimit: Duration
        var usesBase64: Bool
        var batchItemCount: Int
        var batchTokenCount: Int
        /// How many tokens a passage may have; nil for the embedder's default.
        var passageTokenLimit: Int?
        /// The price of a million tokens, in any currency; nil when not known.
        var pricePerMillion: Double?
        /// The most tokens of a day, then the backlog waits for the next day; nil for any number.
        var dailyTokenCap: Int?
        /// The most requests at once.
        var concurrency: Int
        /// How often a question is sent; not a setting: a server sends it once, because words find most without it.
        var questionAttemptLimit: Int?
    }

    /// The language model.
    struct Chat: Sendable {
        var service: Service
        var contextTokenCount: Int
        var answerTokenCount: Int
        /// How long an answer may take.
        var limits: ChatTimeLimits
        /// The temperature; nil for the service's default.
        var temperature: Double?
        /// The temperature of extraction, summaries and priorities.
        var taskTemperature: Double? = 0
        /// The answer to a question when the model fails.
        var fallback: AnswerFallback = .quote
        /// The price of a million tokens of prompts, in the currency of the other prices; nil when not known.
        var promptPricePerMillion: Double?
        /// The price of a million tokens of answers.
        var answerPricePerMillion: Double?
    }

    /// The reranking service.
    struct Rerank: Sendable {
        var service: Service
        var shape: RerankShape
    }

    /// Variables of the environment that look like settings but are unknown.
    var unknownVariables: [String]
    /// The settings that `--set` gave, except those of the command itself.
    var givenKeys: [String] = []
    var dataFolder: URL
    /// The PostgreSQL database that holds everything; nil for SQLite in the data folder.
    var database: PostgresAddress?
    /// Whether the database may acknowledge commits before they are on its disk.
    var acceptsLoss: Bool
    /// A timeline of the database that may be used although a higher one was; nil for none.
    var acceptedTimeline: Int64?
    var logLevel: Logger.Level
    /// Whether log lines are JSON.
    var logsJSON: Bool
    /// The file of a server's spans; nil for none.
    var traceFile: URL?
    var host: String
    /// Further names by which clients call the server.
    var hosts: [String]
    /// The proxies before the server.
    var proxies: [IPNetwork]
    var port: Int
    var defaultUser: String?
    var crossOrigins: [String]
    /// Whether browsers are shown the page.
    var showsPage: Bool
    /// The folder that the page's files are read from; nil for those in the program.
    var pageFolder: URL?
    /// The files of certificate and key; nil for plain HTTP.
    var tls: (certificate: URL, key: URL)?
    var connectionCount: Int
    /// The most connections of an address; nil for a third of all.
    var connectionsPerAddress: Int?
    var drainSeconds: Int
    var requestsPerMinute: Int?
    /// The limits of sockets and streams.
    var live: LiveSettings
    var questionLimits: QuestionLimits
    var searchLimits: SearchLimits
    /// The most tokens of a language model that a user may use in a day; nil for any number.
    var tokensPerDay: Int?
    /// How the assistant inside a conversation reads messages that are too long for a prompt.
    var conversations: ConversationSettings
    /// How long clients of the feed may be away and still resume.
    var feedRetention: Duration
    /// How the assistant answers in conversations; nil when it does not.
    var mentions: MentionSettings?
    /// The receiver of the assistant's messages; nil for none.
    var webhook: MentionWebhook.Target?
    /// The services for push.
    var push: PushSettings
    /// How callers are authenticated; nil if every caller is trusted.
    var authentication: AuthenticationSettings?
    /// Whether authentication is off by choice, so that accounts do not turn it on.
    var isOpenByChoice: Bool
    /// The address that people use, without a slash at its end; nil if it is the server's own.
    var publicURL: String?
    /// The most bytes of a history that an administrator sends.
    var importByteLimit: Int
    /// The permissions of people in conversations.
    var permissions: PersonPermissions
    /// The limits of files that people attach to messages.
    var files: FileLimits
    var timestamps: String
    /// Makes links to messages that came without one; nil for none.
    var messageLinks: MessageLinkTemplate?
    /// Whether the list of sources follows answers to OpenAI's clients.
    var listsSources: Bool
    var firestore: FirestoreSettings
    var embedding: Embedding
    /// The language model; nil for extractive answers.
    var chat: Chat?
    /// The reranking service; nil for none.
    var rerank: Rerank?
    /// How messages are searched for.
    var search: RetrievalSettings
    /// The language of texts whose language cannot be recognised.
    var language: TextLanguage
    var promptsFolder: URL?
    var modelFolder: URL?
    var encoderThreadCount: Int
    /// Whether the built-in encoder gives way to searches; true in a server, not a setting.
    var encoderGivesWay = false
    /// Whether direct conversations are not embedded unless they are included.
    var excludesDirect: Bool
    /// The key that may be used only with OpenAI's own address.
    var openAIKey: SecretText?
}

extension NexusSettings {
    /// How long a request that waits for a model may take: as long as the models may, and a minute for all the rest.
    var answerTimeout: Duration {
        let embedding = embedding.service == nil ? .zero : embedding.timeLimit
        return max(chat?.limits.answer ?? .zero, embedding) + .seconds(58)
    }

    /// The folder of the built-in encoder's files.
    var encoderFolder: URL {
        ModelFiles.standard.modelFolder(
            in: modelFolder ?? ModelFiles.standard.defaultRoot(environment: ProcessInfo.processInfo.environment))
    }
}
