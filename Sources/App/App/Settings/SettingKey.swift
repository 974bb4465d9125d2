/// One setting: its name, its kind, and its default.
///
/// A key `http.port` is the environment's `NEXUS_HTTP_PORT`, the file's `{"http": {"port": …}}` and the command
/// line's `--set http.port=…`.
package struct SettingKey: Hashable, Sendable {
    /// The kind of a value.
    package enum Kind: Hashable, Sendable {
        case text
        case integer(ClosedRange<Int>)
        case number(ClosedRange<Double>)
        case flag
        case choice([String])

        /// The kind in words, for the settings table and for errors.
        package var description: String {
            switch self {
            case .text: "text"
            case .integer(let range): "integer \(range.lowerBound)...\(range.upperBound)"
            case .number(let range): "number \(range.lowerBound)...\(range.upperBound)"
            case .flag: "true or false"
            case .choice(let words): words.joined(separator: ", ")
            }
        }
    }

    /// The key, dotted.
    package let name: String
    /// The kind of its values.
    package let kind: Kind
    /// The default in words; nil for none.
    package let defaultText: String?
    /// Whether its value is never shown.
    package let isSecret: Bool

    /// The variable of the environment.
    package var environmentName: String {
        "NEXUS_" + name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    init(_ name: String, _ kind: Kind, default defaultText: String? = nil, isSecret: Bool = false) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.isSecret = isSecret
    }
}

extension SettingKey {
    static let dataFolder = SettingKey("data.folder", .text, default: "./data")
    static let storeURL = SettingKey("store.url", .text, default: "none: SQLite in data.folder", isSecret: true)
    static let storePasswordFile = SettingKey("store.password-file", .text)
    static let storeAcceptsLoss = SettingKey("store.accept-loss", .flag, default: "false")
    static let storeAcceptedTimeline = SettingKey("store.accept-timeline", .integer(1...Int(Int32.max)))
    static let logLevel = SettingKey(
        "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]), default: "info")

    static let logFormat = SettingKey("log.format", .choice(["text", "json"]), default: "text")
    static let traceFile = SettingKey("trace.file", .text, default: "none: no spans are written")

    static let host = SettingKey("http.host", .text, default: "127.0.0.1")
    static let proxies = SettingKey("http.proxies", .text, default: "none: X-Forwarded-For is ignored")
    static let connectionsPerAddress = SettingKey(
        "http.connections-per-address", .integer(1...1_000_000), default: "a third of http.connections")
    static let hosts = SettingKey("http.hosts", .text, default: "none: http.host, localhost and addresses")
    static let port = SettingKey("http.port", .integer(0...65_535), default: "8080")
    static let defaultUser = SettingKey("http.default-user", .text)
    static let crossOrigins = SettingKey("http.cors-origins", .text, default: "none: no pages of other origins")
    static let page = SettingKey("http.page", .choice(["on", "off"]), default: "on")
    static let pageFolder = SettingKey("http.page-folder", .text, default: "none: the page in the program")
    static let tlsCertificate = SettingKey("http.tls-certificate", .text, default: "none: plain HTTP")
    static let tlsKey = SettingKey("http.tls-key", .text)
    static let connections = SettingKey("http.connections", .integer(1...1_000_000), default: "4096")
    static let drainSeconds = SettingKey("http.drain-seconds", .integer(0...60), default: "1")
    static let requestsPerMinute = SettingKey("limits.requests-per-minute", .integer(1...1_000_000), default: "none")
    static let liveConnectionsPerUser = SettingKey(
        "limits.live-connections-per-user", .integer(1...100_000), default: "50")
    static let handshakesPerMinute = SettingKey(
        "limits.live-handshakes-per-minute", .integer(1...1_000_000), default: "120")
    static let handshakesPerAddress = SettingKey(
        "limits.live-handshakes-per-address", .integer(1...10_000_000), default: "1200")
    static let questions = SettingKey("limits.questions", .integer(1...100_000), default: "256")
    static let questionsPerUser = SettingKey("limits.questions-per-user", .integer(1...100_000), default: "8")
    static let waitingQuestions = SettingKey("limits.waiting-questions", .integer(0...100_000), default: "1024")
    static let searches = SettingKey("limits.searches", .integer(1...100_000), default: "256")
    static let searchesPerUser = SettingKey(
        "limits.searches-per-user", .integer(1...100_000), default: "processors less 1, from 1 to 32")
    static let tokensPerDay = SettingKey("limits.tokens-per-day", .integer(1_000...1_000_000_000_000), default: "none")
    static let assistantTokens = SettingKey(
        "assistant.context-tokens", .integer(2_048...10_000_000), default: "chat.context-tokens")
    static let assistantMessages = SettingKey(
        "assistant.messages", .integer(1...10_000_000), default: "100000")
    static let assistantPartTokens = SettingKey(
        "assistant.part-tokens", .integer(256...1_000_000), default: "12000")
    static let assistantParts = SettingKey("assistant.parts", .integer(1...100_000), default: "128")
    static let feedRetentionDays = SettingKey("feed.retention-days", .integer(1...3_650), default: "14")
    static let mentions = SettingKey(
        "mentions.scope", .choice(["audience", "this-conversation", "off"]), default: "audience")
    static let mentionNames = SettingKey("mentions.names", .text, default: "ai,nexus")
    static let mentionsPerMinute = SettingKey("mentions.per-minute", .integer(1...1_000_000), default: "6")
    static let webhookURL = SettingKey("mentions.webhook-url", .text, default: "none: no webhook")
    static let webhookSecret = SettingKey("mentions.webhook-secret", .text, isSecret: true)
    static let webhookSecretFile = SettingKey("mentions.webhook-secret-file", .text)

    static let authMode = SettingKey(
        "auth.mode", .choice(["none", "required"]),
        default: "required if tokens, OpenID Connect or accounts exist, else none")
    static let authJWKS = SettingKey("auth.jwks", .text)
    static let authIssuer = SettingKey("auth.issuer", .text)
    static let authAudience = SettingKey("auth.audience", .text)
    static let authFirebaseProject = SettingKey("auth.firebase-project", .text)
    static let authUserClaim = SettingKey("auth.user-claim", .text, default: "sub")
    static let authNameClaim = SettingKey("auth.name-claim", .text, default: "name")
    static let addMembers = SettingKey(
        "permissions.add-members", .choice(["nobody", "creator", "members"]), default: "creator")
    static let openConversations = SettingKey(
        "permissions.open-conversations", .choice(["nobody", "everyone"]), default: "nobody")
    static let authKindClaim = SettingKey("auth.kind-claim", .text, default: "none")
    static let authSecretFile = SettingKey("auth.secret-file", .text)

    static let fileBytes = SettingKey("files.max-bytes", .integer(1...1 << 40), default: "26214400 (25 MiB)")
    static let allFileBytes = SettingKey(
        "files.max-total-bytes", .integer(1...1 << 50), default: "10737418240 (10 GiB)")

    static let personFileBytes = SettingKey(
        "files.max-bytes-per-person", .integer(1...1 << 50), default: "a tenth of `files.max-total-bytes`")
    static let unattachedFiles = SettingKey("files.max-unattached", .integer(1...1_000_000), default: "50")
    static let unattachedFileBytes = SettingKey(
        "files.max-unattached-bytes", .integer(1...1 << 50), default: "10 times `files.max-bytes`")

    static let timestamps = SettingKey("callable.timestamps", .choice(["iso", "firestore", "millis"]), default: "iso")

    static let messageURL = SettingKey(
        "http.message-url", .text, default: "none: only links that came with messages")
    static let sourceList = SettingKey("openai.source-list", .flag, default: "true")

    static let firestoreSecret = SettingKey("firestore.secret", .text, isSecret: true)
    static let firestoreSecretFile = SettingKey("firestore.secret-file", .text)
    static let firestorePath = SettingKey(
        "firestore.message-path", .text, default: "conversations/{c}/messages/{m}")
    static let firestoreText = SettingKey("firestore.fields.text", .text, default: "text")
    static let firestoreSender = SettingKey("firestore.fields.sender-id", .text, default: "senderId")
    static let firestoreName = SettingKey("firestore.fields.sender-name", .text, default: "senderName")
    static let firestoreTime = SettingKey("firestore.fields.timestamp", .text, default: "timestamp")

    static let provider = SettingKey(
        "provider", .choice(["builtin", "openai", "ollama", "compatible"]), default: "builtin")
    static let baseURL = SettingKey("base-url", .text)
    static let apiKey = SettingKey("api-key", .text, isSecret: true)
    static let apiKeyFile = SettingKey("api-key-file", .text)

    static let embeddingProvider = SettingKey(
        "embedding.provider", .choice(["builtin", "openai", "ollama", "compatible"]), default: "provider")
    static let embeddingBaseURL = SettingKey("embedding.base-url", .text, default: "base-url")
    static let embeddingKey = SettingKey("embedding.api-key", .text, default: "api-key", isSecret: true)
    static let embeddingKeyFile = SettingKey("embedding.api-key-file", .text, default: "api-key-file")
    static let embeddingModel = SettingKey("embedding.model", .text, default: "all-MiniLM-L6-v2, or the provider's")
    static let embeddingDimensions = SettingKey(
        "embedding.dimensions", .integer(1...16_384), default: "the model's own")
    static let queryPrefix = SettingKey("embedding.query-prefix", .text, default: "the model's, see below")
    static let passagePrefix = SettingKey("embedding.passage-prefix", .text, default: "the model's, see below")
    static let inputType = SettingKey("embedding.input-type", .text, default: "none: not sent")
    static let embeddingTimeout = SettingKey(
        "embedding.timeout-seconds", .integer(1...86_400), default: "600 near, else 300")
    static let encodingFormat = SettingKey(
        "embedding.encoding-format", .choice(["float", "base64"]), default: "float")
    static let batchItems = SettingKey("embedding.batch-items", .integer(1...2_048), default: "32")
    static let batchTokens = SettingKey("embedding.batch-tokens", .integer(1...10_000_000), default: "16000")
    static let passageTokens = SettingKey(
        "embedding.passage-tokens", .integer(32...8_000), default: "256 for the built-in encoder, else 512")
    static let excludeDirect = SettingKey("embedding.exclude-direct", .flag, default: "false")
    static let pricePerMillion = SettingKey(
        "embedding.price-per-million", .number(0...1_000_000), default: "none: no cost is shown")
    static let dailyTokenCap = SettingKey(
        "embedding.daily-token-cap", .integer(1...1_000_000_000_000), default: "none")
    static let concurrency = SettingKey(
        "ingest.concurrency", .integer(1...64), default: "8, or 2 for the built-in encoder")
    static let encoderThreads = SettingKey("encoder.threads", .integer(1...256), default: "the processor's cores")

    static let chatProvider = SettingKey(
        "chat.provider", .choice(["extractive", "openai", "ollama", "compatible"]),
        default: "provider, extractive for builtin")
    static let chatBaseURL = SettingKey("chat.base-url", .text, default: "base-url")
    static let chatKey = SettingKey("chat.api-key", .text, default: "api-key", isSecret: true)
    static let chatKeyFile = SettingKey("chat.api-key-file", .text, default: "api-key-file")
    static let chatModel = SettingKey("chat.model", .text, default: "the provider's")
    static let contextTokens = SettingKey("chat.context-tokens", .integer(2_048...10_000_000), default: "16000")
    static let answerTokens = SettingKey("chat.answer-tokens", .integer(16...1_000_000), default: "1000")
    static let connectSeconds = SettingKey("chat.connect-seconds", .integer(1...600), default: "10")
    static let firstTokenSeconds = SettingKey(
        "chat.first-token-seconds", .integer(1...86_400), default: "600 near, else 120")
    static let tokenGapSeconds = SettingKey(
        "chat.token-gap-seconds", .integer(1...86_400), default: "120 near, else 60")
    static let answerSeconds = SettingKey(
        "chat.answer-seconds", .integer(1...86_400), default: "3600 near, else 600")
    static let temperature = SettingKey("chat.temperature", .number(0...2), default: "0.7")

    static let taskTemperature = SettingKey("chat.task-temperature", .number(0...2), default: "0")
    static let chatFallback = SettingKey("chat.fallback", .choice(["quote", "error"]), default: "quote")

    static let promptPrice = SettingKey(
        "chat.prompt-price-per-million", .number(0...1_000_000), default: "none: no cost is shown")
    static let answerPrice = SettingKey(
        "chat.answer-price-per-million", .number(0...1_000_000), default: "none: no cost is shown")

    static let rerankBaseURL = SettingKey("rerank.base-url", .text, default: "none: nothing is reranked")
    static let rerankModel = SettingKey("rerank.model", .text, default: "default")
    static let rerankShape = SettingKey("rerank.shape", .choice(["cohere", "tei"]), default: "cohere")
    static let rerankKey = SettingKey("rerank.api-key", .text, isSecret: true)
    static let rerankKeyFile = SettingKey("rerank.api-key-file", .text)

    static let searchFile = SettingKey("search.settings-file", .text, default: "the tuned defaults")
    static let searchLanguage = SettingKey(
        "search.language", .choice(["en", "de", "ja", "fr", "es", "und"]), default: "en")

    static let promptsFolder = SettingKey("prompts.folder", .text, default: "the prompts in the program")
    static let modelFolder = SettingKey("model.dir", .text, default: "~/.cache/nexus/models")

    /// Every setting that there is.
    package static let all = general + push + accounts

    private static let general: [SettingKey] = [
        dataFolder, storeURL, storePasswordFile, storeAcceptsLoss, storeAcceptedTimeline, logLevel, logFormat,
        traceFile, host, hosts, proxies, port, defaultUser,
        crossOrigins, page, pageFolder, tlsCertificate, tlsKey,
        connections, connectionsPerAddress, drainSeconds, authMode,
        authJWKS, authIssuer, authAudience, authFirebaseProject, authUserClaim, authNameClaim, authKindClaim,
        authSecretFile, addMembers, openConversations, conversationsPerDay,
        conversationsPerPerson, membersPerRequest, membersPerDay, membersPerPerson, requestsPerMinute,
        liveConnectionsPerUser, handshakesPerMinute, handshakesPerAddress,
        questions, questionsPerUser, waitingQuestions, searches, searchesPerUser, tokensPerDay, assistantTokens,
        assistantMessages,
        assistantPartTokens,
        assistantParts, feedRetentionDays, mentions, mentionNames, mentionsPerMinute,
        webhookURL, webhookSecret,
        webhookSecretFile, fileBytes, allFileBytes, personFileBytes, unattachedFiles, unattachedFileBytes, timestamps,
        messageURL,
        sourceList, firestoreSecret,
        firestoreSecretFile, firestorePath, firestoreText, firestoreSender, firestoreName, firestoreTime, provider,
        baseURL, apiKey, apiKeyFile,
        embeddingProvider, embeddingBaseURL, embeddingKey, embeddingKeyFile, embeddingModel, embeddingDimensions,
        queryPrefix, passagePrefix, inputType, embeddingTimeout, encodingFormat, batchItems, batchTokens, passageTokens,
        excludeDirect,
        pricePerMillion, dailyTokenCap, concurrency, encoderThreads, chatProvider, chatBaseURL,
        chatKey, chatKeyFile, chatModel, contextTokens, answerTokens, connectSeconds, firstTokenSeconds,
        tokenGapSeconds, answerSeconds, temperature, taskTemperature, chatFallback,
        promptPrice,
        answerPrice,
        rerankBaseURL, rerankModel,
        rerankShape,
        rerankKey,
        rerankKeyFile, searchFile, searchLanguage,
        promptsFolder, modelFolder,
    ]
}
