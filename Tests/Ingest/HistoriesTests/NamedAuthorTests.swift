import ChatCore
import Histories
import Testing

@Suite struct NamedAuthorTests {
    private static func author(_ id: String, name: String?, email: String? = nil, source: String = "whatsapp")
        -> Identity
    {
        Identity(source: source, externalID: id, userID: UserID(rawValue: id), name: name, email: email)
    }

    @Test(arguments: [
        ("whatsapp-Mum", "Mum"), ("whatsapp-~ Mum", "Mum"), ("whatsapp-Mum-4a417bec86467f4a", "Mum"),
        // Renamed since.
        ("whatsapp-Mum-4a417bec86467f4a", "Mother"),
    ])
    func aNameIsKnownByItsId(id: String, name: String) {
        let found = NamedAuthor.name(of: Self.author(id, name: name))

        #expect(found == "Mum" || found == "~ Mum")
    }

    @Test func idsAndAddressesAreNoNames() {
        #expect(NamedAuthor.name(of: Self.author("slack-U456", name: "Mum", source: "slack")) == nil)
        #expect(NamedAuthor.name(of: Self.author("mum", name: "mum", source: "api")) == nil)
        #expect(NamedAuthor.name(of: Self.author("whatsapp-Mum", name: nil)) == nil)
        let addressed = Self.author("mattermost-mum", name: "mum", email: "mum@ex.example", source: "mattermost")
        #expect(NamedAuthor.name(of: addressed) == nil)
    }

    @Test func anEarlierIdIsOfManyConversationsAndItsPartsAreOfOne() {
        let mum = Self.author("whatsapp-Mum", name: "Mum")
        let id = NamedAuthor.id(of: mum, in: "whatsapp-direct:Ben,Mum-1")

        #expect(NamedAuthor.name(of: Self.author(id, name: "Mother")) == "Mum")
        #expect(id != NamedAuthor.id(of: mum, in: "whatsapp-direct:Cy,Mum-2"))
        let long = Self.author("whatsapp-" + String(repeating: "m", count: 250), name: "Mum")
        #expect(UserID(validating: NamedAuthor.id(of: long, in: "c")) != nil)
    }
}
