import ChatCore
import Crypto
import CryptoExtras
import Foundation

/// Makes and checks the stored form of passwords: scrypt (RFC 7914) with its parameters and a random salt.
///
/// A hash takes some tenths of a second and much memory, so it runs on its own thread, and only a few at a time; the
/// others wait (``HashQueue``).
package struct PasswordHasher: Sendable {
    /// The cost of one hash.
    package struct Cost: Hashable, Sendable {
        /// The logarithm of the number of blocks, to base 2.
        package var logarithm: Int
        /// The size of a block; a hash needs 128 · `blockSize` · 2^`logarithm` bytes.
        package var blockSize: Int
        /// How often the memory is filled, one after another.
        package var parallelism: Int

        package init(logarithm: Int, blockSize: Int, parallelism: Int) {
            self.logarithm = logarithm
            self.blockSize = blockSize
            self.parallelism = parallelism
        }

        /// 32 MiB, three times: one of the equal choices of the OWASP Password Storage Cheat Sheet.
        package static let standard = Cost(logarithm: 15, blockSize: 8, parallelism: 3)
    }

    private static let saltByteCount = 16
    private static let hashByteCount = 32
    /// The most hashes at a time, and the most that wait in each lane: about 20 s of work.
    private static let (running, waiting) = (2, 64)

    private let cost: Cost
    private let gate = HashingGate(HashQueue(places: running, waiting: waiting))

    /// Makes a hasher; other costs are for tests.
    package init(cost: Cost = .standard) {
        self.cost = cost
    }

    /// Returns the stored form of a password.
    ///
    /// - Throws: ``AccountError/overloaded``, `CancellationError`.
    func hash(_ password: String, for client: HashClient) async throws -> String {
        let salt = randomBytes(Self.saltByteCount)
        let key = try await derive(password, salt: salt, cost: cost, for: client)
        return Self.text(cost, salt: salt, key: key)
    }

    /// Checks a password; takes the same time if there is no stored form.
    ///
    /// - Parameters:
    ///   - password: The password.
    ///   - stored: The stored form; nil for an account without a password, and for no account.
    ///   - client: Who waits for it.
    /// - Returns: Whether it is the password, and whether the stored form has another cost than new ones.
    /// - Throws: ``AccountError/overloaded``, `CancellationError`.
    func check(_ password: String, against stored: String?, for client: HashClient) async throws -> (
        isSame: Bool, isOutdated: Bool
    ) {
        guard let stored, let (cost, salt, key) = Self.parse(stored) else {
            _ = try await derive(
                password, salt: [UInt8](repeating: 0, count: Self.saltByteCount), cost: cost, for: client
            ) { _ in true }
            return (false, false)
        }
        let derived = try await derive(password, salt: salt, cost: cost, for: client) { !isSameSecret($0, key) }
        return (isSameSecret(derived, key), cost != self.cost)
    }

    private func derive(
        _ password: String, salt: [UInt8], cost: Cost, for client: HashClient,
        isRefused: ([UInt8]) -> Bool = { _ in false }
    ) async throws -> [UInt8] {
        // Different spellings of the same character count as the same password (RFC 8265).
        let bytes = Array(password.precomposedStringWithCanonicalMapping.utf8)
        return try await gate.run(for: client, isRefused: isRefused) {
            try await onOwnThread {
                try KDF.Scrypt.deriveKey(
                    from: bytes, salt: salt, outputByteCount: Self.hashByteCount, rounds: 1 << cost.logarithm,
                    blockSize: cost.blockSize, parallelism: cost.parallelism
                ).withUnsafeBytes { Array($0) }
            }
        }
    }

    private static func text(_ cost: Cost, salt: [UInt8], key: [UInt8]) -> String {
        let numbers = "\(cost.logarithm)$\(cost.blockSize)$\(cost.parallelism)"
        return "scrypt$\(numbers)$\(Base64URL.encode(salt))$\(Base64URL.encode(key))"
    }

    private static func parse(_ text: String) -> (cost: Cost, salt: [UInt8], key: [UInt8])? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let logarithm = Int(parts[1]), (1...24).contains(logarithm),
            let blockSize = Int(parts[2]), (1...64).contains(blockSize), let parallelism = Int(parts[3]),
            (1...64).contains(parallelism), let salt = Base64URL.decode(parts[4].utf8),
            let key = Base64URL.decode(parts[5].utf8)
        else { return nil }
        return (Cost(logarithm: logarithm, blockSize: blockSize, parallelism: parallelism), salt, key)
    }
}
