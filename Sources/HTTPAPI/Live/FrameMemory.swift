package import ChatCore
import Foundation
import Synchronization

/// The last frames as JSON: members of a conversation get the same changes, which are encoded once.
package final class FrameMemory: Sendable {
    /// The most texts that are kept.
    private static let limit = 64
    /// The most changes of a text that is kept.
    private static let changeLimit = 4

    private let known = Mutex<[[FeedChange]: String]>([:])

    package init() {}

    /// Forgets all texts.
    func clear() { known.withLock { $0 = [:] } }

    /// Returns a frame as JSON.
    package func text(of page: FeedPage, after start: ChangeCursor, links: MessageLinkTemplate?) throws -> String {
        let frame = FeedFrame(page, after: start, links: links)
        guard page.limited.isEmpty, page.changes.count <= Self.changeLimit, page.changes.allSatisfy(\.isShared) else {
            return String(decoding: try WireEncoding.data(frame), as: UTF8.self)
        }
        let changes = try text(of: page.changes, as: frame)
        // Keys in order, as everywhere.
        return #"{"changes":\#(changes),"cursor":"\#(frame.cursor)","lane":\#(frame.lane),"pos":\#(frame.pos),"#
            + #""prev":\#(frame.prev),"v":\#(frame.v)}"#
    }

    private func text(of changes: [FeedChange], as frame: FeedFrame) throws -> String {
        if let text = known.withLock({ $0[changes] }) { return text }
        let text = String(decoding: try WireEncoding.data(frame.changes), as: UTF8.self)
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[changes] = text
        }
        return text
    }
}

extension FeedChange {
    /// Whether several readers get it with equal content, so that it is worth keeping.
    fileprivate var isShared: Bool {
        switch self {
        case .message, .deletion, .receipt, .items: true
        default: false
        }
    }
}
