/// Compares two secrets or digests; the duration depends only on their lengths.
public func isSameSecret(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    // `|` and `^` bind equally in Swift.
    one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

/// Returns bytes of the system's generator, which nobody can guess.
public func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in .random(in: 0...255, using: &generator) }
}
