import Accounts
import ChatCore
import Crypto
import Foundation

/// A program that registered itself (RFC 7591).
///
/// The server keeps nothing of a registration: the program's id holds what it said of itself, and a proof that this
/// server took it. So nobody can fill the store with programs, and there are none to remove.
struct RegisteredProgram: Hashable, Sendable, Codable {
    /// The most addresses of a program, and the longest name.
    static let redirectLimit = 8
    private static let nameLimit = TextLimit(characters: 80)

    let name: String
    let redirects: [String]
    /// When it registered, in seconds since 1970.
    let registeredAt: Int64

    /// Reads what a program says of itself.
    ///
    /// - Throws: ``OAuthFault``.
    init(_ fields: JSONField, at moment: Timestamp) throws(OAuthFault) {
        var addresses: [String] = []
        let name: String?
        do throws(FieldError) {
            for item in try fields["redirect_uris"].optionalArray() ?? [] { addresses.append(try item.string()) }
            name = try fields["client_name"].optionalString()
        } catch {
            throw OAuthFault(.invalidClientMetadata, "\(error.field) \(error.reason)")
        }
        guard (1...Self.redirectLimit).contains(addresses.count),
            addresses.reduce(0, { $0 + $1.utf8.count }) <= 2 * RedirectAddress.byteLimit
        else { throw OAuthFault(.invalidRedirectURI, "1 to \(Self.redirectLimit) redirect_uris are needed") }
        guard addresses.allSatisfy({ RedirectAddress($0) != nil }) else {
            throw OAuthFault(
                .invalidRedirectURI,
                "redirect_uris are https, http on localhost, or of a known editor, without a fragment")
        }
        let plain = (name ?? "").filter { !$0.isNewline && $0.unicodeScalars.allSatisfy(Self.isVisible) }
            .trimmingCharacters(in: .whitespaces)
        self.name = plain.isEmpty ? "Unnamed program" : Self.nameLimit.cut(plain)
        redirects = addresses
        registeredAt = moment.milliseconds / 1_000
    }

    /// Returns the registered address that a request means; nil if it is none of them.
    func redirect(_ text: String) -> RedirectAddress? {
        guard let address = RedirectAddress(text) else { return nil }
        return redirects.contains { RedirectAddress($0).map(address.isSame) ?? false } ? address : nil
    }

    /// The hash of a program's id, which the store keeps.
    static func digest(of id: String) -> [UInt8] { Array(SHA256.hash(data: Data(id.utf8))) }

    /// Control characters, and marks that turn the direction of text, would let a name look like other text.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension AccountService {
    /// Returns the id of a program.
    func clientID(of program: RegisteredProgram) async throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try await clientID(of: Array(encoder.encode(program)))
    }

    /// Returns the program of an id; nil for an id that this server did not give.
    func program(_ id: String) async throws -> RegisteredProgram? {
        guard let content = try await client(of: id) else { return nil }
        return try? JSONDecoder().decode(RegisteredProgram.self, from: Data(content))
    }
}
