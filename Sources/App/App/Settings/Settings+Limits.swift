import ChatCore
import Foundation
import HTTPAPI
import UseCases

/// The permissions of people in conversations.
extension Settings {
    static let addMembers = Setting<PersonPermissions.Adding>("permissions.add-members", default: .administrators)
    static let openConversations = Setting<PersonPermissions.Opening>(
        "permissions.open-conversations", default: .nobody)
    static let conversationsPerDay = Setting<Int>(
        "permissions.conversations-per-day", in: 1...1_000_000, default: GroupLimits().conversationsPerDay)
    static let conversationsPerPerson = Setting<Int>(
        "permissions.conversations-per-person", in: 1...10_000_000, default: GroupLimits().conversations)
    static let membersPerRequest = Setting<Int>(
        "permissions.members-per-request", in: 1...10_000, default: GroupLimits().membersPerRequest)
    static let membersPerDay = Setting<Int>(
        "permissions.members-per-day", in: 1...10_000_000, default: GroupLimits().membersPerDay)
    static let membersPerPerson = Setting<Int>(
        "permissions.members-per-person", in: 1...100_000_000, default: GroupLimits().members)

    static let ofPermissions: [any AnySetting] = [
        addMembers, openConversations, conversationsPerDay, conversationsPerPerson, membersPerRequest, membersPerDay,
        membersPerPerson,
    ]

    static func permissions(_ source: SettingsSource) throws -> PersonPermissions {
        PersonPermissions(
            adding: try source[addMembers], opening: try source[openConversations],
            groups: GroupLimits(
                conversationsPerDay: try source[conversationsPerDay], conversations: try source[conversationsPerPerson],
                membersPerRequest: try source[membersPerRequest], membersPerDay: try source[membersPerDay],
                members: try source[membersPerPerson]))
    }
}

/// The limits of requests.
extension Settings {
    static let requestsPerMinute = Setting<Int?>("limits.requests-per-minute", in: 1...1_000_000, "none")
    static let liveConnectionsPerUser = Setting<Int>(
        "limits.live-connections-per-user", in: 1...100_000, default: LiveSettings().connectionsPerUser)
    static let handshakesPerMinute = Setting<Int>(
        "limits.live-handshakes-per-minute", in: 1...1_000_000, default: LiveSettings().handshakesPerMinute)
    static let handshakesPerAddress = Setting<Int>(
        "limits.live-handshakes-per-address", in: 1...10_000_000, default: LiveSettings().handshakesPerAddress)
    static let questions = Setting<Int>("limits.questions", in: 1...100_000, default: QuestionLimits().running)
    static let questionsPerUser = Setting<Int>(
        "limits.questions-per-user", in: 1...100_000, default: QuestionLimits().perUser)
    static let waitingQuestions = Setting<Int>(
        "limits.waiting-questions", in: 0...100_000, default: QuestionLimits().waiting)
    static let searches = Setting<Int>("limits.searches", in: 1...100_000, default: SearchLimits().running)
    static let searchesPerUser = Setting<Int>(
        "limits.searches-per-user", in: 1...100_000,
        default: SearchLimits.perUser(processors: ProcessInfo.processInfo.activeProcessorCount),
        "processors less 1, from 1 to 32")
    static let tokensPerDay = Setting<Int?>("limits.tokens-per-day", in: 1_000...1_000_000_000_000, "none")

    static let ofLimits: [any AnySetting] = [
        requestsPerMinute, liveConnectionsPerUser, handshakesPerMinute, handshakesPerAddress, questions,
        questionsPerUser, waitingQuestions, searches, searchesPerUser, tokensPerDay,
    ]

    static func live(_ source: SettingsSource) throws -> LiveSettings {
        let count = try source[connections]
        return LiveSettings(
            connectionsPerUser: try source[liveConnectionsPerUser],
            // So that requests still get through.
            connectionLimit: max(1, count - min(64, count / 10)),
            handshakesPerMinute: try source[handshakesPerMinute],
            handshakesPerAddress: try source[handshakesPerAddress])
    }
}

/// Files that people attach to messages.
extension Settings {
    static let fileBytes = Setting<Int>("files.max-bytes", bytes: 1...1 << 40, default: FileLimits().fileBytes)
    static let allFileBytes = Setting<Int>(
        "files.max-total-bytes", bytes: 1...1 << 50, default: FileLimits().totalBytes)
    static let personFileBytes = Setting<Int?>(
        "files.max-bytes-per-person", in: 1...1 << 50, "a tenth of `files.max-total-bytes`")
    static let unattachedFiles = Setting<Int>(
        "files.max-unattached", in: 1...1_000_000, default: FileLimits().unattachedCount)
    static let unattachedFileBytes = Setting<Int?>(
        "files.max-unattached-bytes", in: 1...1 << 50, "10 times `files.max-bytes`")

    static let readsDocuments = Setting<Bool>("files.read-documents", default: true)
    static let readsPictures = Setting<Bool>("files.read-pictures", default: false)

    static let ofFiles: [any AnySetting] = [
        fileBytes, allFileBytes, personFileBytes, unattachedFiles, unattachedFileBytes, readsDocuments, readsPictures,
    ]

    static func files(_ source: SettingsSource) throws -> FileLimits {
        FileLimits(
            fileBytes: try source[fileBytes], totalBytes: try source[allFileBytes],
            personBytes: try source[personFileBytes], unattachedCount: try source[unattachedFiles],
            unattachedBytes: try source[unattachedFileBytes],
            readTypes: (try source[readsDocuments] ? FileLimits.documentTypes : []).union(
                try source[readsPictures] ? FileLimits.pictureTypes : []))
    }
}
