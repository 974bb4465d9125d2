import ChatCore
import Foundation
import Logging

/// The keys at an address, fetched when needed and kept for as long as the address's `Cache-Control` allows.
///
/// A fetched set stays in use while fetching fails. The address is asked at most once a minute, whatever tokens arrive,
/// and at most every five seconds until a first set is known.
actor RemoteKeys {
    private static let interval: Duration = .seconds(60)
    private static let firstInterval: Duration = .seconds(5)
    /// Limits of the time that a set is kept, in seconds.
    private static let lifetimeRange: ClosedRange<Int64> = 60...86_400
    /// The time that a set without caching headers is kept, in seconds.
    private static let lifetime: Int64 = 300

    private let address: String
    private let fetch: KeyFetch
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private var keys: KeySet?
    private var freshUntil: Timestamp?
    private var askedAt: Timestamp?
    private var fetching: Task<Void, Never>?

    init(address: String, fetch: @escaping KeyFetch, now: @escaping @Sendable () -> Timestamp, logger: Logger) {
        self.address = address
        self.fetch = fetch
        self.now = now
        self.logger = logger
    }

    /// Returns the key that a token names.
    ///
    /// - Parameter token: A token.
    /// - Returns: The key; nil when there is none.
    /// - Throws: ``Failure/keysUnavailable`` while no set could be fetched.
    func key(for token: SignedToken) async throws(Failure) -> VerificationKey? {
        if keys == nil || isStale { await refresh(waits: keys == nil) }
        if let key = keys?.key(for: token) { return key }
        await refresh(waits: true)
        guard let keys else { throw .keysUnavailable }
        return keys.key(for: token)
    }

    private var isStale: Bool { freshUntil.map { $0 <= now() } ?? true }

    private var mayAsk: Bool {
        guard let askedAt else { return true }
        let waited = now() - askedAt
        // A clock that was set back must not block fetching.
        return waited < .zero || waited >= (keys == nil ? Self.firstInterval : Self.interval)
    }

    /// Fetches the set if it is due; concurrent callers share one request, and wait for it only if `waits` is true.
    private func refresh(waits: Bool) async {
        if fetching == nil, mayAsk {
            askedAt = now()
            // A separate task, because other requests wait for it even if this client disconnects.
            fetching = Task { await load() }
        }
        if waits { await fetching?.value }
    }

    private func load() async {
        defer { fetching = nil }
        do {
            let document = try await fetch(address)
            guard let set = await KeySet.read(document.body, takesSecrets: false) else {
                logger.warning("The keys for tokens were fetched but hold no usable key; the known ones stay in use")
                return
            }
            keys = set
            freshUntil = now() + .seconds(Self.lifetime(of: document))
        } catch {
            logger.warning(
                "The keys for tokens cannot be fetched; the known ones stay in use",
                metadata: ["error.type": "\(type(of: error))"])
        }
    }

    /// Returns the seconds that a set may be kept.
    static func lifetime(of document: KeyDocument) -> Int64 {
        let directives = (document.cacheControl ?? "").lowercased().split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        if directives.contains("no-store") || directives.contains("no-cache") { return lifetimeRange.lowerBound }
        guard let directive = directives.first(where: { $0.hasPrefix("max-age=") }),
            let seconds = Int64(directive.dropFirst("max-age=".count))
        else { return lifetime }
        let age = document.age.flatMap { Int64($0) } ?? 0
        let left = seconds.subtractingReportingOverflow(max(0, age))
        return min(max(left.overflow ? 0 : left.partialValue, lifetimeRange.lowerBound), lifetimeRange.upperBound)
    }
}
