package import ChatCore
import Foundation
import NexusModel
import Synchronization

/// The last changes as JSON: members of a conversation get the same ones, which are encoded once.
///
/// Clients that come back together, after the server was restarted, also ask for the same ones.
package final class FrameMemory: Sendable {
    /// The most bytes of texts; up to twice as many are kept.
    private static let byteLimit = 2 << 20
    /// Longer texts are not kept.
    private static let textLimit = 16 << 10

    private struct State {
        var recent: [ChatCore.FeedChange: String] = [:]
        var byteCount = 0
        /// What `recent` was before it was full.
        var older: [ChatCore.FeedChange: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Forgets all texts.
    func clear() { state.withLock { $0 = State() } }

    /// Returns a frame as JSON.
    package func text(of page: FeedPage, after start: ChangeCursor, links: MessageLinkTemplate?) throws -> String {
        let frame = FeedFrameContent(page, after: start, changes: [])
        // Keys in order, as everywhere.
        var text = #"{"changes":["#
        for (index, change) in page.changes.enumerated() {
            if index > 0 { text += "," }
            text += try self.text(of: change, links: links)
        }
        text += #"],"cursor":"\#(frame.cursor.text)","lane":\#(frame.lane),"#
        if let limited = frame.limited {
            text += #""limited":\#(String(decoding: try WireEncoding.data(limited), as: UTF8.self)),"#
        }
        text += #""pos":\#(frame.pos),"prev":\#(frame.prev),"v":\#(frame.v ?? 1)}"#
        return text
    }

    private func text(of change: ChatCore.FeedChange, links: MessageLinkTemplate?) throws -> String {
        let isShared = change.isShared
        if isShared, let text = known(change) { return text }
        let text = String(decoding: try WireEncoding.data(FeedChangeContent(change, links: links)), as: UTF8.self)
        if isShared, text.utf8.count <= Self.textLimit { keep(text, of: change) }
        return text
    }

    private func known(_ change: ChatCore.FeedChange) -> String? {
        state.withLock { $0.recent[change] ?? $0.older[change] }
    }

    private func keep(_ text: String, of change: ChatCore.FeedChange) {
        state.withLock { state in
            if state.byteCount + text.utf8.count > Self.byteLimit {
                state.older = state.recent
                (state.recent, state.byteCount) = ([:], 0)
            }
            if state.recent.updateValue(text, forKey: change) == nil { state.byteCount += text.utf8.count }
        }
    }
}

extension ChatCore.FeedChange {
    /// Whether several readers get it with equal content, so that it is worth keeping.
    fileprivate var isShared: Bool {
        switch self {
        case .message, .deletion, .receipt, .items: true
        default: false
        }
    }
}
