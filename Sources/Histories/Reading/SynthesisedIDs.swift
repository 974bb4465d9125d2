import ChatCore

/// Gives ids to messages of exports that have none: time, author, and the count among the author's messages of that
/// time.
///
/// A longer export of the same chat gives the same ids, also to two equal messages in one minute, and to a message
/// that was edited or deleted since. What is counted is let go once ``window`` other times have gone by.
struct SynthesisedIDs {
    private static let window = 64

    private var counts: [String: Int] = [:]
    private var times: [String: [String]] = [:]
    private var order: [String] = []

    /// Returns the id of the next message of an author at a time.
    ///
    /// - Parameters:
    ///   - time: As exact as the export tells it.
    ///   - author: The author's id in the export.
    /// - Returns: An id that is unique in the conversation.
    mutating func next(time: String, author: String) -> String {
        let key = "\(time)-\(TextDigest.text(author))"
        let count = (counts[key] ?? 0) + 1
        counts[key] = count
        if count == 1 { note(key, of: time) }
        return count == 1 ? key : "\(key)-\(count)"
    }

    private mutating func note(_ key: String, of time: String) {
        if times[time] == nil {
            order.append(time)
            if order.count > Self.window {
                for old in times.removeValue(forKey: order.removeFirst()) ?? [] { counts[old] = nil }
            }
        }
        times[time, default: []].append(key)
    }
}
