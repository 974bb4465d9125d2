package import ChatCore

/// Profiles of people, in a store.
package enum ProfileContract {
    package typealias ProfileStore = Store & LiveChatRepository & ProfileRepository

    /// Ada and Bob are in "c", Bob and Eve are in "d"; all three have a title and a picture.
    ///
    /// - Throws: Errors of the store.
    package static func furnish(_ store: any ProfileStore) async throws {
        for roster in [ConversationRoster.of("c", ["ada", "bob"]), .of("d", ["bob", "eve"])] {
            _ = try await store.create(roster, by: "bob", source: "api", at: .second(0))
        }
        for user: UserID in ["ada", "bob", "eve"] {
            _ = try await store.changeProfile(of: user) { $0.title = "Title of \(user.rawValue)" }
            _ = try await store.setPicture(picture(of: user), of: user)
        }
    }

    /// A picture that belongs to one person.
    package static func picture(of user: UserID) -> Picture {
        Picture(id: "picture-\(user.rawValue)", bytes: [0xFF, 0xD8, 0] + Array(user.rawValue.utf8))
    }

    /// Title, time zone and picture change without each other.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func partsChangeAlone(_ store: any ProfileStore) async throws {
        let first = try await store.changeProfile(of: "ada") { $0.timeZone = "Europe/Berlin" }
        try demand(first, Profile(userID: "ada", timeZone: "Europe/Berlin"))
        let second = try await store.setPicture(picture(of: "ada"), of: "ada")
        try demand(second, Profile(userID: "ada", timeZone: "Europe/Berlin", pictureID: "picture-ada"))
        let third = try await store.changeProfile(of: "ada") { profile in
            (profile.title, profile.timeZone) = ("Pilot 🚢", nil)
        }
        try demand(third, Profile(userID: "ada", title: "Pilot 🚢", pictureID: "picture-ada"))
        try demand(try await store.profiles(of: ["ada", "bob"], asker: "bob", at: .second(1)), [third])
        try demand(
            try await store.picture("picture-ada", of: "ada", asker: "bob", at: .second(1)), picture(of: "ada"))

        let other = Picture(id: "other", bytes: [1, 0, 2])
        _ = try await store.setPicture(other, of: "ada")
        try demand(try await store.picture("picture-ada", of: "ada", asker: "ada", at: .second(1)), nil)
        try demand(try await store.picture("other", of: "ada", asker: "ada", at: .second(1)), other)
        try demand(try await store.picture("other", of: "bob", asker: "ada", at: .second(1)), nil)
        let last = try await store.setPicture(nil, of: "ada")
        try demand(last, Profile(userID: "ada", title: "Pilot 🚢"))
        try demand(try await store.picture("other", of: "ada", asker: "ada", at: .second(1)), nil)
        try demand(try await store.profiles(of: [], asker: "ada", at: .second(1)), [])
    }

    /// Members see everybody; guests and bots see themselves, and those with whom they share a conversation now.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func guestsSeeWhomTheyMeet(_ store: any ProfileStore) async throws {
        func seen(by asker: UserID, at second: Int = 10) async throws -> Set<UserID> {
            let all: Set<UserID> = ["ada", "bob", "eve", "nobody"]
            let found = Set(try await store.profiles(of: all, asker: asker, at: .second(second)).map(\.userID))
            for user in all {
                let id = picture(of: user).id
                let picture = try await store.picture(id, of: user, asker: asker, at: .second(second))
                try demand(picture != nil, found.contains(user))
            }
            return found
        }
        try await furnish(store)
        try demand(try await seen(by: "ada"), ["ada", "bob", "eve"])
        try demand(try await seen(by: "stranger"), ["ada", "bob", "eve"])

        for kind in [UserKind.guest, .bot] {
            for user: UserID in ["ada", "stranger"] { try await store.setKind(kind, of: user) }
            try demand(try await seen(by: "ada"), ["ada", "bob"])
            try demand(try await seen(by: "stranger"), [])
        }
        try await store.removeMember("bob", from: "c", at: .second(20))
        try demand(try await seen(by: "ada", at: 30), ["ada"])
        // Guests are seen by members.
        try demand(try await seen(by: "bob", at: 30), ["ada", "bob", "eve"])
    }

    /// Who sees a group sees who made it and its picture, and nobody else does.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func groupsAreSeenByTheirMembers(_ store: any ProfileStore) async throws {
        try await furnish(store)
        let picture = Picture(id: "crew", bytes: [0xFF, 0xD8, 0, 1])
        try await store.setPicture(Picture(id: "first", bytes: [9]), ofGroup: "c")
        try await store.setPicture(picture, ofGroup: "c")
        try await demandFailure(.noSuchConversation("none")) { try await store.setPicture(picture, ofGroup: "none") }

        let all: Set<ConversationID> = ["c", "d", "none"]
        let ofAda = try await store.groupProfiles(of: all, asker: "ada", at: .second(10))
        try demand(ofAda.map(\.conversationID), ["c"])
        try demand(ofAda.map(\.pictureID), ["crew"])
        let ofBob = try await store.groupProfiles(of: all, asker: "bob", at: .second(10))
        try demand(Set(ofBob.map(\.conversationID)), ["c", "d"])
        try demand(try await store.picture("crew", ofGroup: "c", asker: "ada", at: .second(10)), picture)
        for (id, group, asker) in [("crew", "c", "eve"), ("first", "c", "ada"), ("crew", "d", "bob")] {
            let found = try await store.picture(
                id, ofGroup: ConversationID(rawValue: group), asker: UserID(rawValue: asker), at: .second(10))
            try demand(found, nil)
        }
        try await store.setPicture(nil, ofGroup: "c")
        try demand(try await store.picture("crew", ofGroup: "c", asker: "ada", at: .second(10)), nil)
    }
}
