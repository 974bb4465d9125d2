package import ChatCore
import Foundation
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
        var recent: [FeedChange: String] = [:]
        var byteCount = 0
        /// What `recent` was before it was full.
        var older: [FeedChange: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Forgets all texts.
    func clear() { state.withLock { $0 = State() } }

    /// Returns a frame as JSON.
    package func text(of page: FeedPage, after start: ChangeCursor, links: MessageLinkTemplate?) throws -> String {
        let frame = FeedFrame(page, after: start, links: links)
        guard page.limited.isEmpty else { return String(decoding: try WireEncoding.data(frame), as: UTF8.self) }
        // Keys in order, as everywhere.
        var text = #"{"changes":["#
        for (index, change) in frame.changes.enumerated() {
            if index > 0 { text += "," }
            text += try self.text(of: change)
        }
        text += #"],"cursor":"\#(frame.cursor)","lane":\#(frame.lane),"pos":\#(frame.pos),"prev":\#(frame.prev),"#
        text += #""v":\#(frame.v)}"#
        return text
    }

    private func text(of wire: FeedChangeWire) throws -> String {
        let isShared = wire.change.isShared
        if isShared, let text = known(wire.change) { return text }
        let text = String(decoding: try WireEncoding.data(wire), as: UTF8.self)
        if isShared, text.utf8.count <= Self.textLimit { keep(text, of: wire.change) }
        return text
    }

    private func known(_ change: FeedChange) -> String? {
        state.withLock { $0.recent[change] ?? $0.older[change] }
    }

    private func keep(_ text: String, of change: FeedChange) {
        state.withLock { state in
            if state.byteCount + text.utf8.count > Self.byteLimit {
                state.older = state.recent
                (state.recent, state.byteCount) = ([:], 0)
            }
            if state.recent.updateValue(text, forKey: change) == nil { state.byteCount += text.utf8.count }
        }
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
