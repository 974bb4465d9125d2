import ChatCore

/// How many conversations one person makes, and how many members one person adds.
extension SettingKey {
    static let conversationsPerDay = SettingKey(
        "permissions.conversations-per-day", .integer(1...1_000_000), default: "100")
    static let conversationsPerPerson = SettingKey(
        "permissions.conversations-per-person", .integer(1...10_000_000), default: "2000")
    static let membersPerRequest = SettingKey("permissions.members-per-request", .integer(1...10_000), default: "500")
    static let membersPerDay = SettingKey("permissions.members-per-day", .integer(1...10_000_000), default: "2000")
    static let membersPerPerson = SettingKey(
        "permissions.members-per-person", .integer(1...100_000_000), default: "20000")
}

extension NexusSettings {
    /// Reads the limits of conversations and members of one person.
    static func groups(_ source: SettingsSource) throws -> GroupLimits {
        let usual = GroupLimits()
        return GroupLimits(
            conversationsPerDay: try source.integer(.conversationsPerDay) ?? usual.conversationsPerDay,
            conversations: try source.integer(.conversationsPerPerson) ?? usual.conversations,
            membersPerRequest: try source.integer(.membersPerRequest) ?? usual.membersPerRequest,
            membersPerDay: try source.integer(.membersPerDay) ?? usual.membersPerDay,
            members: try source.integer(.membersPerPerson) ?? usual.members)
    }
}
