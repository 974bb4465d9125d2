import ChatCore

/// The groups of an account's export that became supergroups, which are other chats with other numbers.
///
/// Telegram Desktop exports both as one chat, and takes 1,000,000,000 from the numbers of the group's messages (since
/// 2018, `kMigratedMessagesIdShift`). If a document has both, they become what it would make of them.
struct TelegramMigrations {
    private static let supergroups: Set<String> = ["private_supergroup", "public_supergroup"]
    /// The most seconds between the notices in the two chats.
    private static let tolerance: Int64 = 60

    private var chats: [Int: JSONFields] = [:]
    /// When a group became a supergroup.
    private var departures: [Int: Int64] = [:]
    /// When a supergroup began, and the group's name.
    private var arrivals: [Int: (at: Int64, title: String)] = [:]
    private var writers: [Int: Set<String>] = [:]

    /// Notes a chat; returns whether its messages tell of a migration.
    mutating func concerns(_ fields: JSONFields, chat: Int) -> Bool {
        let type = fields.text("type") ?? ""
        // A document of one chat has nothing to join it with.
        guard chat > 0, type == "private_group" || Self.supergroups.contains(type) else { return false }
        chats[chat] = fields
        return true
    }

    /// Notes a message of a first pass.
    mutating func remember(_ element: JSONFields, chat: Int) {
        guard chats[chat] != nil else { return }
        if let writer = element.id("from_id") { writers[chat, default: []].insert(writer) }
        guard let moment = element.integer("date_unixtime") else { return }
        switch element.text("action") {
        case "migrate_to_supergroup": departures[chat] = moment
        case "migrate_from_group": arrivals[chat] = element.text("title").map { (moment, $0) }
        default: break
        }
    }

    /// The fields of the supergroup that a group became; nil if none or several fit.
    ///
    /// A public supergroup, or one with people who did not write in the group, stays apart: more people could read it.
    func successor(of chat: Int) -> JSONFields? {
        guard let group = chats[chat], group.text("type") == "private_group", let moment = departures[chat] else {
            return nil
        }
        let fitting = arrivals.filter { number, arrival in
            let gap = moment.subtractingReportingOverflow(arrival.at)
            return !gap.overflow && (-Self.tolerance...Self.tolerance).contains(gap.partialValue)
                && arrival.title == group.text("name") && chats[number]?.text("type") == "private_supergroup"
                && (writers[number] ?? []).isSubset(of: writers[chat] ?? [])
        }
        return fitting.count == 1 ? fitting.keys.first.flatMap { chats[$0] } : nil
    }
}
