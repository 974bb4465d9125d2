import Assistant
import ChatCore
import Connectors
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

/// All settings, checked; see ``Settings`` for their names, kinds and defaults.
package struct NexusSettings: Sendable {
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
    /// How long entries of the audit log are kept.
    var auditRetention: Duration
    /// How the assistant answers in conversations; nil when it does not.
    var mentions: MentionSettings?
    /// How the assistant repeats questions and digests.
    var schedules = ScheduleSettings()
    /// The receiver of the assistant's messages; nil for none.
    var webhook: MentionWebhook.Target?
    /// The homeserver whose rooms are kept; nil for none.
    var matrix: MatrixSettings?
    /// The Mattermost server; nil for none.
    var mattermost: MattermostSettings?
    /// The Slack workspace; nil for none.
    var slack: SlackSettings?
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
    var timestamps: CallableTimestamps
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
    /// The program that reads documents and pictures; nil for none.
    ///
    /// A server sets it to itself.
    var documentProgram: String?
    /// Whether direct conversations are not embedded unless they are included.
    var excludesDirect: Bool
    /// The key that may be used only with OpenAI's own address.
    var openAIKey: SecretText?
}

extension NexusSettings {
    /// Reads and checks all settings.
    ///
    /// - Throws: ``SettingsError``.
    init(_ source: SettingsSource) throws {
        try source.checkValues()
        unknownVariables = source.unknownVariables
        dataFolder = try source[Settings.dataFolder]
        logLevel = try source[Settings.logLevel]
        logsJSON = try source[Settings.logFormat] == "json"
        traceFile = try source[Settings.traceFile]
        host = try source[Settings.host]
        hosts = try source[Settings.hosts]
        proxies = try source[Settings.proxies]
        port = try source[Settings.port]
        defaultUser = try source[Settings.defaultUser]
        crossOrigins = try source[Settings.crossOrigins]
        showsPage = try source[Settings.page] != "off"
        pageFolder = try source[Settings.pageFolder]
        tls = try Settings.tls(source)
        connectionCount = try source[Settings.connections]
        connectionsPerAddress = try source[Settings.connectionsPerAddress]
        drainSeconds = try source[Settings.drainSeconds]
        requestsPerMinute = try source[Settings.requestsPerMinute]
        live = try Settings.live(source)
        questionLimits = QuestionLimits(
            running: try source[Settings.questions], perUser: try source[Settings.questionsPerUser],
            waiting: try source[Settings.waitingQuestions])
        searchLimits = SearchLimits(
            running: try source[Settings.searches], perUser: try source[Settings.searchesPerUser])
        tokensPerDay = try source[Settings.tokensPerDay]
        files = try Settings.files(source)
        timestamps = try source[Settings.timestamps]
        messageLinks = try source[Settings.messageURL]
        listsSources = try source[Settings.sourceList]
        openAIKey = source.openAIKey
        database = try Settings.database(source)
        acceptsLoss = try source[Settings.storeAcceptsLoss]
        acceptedTimeline = try source[Settings.storeAcceptedTimeline].map { Int64($0) }
        authentication = try Settings.authentication(source)
        isOpenByChoice = try source[Settings.authMode] == "none"
        publicURL = try source[Settings.publicURL]
        importByteLimit = try source[Settings.importBytes]
        permissions = try Settings.permissions(source)
        firestore = try Settings.firestore(source)
        webhook = try Settings.webhook(source)
        push = try Settings.push(source)
        matrix = try Settings.matrix(source)
        mattermost = try Settings.mattermost(source)
        slack = try Settings.slack(source)
        mentions = try Settings.mentions(
            source, isDelivered: webhook != nil || matrix != nil || mattermost != nil || slack != nil)
        feedRetention = .seconds(try source[Settings.feedRetentionDays].multipliedClamped(by: 86_400))
        auditRetention = .seconds(try source[Settings.auditRetentionDays].multipliedClamped(by: 86_400))
        embedding = try Settings.embedding(source)
        chat = try Settings.chat(source)
        conversations = try Settings.conversations(source)
        rerank = try Settings.rerank(source)
        search = try source[Settings.searchFile].map(Settings.search) ?? RetrievalSettings()
        language = try source[Settings.searchLanguage]
        promptsFolder = try source[Settings.promptsFolder]
        modelFolder = try source[Settings.modelFolder]
        encoderThreadCount = try source[Settings.encoderThreads]
        excludesDirect = try source[Settings.excludeDirect]
        schedules = try Settings.schedules(
            source, isDelivered: mentions?.isDelivered ?? false, answerTimeout: answerTimeout)
        guard authentication != nil || isOpenByChoice || Settings.isLoopback(host) else {
            throw SettingsError.inconsistent(
                "http.host \(host) is not loopback, and users are not authenticated: configure auth.jwks, "
                    + "auth.firebase-project or auth.mode=required; auth.mode=none serves everybody as anybody")
        }
    }
}

extension NexusSettings {
    /// How long a request that waits for a model may take: as long as the models may, and a minute for all the rest.
    var answerTimeout: Duration {
        let embedding = embedding.service == nil ? .zero : embedding.timeLimit
        return max(chat?.limits.answer ?? .zero, embedding) + .seconds(58)
    }

    /// The folder of the files of the built-in encoder that is configured.
    var encoderFolder: URL { encoderFolder(of: embedding.builtInModel) }

    /// The folder of the files of a model of the built-in encoder.
    func encoderFolder(of model: BuiltInModel) -> URL {
        model.files.modelFolder(
            in: modelFolder ?? model.files.defaultRoot(environment: ProcessInfo.processInfo.environment))
    }
}
