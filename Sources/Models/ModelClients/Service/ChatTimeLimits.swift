import Transport

/// How long the parts of an answer of a language model may take.
package struct ChatTimeLimits: Hashable, Sendable {
    /// For the connection.
    package var connect: Duration
    /// Until the first word, all attempts included: a model first reads the whole prompt.
    package var firstToken: Duration
    /// Between two words.
    package var betweenTokens: Duration
    /// For the whole answer, all attempts included.
    package var answer: Duration

    package init(connect: Duration, firstToken: Duration, betweenTokens: Duration, answer: Duration) {
        self.connect = connect
        self.firstToken = firstToken
        self.betweenTokens = betweenTokens
        self.answer = answer
    }

    /// Makes the standard limits of a service at an address: patient ones for this machine and the local network, because
    /// processors without a graphics card read a prompt for minutes.
    package init(baseURL: String) {
        let isNear = ServiceHost.isNear(baseURL)
        self.init(
            connect: .seconds(10), firstToken: .seconds(isNear ? 600 : 120),
            betweenTokens: .seconds(isNear ? 120 : 60), answer: .seconds(isNear ? 3_600 : 600))
    }

    /// The deadlines of one exchange; the words are timed by their reader, because a service may send other bytes.
    var deadlines: HTTPDeadlines { HTTPDeadlines(connect: connect, idle: answer, total: answer) }
}

/// The host of a service's address.
package enum ServiceHost {
    /// Whether an address is on this machine or in the local network, as far as its text shows: loopback and private
    /// addresses, names without a dot, and names that end in `.local`, `.lan`, `.internal` or `.home.arpa`.
    package static func isNear(_ url: String) -> Bool {
        let host = name(in: url)
        if host.contains(":") { return isNearIPv6(host) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt8($0) }
        if parts.count == 4, numbers.count == 4 { return isNear(numbers[0], numbers[1]) }
        return parts.count == 1
            || ["localhost", "local", "lan", "internal"].contains(parts.last) || host.hasSuffix(".home.arpa")
    }

    private static func name(in url: String) -> String {
        let rest = url.lowercased().drop { $0 != "/" }.drop { $0 == "/" }
        let authority = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        let host = authority.prefix { $0 != ":" }
        return String(host.hasSuffix(".") ? host.dropLast() : host)
    }

    /// Loopback, private, link-local, and the shared space that carriers and overlay networks use.
    private static func isNear(_ first: UInt8, _ second: UInt8) -> Bool {
        switch (first, second) {
        case (127, _), (10, _), (192, 168), (169, 254), (172, 16...31), (100, 64...127): true
        default: false
        }
    }

    private static func isNearIPv6(_ host: String) -> Bool {
        host == "::1" || host.hasPrefix("fc") || host.hasPrefix("fd") || host.hasPrefix("fe8")
            || host.hasPrefix("::ffff:") && isNear("http://" + host.dropFirst("::ffff:".count))
    }
}
