import Assistant
import ChatCore
import Configuration
import Foundation
import HTTPAPI
import LiveChat
import Logging
import ModelClients
import Retrieval
import TextAnalysis
import UseCases
import WebServer

extension NexusSettings {
    /// Reads and checks all settings.
    ///
    /// - Parameters:
    ///   - source: The source of values.
    ///   - folder: The folder of relative paths.
    /// - Throws: ``SettingsError``.
    init(_ source: SettingsSource, folder: URL) throws {
        try source.checkValues()
        unknownVariables = source.unknownVariables
        func path(_ key: SettingKey) throws -> URL? {
            try source.text(key).map { URL(filePath: Self.expandingHome($0), relativeTo: folder).absoluteURL }
        }
        dataFolder = try path(.dataFolder) ?? folder.appending(path: "data")
        logLevel = try source.text(.logLevel).flatMap { Logger.Level(rawValue: $0) } ?? .info
        logsJSON = try source.text(.logFormat) == "json"
        traceFile = try path(.traceFile)
        host = try source.text(.host) ?? "127.0.0.1"
        hosts = try Self.hosts(source)
        proxies = try Self.proxies(source)
        port = try source.integer(.port) ?? 8_080
        defaultUser = try source.text(.defaultUser)
        crossOrigins = try Self.origins(source)
        showsPage = try source.text(.page) != "off"
        pageFolder = try path(.pageFolder)
        switch (try path(.tlsCertificate), try path(.tlsKey)) {
        case (let certificate?, let key?): tls = (certificate, key)
        case (nil, nil): tls = nil
        default: throw SettingsError.inconsistent("http.tls-certificate and http.tls-key must be set together")
        }
        connectionCount = try source.integer(.connections) ?? 4_096
        connectionsPerAddress = try source.integer(.connectionsPerAddress)
        drainSeconds = try source.integer(.drainSeconds) ?? 1
        requestsPerMinute = try source.integer(.requestsPerMinute)
        live = LiveSettings(
            connectionsPerUser: try source.integer(.liveConnectionsPerUser) ?? 50,
            // So that requests still get through.
            connectionLimit: max(1, connectionCount - min(64, connectionCount / 10)),
            handshakesPerMinute: try source.integer(.handshakesPerMinute) ?? 120,
            handshakesPerAddress: try source.integer(.handshakesPerAddress) ?? 1_200)
        questionLimits = QuestionLimits(
            running: try source.integer(.questions) ?? 256, perUser: try source.integer(.questionsPerUser) ?? 8,
            waiting: try source.integer(.waitingQuestions) ?? 1_024)
        searchLimits = SearchLimits(
            running: try source.integer(.searches) ?? 256,
            perUser: try source.integer(.searchesPerUser)
                ?? SearchLimits.perUser(processors: ProcessInfo.processInfo.activeProcessorCount))
        tokensPerDay = try source.integer(.tokensPerDay)
        let files = FileLimits()
        self.files = FileLimits(
            fileBytes: try source.integer(.fileBytes) ?? files.fileBytes,
            totalBytes: try source.integer(.allFileBytes) ?? files.totalBytes,
            personBytes: try source.integer(.personFileBytes),
            unattachedCount: try source.integer(.unattachedFiles) ?? files.unattachedCount,
            unattachedBytes: try source.integer(.unattachedFileBytes))
        timestamps = try source.text(.timestamps) ?? "iso"
        messageLinks = try source.text(.messageURL).map { text in
            guard let template = MessageLinkTemplate(text) else {
                throw SettingsError.invalidValue(
                    key: SettingKey.messageURL.name,
                    expected: "an http or https address with {messageId}, and {conversationId} if it is needed, "
                        + "in its path, query or fragment")
            }
            return template
        }
        listsSources = try source.flag(.sourceList) ?? true
        openAIKey = source.variable("openai.api.key").flatMap { SecretText($0) }
        let keys = KeyReader(source: source, folder: folder, openAIKey: openAIKey)
        database = try Self.database(source, keys)
        acceptsLoss = try source.flag(.storeAcceptsLoss) ?? false
        acceptedTimeline = try source.integer(.storeAcceptedTimeline).map { Int64($0) }
        authentication = try Self.authentication(source, keys)
        isOpenByChoice = try source.text(.authMode) == "none"
        publicURL = try Self.publicURL(source)
        importByteLimit = try source.integer(.importBytes) ?? 1 << 30
        permissions = PersonPermissions(
            adding: try source.text(.addMembers).flatMap { PersonPermissions.Adding(rawValue: $0) } ?? .creator,
            opening: try source.text(.openConversations).flatMap { PersonPermissions.Opening(rawValue: $0) } ?? .nobody,
            groups: try Self.groups(source))
        firestore = try Self.firestore(source, keys)
        webhook = try Self.webhook(source, keys)
        push = try Self.push(source, keys)
        mentions = try Self.mentions(source, isDelivered: webhook != nil)
        let days = try source.integer(.feedRetentionDays) ?? 14
        feedRetention = .seconds(days.multipliedClamped(by: 86_400))
        embedding = try Self.embedding(source, keys)
        chat = try Self.chat(source, keys)
        conversations = try Self.conversations(source)
        rerank = try Self.rerank(source, keys)
        search = try path(.searchFile).map(Self.searchSettings) ?? RetrievalSettings()
        language = try source.text(.searchLanguage).flatMap { TextLanguage(rawValue: $0) } ?? .english
        promptsFolder = try path(.promptsFolder)
        modelFolder = try path(.modelFolder)
        encoderThreadCount =
            try source.integer(.encoderThreads) ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
        excludesDirect = try source.flag(.excludeDirect) ?? false
        let isDecided = try authentication != nil || source.text(.authMode) == "none"
        guard isDecided || Self.isLoopback(host) else {
            throw SettingsError.inconsistent(
                "http.host \(host) is not loopback, and users are not authenticated: configure auth.jwks, "
                    + "auth.firebase-project or auth.mode=required; auth.mode=none serves everybody as anybody")
        }
    }

    private static func hosts(_ source: SettingsSource) throws -> [String] {
        let hosts = try (source.text(.hosts) ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard hosts.allSatisfy(Authority.isHost) else {
            throw SettingsError.invalidValue(
                key: SettingKey.hosts.name, expected: "names as chat.example.com, without ports, separated by commas")
        }
        return hosts
    }

    private static func proxies(_ source: SettingsSource) throws -> [IPNetwork] {
        try (source.text(.proxies) ?? "").split(separator: ",").map { part in
            guard let network = IPNetwork(part.trimmingCharacters(in: .whitespaces)) else {
                throw SettingsError.invalidValue(
                    key: SettingKey.proxies.name,
                    expected: "addresses or networks as 127.0.0.1 and 10.0.0.0/8, separated by commas")
            }
            return network
        }
    }

    private static func origins(_ source: SettingsSource) throws -> [String] {
        let origins = try (source.text(.crossOrigins) ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard origins.allSatisfy(CrossOrigin.isOrigin) else {
            throw SettingsError.invalidValue(
                key: SettingKey.crossOrigins.name, expected: "origins as https://chat.example.com, separated by commas")
        }
        return origins
    }

    private static func mentions(_ source: SettingsSource, isDelivered: Bool) throws -> MentionSettings? {
        let word = try source.text(.mentions) ?? "audience"
        guard let reach = MentionSettings.Reach(rawValue: word) else { return nil }
        var mentions = MentionSettings(reach: reach, isDelivered: isDelivered)
        if let names = try source.text(.mentionNames) {
            mentions.names = names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard !mentions.names.isEmpty, mentions.names.allSatisfy(MentionSettings.isName) else {
            throw SettingsError.invalidValue(
                key: SettingKey.mentionNames.name, expected: "names of letters, digits, - and _, separated by commas")
        }
        if let count = try source.integer(.mentionsPerMinute) { mentions.answersPerMinute = count }
        return mentions
    }

    private static func webhook(_ source: SettingsSource, _ keys: KeyReader) throws -> MentionWebhook.Target? {
        let secret = try keys.own(.webhookSecret, file: .webhookSecretFile)
        guard let address = try source.text(.webhookURL) else { return nil }
        guard let url = URL(string: address), let scheme = url.scheme, ["http", "https"].contains(scheme),
            let host = url.host(), url.user() == nil, scheme == "https" || isLoopback(host)
        else {
            throw SettingsError.invalidValue(
                key: SettingKey.webhookURL.name, expected: "an https address, or http on loopback")
        }
        guard let secret else {
            throw SettingsError.inconsistent(
                "mentions.webhook-url needs mentions.webhook-secret, which signs what is sent")
        }
        return MentionWebhook.Target(url: address, secret: secret)
    }

    private static func firestore(_ source: SettingsSource, _ keys: KeyReader) throws -> FirestoreSettings {
        var firestore = FirestoreSettings(
            secret: try keys.own(.firestoreSecret, file: .firestoreSecretFile))
        if let path = try source.text(.firestorePath) { firestore.messagePath = path }
        guard FirestoreSettings.isUsable(messagePath: firestore.messagePath) else {
            throw SettingsError.invalidValue(
                key: SettingKey.firestorePath.name, expected: "a path as conversations/{c}/messages/{m}")
        }
        let standard = FirestoreSettings.Fields()
        firestore.fields = FirestoreSettings.Fields(
            text: try source.text(.firestoreText) ?? standard.text,
            senderID: try source.text(.firestoreSender) ?? standard.senderID,
            senderName: try source.text(.firestoreName) ?? standard.senderName,
            timestamp: try source.text(.firestoreTime) ?? standard.timestamp)
        return firestore
    }

    private static func embedding(_ source: SettingsSource, _ keys: KeyReader) throws -> Embedding {
        let provider = try source.text(.embeddingProvider) ?? source.text(.provider) ?? "builtin"
        let preset = ProviderPreset.named(provider)
        var service: Service?
        if provider != "builtin" {
            service = Service(
                provider: preset?.kind ?? provider,
                baseURL: try baseURL(
                    source.text(.embeddingBaseURL) ?? source.text(.baseURL), preset: preset,
                    key: .embeddingBaseURL),
                key: try keys.key(.embeddingKey, file: .embeddingKeyFile, provider: provider),
                model: try model(source.text(.embeddingModel) ?? preset?.embeddingModel, key: .embeddingModel))
        }
        let inputTypes = try Self.inputTypes(source)
        // A service that is told what a text is for puts the prefix before it itself.
        let prefixes = inputTypes == nil ? service.map { ProviderPreset.prefixes(ofModel: $0.model) } : nil
        let known = service?.model == preset?.embeddingModel ? preset?.embeddingDimensions : nil
        return Embedding(
            service: service, dimensions: try source.integer(.embeddingDimensions) ?? known,
            queryPrefix: try source.verbatim(.queryPrefix) ?? prefixes?.query ?? "",
            passagePrefix: try source.verbatim(.passagePrefix) ?? prefixes?.passage ?? "",
            dropsQueryPrefix: try source.verbatim(.queryPrefix) == "",
            dropsPassagePrefix: try source.verbatim(.passagePrefix) == "",
            inputTypes: inputTypes,
            timeLimit: .seconds(
                try source.integer(.embeddingTimeout)
                    ?? (service.map { ServiceHost.isNear($0.baseURL) } ?? true ? 600 : 300)),
            usesBase64: try source.text(.encodingFormat) == "base64",
            batchItemCount: try source.integer(.batchItems) ?? 32,
            batchTokenCount: try source.integer(.batchTokens) ?? 16_000,
            passageTokenLimit: try source.integer(.passageTokens),
            pricePerMillion: try source.number(.pricePerMillion), dailyTokenCap: try source.integer(.dailyTokenCap),
            // Two keep the encoder busy while results are stored; with one it was a fifth slower on 2 cores.
            concurrency: try source.integer(.concurrency) ?? (service == nil ? 2 : 8))
    }

    private static func inputTypes(_ source: SettingsSource) throws -> InputTypes? {
        guard let text = try source.text(.inputType) else { return nil }
        guard let types = InputTypes(text) else {
            throw SettingsError.invalidValue(
                key: SettingKey.inputType.name, expected: "the words for questions and messages, as query/passage")
        }
        return types
    }

    private static func chatLimits(_ source: SettingsSource, baseURL: String) throws -> ChatTimeLimits {
        var limits = ChatTimeLimits(baseURL: baseURL)
        if let seconds = try source.integer(.connectSeconds) { limits.connect = .seconds(seconds) }
        if let seconds = try source.integer(.firstTokenSeconds) { limits.firstToken = .seconds(seconds) }
        if let seconds = try source.integer(.tokenGapSeconds) { limits.betweenTokens = .seconds(seconds) }
        if let seconds = try source.integer(.answerSeconds) { limits.answer = .seconds(seconds) }
        return limits
    }

    private static func chat(_ source: SettingsSource, _ keys: KeyReader) throws -> Chat? {
        let common = try source.text(.provider)
        let provider = try source.text(.chatProvider) ?? (common == "builtin" ? nil : common) ?? "extractive"
        guard provider != "extractive" else { return nil }
        let preset = ProviderPreset.named(provider)
        let service = Service(
            provider: preset?.kind ?? provider,
            baseURL: try baseURL(
                source.text(.chatBaseURL) ?? source.text(.baseURL), preset: preset, key: .chatBaseURL),
            key: try keys.key(.chatKey, file: .chatKeyFile, provider: provider),
            model: try model(source.text(.chatModel) ?? preset?.chatModel, key: .chatModel))
        let contextTokenCount = try source.integer(.contextTokens) ?? 16_000
        let answerTokenCount = try source.integer(.answerTokens) ?? 1_000
        guard answerTokenCount < contextTokenCount else {
            throw SettingsError.inconsistent("chat.answer-tokens must be less than chat.context-tokens")
        }
        return Chat(
            service: service, contextTokenCount: contextTokenCount, answerTokenCount: answerTokenCount,
            limits: try chatLimits(source, baseURL: service.baseURL),
            temperature: try source.number(.temperature) ?? 0.7,
            taskTemperature: try source.number(.taskTemperature) ?? 0,
            fallback: try source.text(.chatFallback).flatMap { AnswerFallback(rawValue: $0) } ?? .quote,
            promptPricePerMillion: try source.number(.promptPrice),
            answerPricePerMillion: try source.number(.answerPrice))
    }

    private static func conversations(_ source: SettingsSource) throws -> ConversationSettings {
        var settings = ConversationSettings()
        settings.contextTokenCount = try source.integer(.assistantTokens)
        if let count = try source.integer(.assistantMessages) { settings.messageLimit = count }
        if let count = try source.integer(.assistantPartTokens) { settings.partTokenCount = count }
        if let count = try source.integer(.assistantParts) { settings.partLimit = count }
        return settings
    }

    /// Reranking has its own key, because the key of another service must not be sent to it.
    private static func rerank(_ source: SettingsSource, _ keys: KeyReader) throws -> Rerank? {
        guard let address = try source.text(.rerankBaseURL) else { return nil }
        let service = Service(
            provider: "compatible", baseURL: try baseURL(address, preset: nil, key: .rerankBaseURL),
            key: try keys.own(.rerankKey, file: .rerankKeyFile), model: try source.text(.rerankModel) ?? "default")
        return Rerank(service: service, shape: try source.text(.rerankShape) == "tei" ? .tei : .cohere)
    }

    /// Reads the search's settings from a file.
    static func searchSettings(_ file: URL) throws -> RetrievalSettings {
        guard let data = RegularFile.contents(file.path) else {
            throw SettingsError.unusableFile(
                key: SettingKey.searchFile.name, path: file.path, reason: FileTrouble.reading(file.path))
        }
        do {
            return try RetrievalSettings(json: data)
        } catch {
            throw SettingsError.inconsistent("\(file.path): \(error)")
        }
    }

    private static func baseURL(_ text: String?, preset: ProviderPreset?, key: SettingKey) throws -> String {
        guard let text = text ?? preset?.baseURL else {
            throw SettingsError.inconsistent("\(key.name) (or base-url) must be set for this provider")
        }
        guard let address = serviceAddress(text) else {
            throw SettingsError.invalidValue(key: key.name, expected: "an http or https address")
        }
        return address
    }

    /// Returns the address of a service without a slash at its end; nil when it is not valid.
    static func serviceAddress(_ text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.host()?.isEmpty == false, url.user() == nil, url.query() == nil
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static func model(_ name: String?, key: SettingKey) throws -> String {
        guard let name else { throw SettingsError.inconsistent("\(key.name) must be set for this provider") }
        return name
    }

    private static func expandingHome(_ path: String) -> String {
        path == "~" || path.hasPrefix("~/") ? NSString(string: path).expandingTildeInPath : path
    }
}
