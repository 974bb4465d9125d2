package import ChatCore
import Crypto
import Foundation

/// Seals what clients keep for the server but must neither read nor change, such as the cursor of a search.
///
/// AES-GCM, as ``Base64URL``. Numbers of rows, which all people share, tell how much others do.
package struct ClientSeal: Sendable {
    private let key: @Sendable () async -> SymmetricKey

    /// Seals with a key that the store keeps, so that every node opens it, also after a restart.
    ///
    /// While the store has none and cannot take one, as on a full disk, with a key of this process: a search needs no room.
    package init(store: any AccountRepository, purpose: String) {
        let keys = TokenKeys(store: store)
        let made = SymmetricKey(size: .bits256)
        key = { (try? await keys.key(purpose)) ?? made }
    }

    /// Seals with a key of this process.
    package init() {
        let made = SymmetricKey(size: .bits256)
        key = { made }
    }

    /// Returns the text of bytes, with the nonce before and the tag behind them: 28 bytes more.
    package func seal(_ bytes: [UInt8]) async throws -> String {
        let box = try AES.GCM.seal(bytes, using: await key())
        return Base64URL.encode(Array(box.nonce) + box.ciphertext + box.tag)
    }

    /// Returns what was sealed; nil for any other text.
    package func open(_ text: String) async -> [UInt8]? {
        let key = await key()
        guard let sealed = Base64URL.decode(text.utf8), let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: key)
        else { return nil }
        return Array(bytes)
    }
}
