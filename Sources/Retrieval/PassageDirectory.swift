import ChatCore
import Synchronization

/// Which passages each message of a generation has, in memory: 8 bytes a message.
///
/// It may name passages whose rows have gone; a search asks the index for them, and gets no score.
final class PassageDirectory: Sendable {
    private struct Tables {
        /// Stands for a message with several passages.
        static let several: Int64 = -1
        private static let pageSize: Int64 = 4_096

        /// By number of the message, in pages: its only passage; 0 for none.
        private var pages: [Int64: [Int64]] = [:]
        /// The passages of messages that have several, ascending.
        var many: [Int64: [Int64]] = [:]

        subscript(message: Int64) -> Int64 {
            get { pages[message / Self.pageSize]?[Int(message % Self.pageSize)] ?? 0 }
            set {
                let place = Int(message % Self.pageSize)
                pages[message / Self.pageSize, default: [Int64](repeating: 0, count: Int(Self.pageSize))][place] =
                    newValue
            }
        }

        func passages(of message: Int64) -> [Int64] {
            switch self[message] {
            case 0: []
            case Self.several: many[message] ?? []
            case let only: [only]
            }
        }

        mutating func set(_ passages: [Int64], of message: Int64) {
            many[message] = passages.count > 1 ? passages : nil
            self[message] = passages.count > 1 ? Self.several : passages.first ?? 0
        }
    }

    private let tables = Mutex(Tables())

    /// Notes that a message has passages, which are numbered in the order in which they stand in it.
    func insert(_ passages: some Sequence<(passage: PassageNumber, message: MessageNumber)>) {
        tables.withLock { tables in
            for (passage, message) in passages {
                let (passage, message) = (passage.rawValue, message.rawValue)
                if tables[message] == 0 {
                    tables[message] = passage
                    continue
                }
                var known = tables.passages(of: message)
                guard !known.contains(passage) else { continue }
                known.append(passage)
                tables.set(known.count > 1 ? known.sorted() : known, of: message)
            }
        }
    }

    /// Notes that a message no longer has passages.
    func remove(_ passages: some Sequence<(passage: PassageNumber, message: MessageNumber)>) {
        tables.withLock { tables in
            for (passage, message) in passages {
                let known = tables.passages(of: message.rawValue)
                guard known.contains(passage.rawValue) else { continue }
                tables.set(known.filter { $0 != passage.rawValue }, of: message.rawValue)
            }
        }
    }

    /// Returns the passages of messages, as they stand in them; messages without any are left out.
    func passages(of messages: some Sequence<MessageNumber>) -> [MessageNumber: [PassageNumber]] {
        tables.withLock { tables in
            var found: [MessageNumber: [PassageNumber]] = [:]
            for message in messages {
                let passages = tables.passages(of: message.rawValue)
                if !passages.isEmpty { found[message] = passages.map { PassageNumber(rawValue: $0) } }
            }
            return found
        }
    }
}
