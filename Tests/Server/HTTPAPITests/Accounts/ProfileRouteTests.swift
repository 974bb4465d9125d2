import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import NexusModel
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Profiles and pictures of people, over HTTP.
@Suite(.hangGuard) struct ProfileRouteTests {
    private static let picture = "/v1/profile/picture"
    /// A body that begins as a picture; what the server makes of it ends with the same words.
    private static let jpeg = "\u{FF}\u{D8}\u{FF} of ada".unicodeScalars.map { UInt8($0.value) }

    private func profile(_ reply: Reply) throws -> UserProfile {
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(UserProfile.self, from: Data(reply.text.utf8))
    }

    private func list(_ world: StoredServer, _ users: [String], as user: String) async throws -> [UserProfile] {
        let query = users.map { "user=\($0)" }.joined(separator: "&")
        let reply = try await world.send("GET", "/v1/profiles?\(query)", as: user)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(UserProfileList.self, from: Data(reply.text.utf8)).profiles
    }

    @Test func aPersonSetsTitleAndTimeZone() async throws {
        try await withStoredServer { world in
            #expect(try profile(try await world.send("GET", "/v1/profile", as: "ada")) == UserProfile(userId: "ada"))
            let body = #"{"title":"  Harbour pilot ","timeZone":"Europe/Berlin"}"#
            let set = try profile(try await world.send("PUT", "/v1/profile", body, as: "ada"))
            #expect(set == UserProfile(userId: "ada", title: "Harbour pilot", timeZone: "Europe/Berlin"))
            #expect(try await list(world, ["bob", "ada"], as: "bob") == [set])

            let changed = try profile(try await world.send("PUT", "/v1/profile", #"{"timeZone":null}"#, as: "ada"))
            #expect(changed == UserProfile(userId: "ada", title: "Harbour pilot"))
            let emptied = try profile(try await world.send("PUT", "/v1/profile", #"{"title":" "}"#, as: "ada"))
            #expect(emptied == UserProfile(userId: "ada"))
        }
    }

    @Test(arguments: [
        (#"{"title":"two\nlines"}"#, "title"), (#"{"title":"\#(String(repeating: "a", count: 101))"}"#, "title"),
        (#"{"timeZone":"Moon/Crater"}"#, "timeZone"), (#"{"pictureId":"x"}"#, "pictureId"),
        (#"{"title":"x","userId":"bob"}"#, "userId"),
    ])
    func badFieldsAreNamed(_ body: String, _ field: String) async throws {
        try await withStoredServer { world in
            let reply = try await world.send("PUT", "/v1/profile", body, as: "ada")
            #expect((400...403).contains(reply.status) && reply.field("field") == field, "\(reply.text)")
            #expect(try await list(world, ["ada", "bob"], as: "ada").isEmpty)
        }
    }

    @Test func aPictureIsMadeServedAndRemoved() async throws {
        try await withStoredServer { world in
            let type = (name: "Content-Type", value: "image/jpeg")
            func put(_ bytes: [UInt8]) async throws -> Reply {
                try await world.server.send(
                    "PUT", Self.picture, bytes: bytes, headers: [("X-Nexus-User", "ada"), type])
            }
            let set = try profile(try await put(Self.jpeg))
            let id = try #require(set.pictureId)
            #expect(id.count == 32)
            let path = "/v1/people/ada/pictures/\(id)"
            let served = try await world.send("GET", path, as: "bob")
            #expect(served.status == 200 && served.text.hasSuffix("made of ada"))
            #expect(served.headers["Content-Type"] == "image/jpeg")
            #expect(served.headers["Cache-Control"] == "private, max-age=604800, immutable")
            for other in ["/v1/people/bob/pictures/\(id)", "/v1/people/ada/pictures/other"] {
                let reply = try await world.send("GET", other, as: "bob")
                #expect(reply.status == 404 && reply.field("code") == "picture_not_found")
            }

            // A guest sees neither profile nor picture of a stranger.
            try await world.store.setKind(.guest, of: "bob")
            #expect(try await world.send("GET", path, as: "bob").status == 404)
            #expect(try await list(world, ["ada"], as: "bob").isEmpty)

            #expect(try profile(try await world.send("DELETE", Self.picture, as: "ada")) == UserProfile(userId: "ada"))
            #expect(try await world.send("GET", path, as: "ada").status == 404)
        }
    }

    @Test func whatIsNoPictureIsRefusedBeforeItIsDrawn() async throws {
        try await withStoredServer { world in
            for text in ["<svg onload=alert(1)>", "GIF89a", "%PDF-1.4", "\0\0"] {
                let reply = try await world.server.send(
                    "PUT", Self.picture, bytes: Array(text.utf8),
                    headers: [("X-Nexus-User", "ada"), ("Content-Type", "image/png")])
                #expect(reply.status == 415, "\(reply.text)")
                #expect(reply.field("detail")?.contains("PNG or a JPEG") == true, "\(reply.text)")
            }
            let large = [UInt8](repeating: 0, count: Picture.fileByteLimit + 1)
            let reply = try await world.server.send(
                "PUT", Self.picture, bytes: large, headers: [("X-Nexus-User", "ada"), ("Content-Type", "image/png")])
            #expect(reply.status == 413)
        }
    }

    @Test func askingForManyIsLimited() async throws {
        try await withStoredServer { world in
            let many = (0...Profile.requestLimit).map { "user=u\($0)" }.joined(separator: "&")
            let reply = try await world.send("GET", "/v1/profiles?\(many)", as: "ada")
            #expect(reply.status == 400 && reply.field("field") == "user")
            #expect(try await list(world, [], as: "ada").isEmpty)
        }
    }

    @Test func aGroupHasAPictureAndSomebodyWhoMadeIt() async throws {
        try await withStoredServer { world in
            for (id, others) in [("crew", ["bob"]), ("shed", ["eve"])] {
                let members = (["ada"] + others).map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
                let body = #"{"id":"\#(id)","name":"\#(id)","members":[\#(members)]}"#
                #expect(try await world.send("POST", "/v1/conversations", body, as: "ada").status == 201)
            }
            let path = "/v1/conversations/crew/picture"
            func put(as user: String) async throws -> Reply {
                try await world.server.send(
                    "PUT", path, bytes: Self.jpeg, headers: [("X-Nexus-User", user), ("Content-Type", "image/jpeg")])
            }
            #expect(try await put(as: "eve").field("code") == "conversation_forbidden")
            #expect(try await put(as: "ada").status == 204)
            let reply = try await world.send("GET", "/v1/groups?conversation=crew&conversation=shed", as: "bob")
            let groups = try JSONDecoder().decode(ChatGroupProfileList.self, from: Data(reply.text.utf8)).groups
            #expect(groups.map(\.conversationId) == ["crew"] && groups.first?.createdBy == "ada")
            let id = try #require(groups.first?.pictureId)
            let served = try await world.send("GET", "/v1/conversations/crew/pictures/\(id)", as: "bob")
            #expect(served.status == 200 && served.text.hasSuffix("made of ada"))
            #expect(try await world.send("GET", "/v1/conversations/crew/pictures/\(id)", as: "eve").status == 404)

            #expect(try await world.send("DELETE", path, as: "eve").status == 403)
            #expect(try await world.send("DELETE", path, as: "ada").status == 204)
            #expect(try await world.send("GET", "/v1/conversations/crew/pictures/\(id)", as: "bob").status == 404)
        }
    }
}
