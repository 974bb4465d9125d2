package import ChatCore
import Crypto
import Foundation

/// Profiles and pictures of people.
extension UseCases {
    /// Returns the profiles that the asker may see, by id; people without one are left out.
    package func profiles(of users: Set<UserID>, asker: UserID) async throws -> [Profile] {
        try await live.profiles(of: users, asker: asker, at: now()).sorted { $0.userID < $1.userID }
    }

    /// Returns the asker's own profile.
    package func profile(of asker: UserID) async throws -> Profile {
        try await live.profiles(of: [asker], asker: asker, at: now()).first ?? Profile(userID: asker)
    }

    /// Changes title and time zone of the asker's own profile.
    package func changeProfile(
        of asker: UserID, _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws -> Profile {
        try await live.changeProfile(of: asker, change)
    }

    /// Makes a small square picture of a file, and sets it as the asker's.
    ///
    /// - Throws: ``PictureError``, ``LimitError``, ``RepositoryError``.
    package func setPicture(madeFrom file: [UInt8], of asker: UserID) async throws -> Profile {
        try await live.setPicture(try await picture(madeFrom: file, for: asker), of: asker)
    }

    /// Removes the asker's picture.
    package func removePicture(of asker: UserID) async throws -> Profile {
        try await live.setPicture(nil, of: asker)
    }

    /// Returns a picture of a person; nil if there is no such picture that the asker may see.
    package func picture(_ id: String, of user: UserID, asker: UserID) async throws -> Picture? {
        try await live.picture(id, of: user, asker: asker, at: now())
    }

    /// Returns the profiles of groups that the asker sees, by id.
    package func groupProfiles(of groups: Set<ConversationID>, asker: UserID) async throws -> [GroupProfile] {
        try await live.groupProfiles(of: groups, asker: asker, at: now())
            .sorted { $0.conversationID < $1.conversationID }
    }

    /// Makes a small square picture of a file, and sets it as that of a group: who may rename it may do that.
    ///
    /// - Throws: ``PictureError``, ``PermissionError/notOwn``, ``LimitError``, ``RepositoryError``.
    package func setPicture(madeFrom file: [UInt8], of group: ConversationID, by asker: UserID, _ writer: Writer)
        async throws
    {
        try await requireManaging(group, by: writer)
        let picture = try await picture(madeFrom: file, for: asker)
        // It took a while: the asker may have left meanwhile.
        try await requireManaging(group, by: writer)
        try await live.setPicture(picture, ofGroup: group)
    }

    /// Removes the picture of a group: who may rename it may do that.
    ///
    /// - Throws: ``PermissionError/notOwn``, ``RepositoryError``.
    package func removePicture(of group: ConversationID, by writer: Writer) async throws {
        try await requireManaging(group, by: writer)
        try await live.setPicture(nil, ofGroup: group)
    }

    /// Returns a picture of a group; nil if there is no such picture that the asker may see.
    package func picture(_ id: String, ofGroup group: ConversationID, asker: UserID) async throws -> Picture? {
        try await live.picture(id, ofGroup: group, asker: asker, at: now())
    }

    /// Makes a small square picture of a file.
    private func picture(madeFrom file: [UInt8], for asker: UserID) async throws -> Picture {
        switch MediaType(beginning: file) {
        case .png, .jpeg: break
        default: throw PictureError.unknownFormat
        }
        guard let makePicture else { throw PictureError.notInstalled }
        let bytes = try await pictures.withPlace(for: asker.rawValue) { try await makePicture(file) }
        let digest = SHA256.hash(data: Data(bytes)).prefix(16)
        return Picture(id: digest.map { String(format: "%02x", $0) }.joined(), bytes: bytes)
    }
}
