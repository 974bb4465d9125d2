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

            let (counts, proof) = try await ErasureTests().erase(.conversation("c"), in: store)

            #expect(counts.pictures == 1 && proof.remains.isEmpty)
            #expect(try !folder.holds("pixels of the crew"))
            #expect(try await store.inspect("SELECT COUNT(*) FROM conversation_pictures") == ["0"])
        }
    }

    /// The file itself holds nothing of a person afterwards, and everything of the others.
    @Test func erasureLeavesNothing() async throws {
        try await DataFolder.with { folder, store in
            try await ProfileContract.furnish(store)
            _ = try await store.setPicture(ChatCore.Picture(id: "last", bytes: Array("pixels of ada".utf8)), of: "ada")
            _ = try await store.acceptAccount(
                Account(userID: "ada", name: "Ada of the harbor office", createdAt: .second(0)), at: .second(0))
            #expect(
                try await store.setEmail(
                    "ada.lovelace@harbor.example", from: .administrator, of: "ada", at: .second(1)))
            #expect(try folder.holds("pixels of ada") && folder.holds("Title of ada"))
            let planned = try await store.erasureCounts(of: .user("ada"))
            #expect(planned.profiles == 1 && planned.pictures == 1 && planned.accounts == 1)

            let (counts, proof) = try await ErasureTests().erase(.user("ada"), in: store)

            #expect(counts == planned)
            // Title, picture, name and address at least.
            #expect(proof.searchedCount >= 4 && proof.remains.isEmpty)
            #expect(try !folder.holds("Ada of the harbor office") && !folder.holds("ada.lovelace@harbor.example"))

            #expect(try !folder.holds("pixels of ada") && !folder.holds("Title of ada"))
            #expect(try await store.inspect("SELECT user_id FROM profiles ORDER BY user_id") == ["bob", "eve"])
            #expect(try await store.picture("last", of: "ada", asker: "bob", at: .second(60)) == nil)
            #expect(try folder.holds("Title of bob"))
        }
    }
}
