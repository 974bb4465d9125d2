import ChatCore
import IndexCore
import Synchronization
import VectorIndex

/// The passages of each message of a generation, in memory: 8 bytes for each message.
///
/// It may name passages whose rows were removed. The index gives them no score.
final class PassageDirectory: Sendable {
    private struct Tables {
        /// Marks a message with several passages.
        static let several: Int64 = -1
        private static let pageSize = 4_096

        /// The only passage of each message, in pages, by number of the message; 0 for none.
        ///
        /// Pages without passages are empty. A store numbers its messages from 1, so few pages are empty.
        private var pages: [[Int64]] = []
        /// The passages of messages that have several, ascending.
        var many: [Int64: [Int64]] = [:]

        subscript(message: Int64) -> Int64 {
            get {
                let (page, place) = Self.location(of: message)
                return page < pages.count && !pages[page].isEmpty ? pages[page][place] : 0
            }
            set {
                let (page, place) = Self.location(of: message)
                if page >= pages.count {
                    pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count))
                }
                if pages[page].isEmpty { pages[page] = [Int64](repeating: 0, count: Self.pageSize) }
                pages[page][place] = newValue
            }
        }

        private static func location(of message: Int64) -> (page: Int, place: Int) {
            (Int(message) / pageSize, Int(message) % pageSize)
        }

        func passages(of message: Int64) -> [Int64] {
            switch self[message] {
            case 0: []
            case Self.several: many[message] ?? []
            case let only: [only]
            }
        }

        mutating func insert(_ passage: Int64, of message: Int64) {
            guard self[message] != 0 else {
                self[message] = passage
                return
            }
            var known = passages(of: message)
            guard !known.contains(passage) else { return }
            known.append(passage)
            set(known.sorted(), of: message)
        }

        mutating func set(_ passages: [Int64], of message: Int64) {
            many[message] = passages.count > 1 ? passages : nil
            self[message] = passages.count > 1 ? Self.several : passages.first ?? 0
        }
    }

    private let tables = Mutex(Tables())

    /// Notes passages of messages; they are numbered in their order in the message.
    func insert(_ passages: some Sequence<(passage: PassageNumber, message: MessageNumber)>) {
        tables.withLock { tables in
            for (passage, message) in passages { tables.insert(passage.rawValue, of: message.rawValue) }
        }
    }

    /// Notes the passages of all rows of an index.
    func insert(_ index: CosineIndex) {
        tables.withLock { tables in
            index.forEachRow { tables.insert(PassageNumber($0).rawValue, of: $1.owner) }
        }
    }

    /// Forgets passages of messages.
    func remove(_ passages: some Sequence<(passage: PassageNumber, message: MessageNumber)>) {
        tables.withLock { tables in
            for (passage, message) in passages {
                let known = tables.passages(of: message.rawValue)
                guard known.contains(passage.rawValue) else { continue }
                tables.set(known.filter { $0 != passage.rawValue }, of: message.rawValue)
            }
        }
    }

    /// Returns the passages of messages, in their order in the message.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - isWhole: Whether all passages of a message are wanted, by its place; otherwise only the first and the last.
    /// - Returns: Their passages, in the order of the messages.
    func passages(of messages: [MessageNumber], isWhole: (Int) -> Bool) -> PassageLists {
        tables.withLock { tables in
            var lists = PassageLists()
            for (place, message) in messages.enumerated() {
                let passages = tables.passages(of: message.rawValue)
                let isCut = passages.count > 2 && !isWhole(place)
                lists.append(isCut ? [passages[0], passages[passages.count - 1]] : passages)
            }
            return lists
        }
    }
}

/// The passages of several messages, one after the other.
struct PassageLists: Sendable {
    private(set) var numbers: [PassageNumber] = []
    private var ends: [Int] = []

    /// The places of a message's passages in ``numbers``.
    ///
    /// - Parameter message: The message's place in the request.
    subscript(message: Int) -> Range<Int> { (message == 0 ? 0 : ends[message - 1])..<ends[message] }

    fileprivate mutating func append(_ passages: [Int64]) {
        for passage in passages { numbers.append(PassageNumber(rawValue: passage)) }
        ends.append(numbers.count)
    }
}
