import ChatCore
import MessageStore
import TestSupport
import Testing

/// Profiles of people, in a data folder.
@Suite struct ProfileTests {
    @Test func partsChangeAlone() async throws {
        try await DataFolder.with { _, store in try await ProfileContract.partsChangeAlone(store) }
    }

    @Test func guestsSeeWhomTheyMeet() async throws {
        try await DataFolder.with { _, store in try await ProfileContract.guestsSeeWhomTheyMeet(store) }
    }

    @Test func groupsAreSeenByTheirMembers() async throws {
        try await DataFolder.with { _, store in try await ProfileContract.groupsAreSeenByTheirMembers(store) }
    }

    @Test func theErasureOfAGroupLeavesNoPicture() async throws {
        try await DataFolder.with { folder, store in
            try await ProfileContract.furnish(store)
            try await store.setPicture(
                ChatCore.Picture(id: "crew", bytes: Array("pixels of the crew".utf8)), ofGroup: "c")
            #expect(try folder.holds("pixels of the crew"))

            _ = try await store.erase(.conversation("c"), at: .second(50))
            #expect(try await store.finishErasing(.conversation("c")))
            try await store.rewrite()

            #expect(try !folder.holds("pixels of the crew"))
            #expect(try await store.inspect("SELECT COUNT(*) FROM conversation_pictures") == ["0"])
        }
    }

    /// The file itself holds nothing of a person afterwards, and everything of the others.
    @Test func erasureLeavesNothing() async throws {
        try await DataFolder.with { folder, store in
            try await ProfileContract.furnish(store)
            _ = try await store.setPicture(ChatCore.Picture(id: "last", bytes: Array("pixels of ada".utf8)), of: "ada")
            #expect(try folder.holds("pixels of ada") && folder.holds("Title of ada"))

            _ = try await store.erase(.user("ada"), at: .second(50))
            #expect(try await store.finishErasing(.user("ada")))
            try await store.rewrite()

            #expect(try !folder.holds("pixels of ada") && !folder.holds("Title of ada"))
            #expect(try await store.inspect("SELECT user_id FROM profiles ORDER BY user_id") == ["bob", "eve"])
            #expect(try await store.picture("last", of: "ada", asker: "bob", at: .second(60)) == nil)
            #expect(try folder.holds("Title of bob"))
        }
    }
}
