package import ChatCore
import Crypto
import Foundation

/// Marks of devices on which a person has signed in: they give no rights, but strangers cannot use up their share.
extension AccountService {
    /// A device on which a person has signed in.
    package struct Device: Hashable, Sendable {
        /// The device's id; not secret.
        package let id: String
        /// The id with a proof that this server made it for the person.
        package let mark: String
    }

    /// Returns the device of a mark; nil if this server did not make the mark for this person.
    package func device(of mark: String?, for user: UserID) async throws -> Device? {
        guard let mark else { return nil }
        let parts = mark.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Base64URL.decode(parts[0].utf8), id.count == Self.deviceByteCount,
            let given = Base64URL.decode(parts[1].utf8), isSameSecret(given, try await proof(of: id, for: user))
        else { return nil }
        return Device(id: String(parts[0]), mark: mark)
    }

    /// Makes a mark for a device on which a person signed in.
    package func markDevice(of user: UserID) async throws -> Device {
        let id = randomBytes(Self.deviceByteCount)
        let text = Base64URL.encode(id)
        return Device(id: text, mark: "\(text).\(Base64URL.encode(try await proof(of: id, for: user)))")
    }

    private static let deviceByteCount = 16

    private func proof(of device: [UInt8], for user: UserID) async throws -> [UInt8] {
        let key = try await keys.key("device")
        return Array(HMAC<SHA256>.authenticationCode(for: device + Array(user.rawValue.utf8), using: key))
    }
}
