public import Foundation
public import NexusClient
public import NexusModel

/// The entries of one day, for a list with headings.
public struct DaySection: Hashable, Sendable, Identifiable {
    /// The day; nil for what has no time: gaps before the first message, and what is being sent.
    public let day: Date?
    /// The entries in their order.
    public fileprivate(set) var entries: [ConversationEntry]
    /// Counts the sections.
    public let id: Int

    /// Cuts a conversation into days.
    ///
    /// - Parameters:
    ///   - entries: The entries in their order.
    ///   - calendar: The reader's calendar with the zone that decides what a day is.
    /// - Returns: Sections that together have all entries; a day may come twice if the order of messages is not that
    ///   of their times.
    public static func sections(of entries: [ConversationEntry], in calendar: Calendar) -> [DaySection] {
        var sections: [DaySection] = []
        for entry in entries {
            let day: Date?
            switch entry {
            case .message(let message): day = calendar.startOfDay(for: message.timestamp)
            case .gap: day = sections.last?.day
            case .outgoing: day = nil
            }
            if let last = sections.last, last.day == day {
                sections[sections.count - 1].entries.append(entry)
            } else {
                sections.append(DaySection(day: day, entries: [entry], id: sections.count))
            }
        }
        return sections
    }
}

/// A source of an answer on the screen.
public struct SourceCard: Hashable, Sendable, Identifiable {
    /// Its number in the answer; nil if it is not cited.
    public let number: Int?
    /// Who wrote it, and where.
    public let title: String
    /// The beginning of the message.
    public let excerpt: String
    /// When it was written.
    public let date: Date?
    /// Where a tap leads.
    public let place: MessagePlace

    public var id: MessagePlace { place }

    /// Returns the cards of an answer: cited sources by their numbers, then the others by rank.
    public static func cards(of sources: [ChatAnswer.Source]) -> [SourceCard] {
        let cited = sources.filter { $0.number != nil }.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        return (cited + sources.filter { $0.number == nil }).map { source in
            SourceCard(
                number: source.number, title: "\(source.senderName) · \(source.conversationName)",
                excerpt: source.excerpt, date: source.timestamp, place: source.place)
        }
    }
}
