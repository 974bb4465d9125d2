package import ChatCore

/// Where the next page of a search begins: behind everything that earlier pages showed.
///
/// Each page is ranked again, with everything that was shown, so that it has the place in the ranking that it would have
/// in one long list. What was shown is left out afterwards, so no message comes twice, also if messages were edited or
/// deleted in between. Messages that are newer than the first page are left out.
package struct SearchContinuation: Hashable, Sendable {
    /// The number of hits of earlier pages.
    package let count: Int
    /// The messages that earlier pages showed, and the candidates that stood for them.
    package let shown: Set<MessageNumber>
    /// The newest message at the time of the first page.
    package let newest: MessageNumber

    package init(count: Int, shown: Set<MessageNumber>, newest: MessageNumber) {
        self.count = count
        self.shown = shown
        self.newest = newest
    }
}
