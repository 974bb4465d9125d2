import Foundation
import WebPage

extension NexusSettings {
    /// Makes the page that browsers are shown; nil if it is turned off.
    ///
    /// - Throws: ``SettingsError/unusableFile(key:path:reason:)`` if the folder of its files has no `index.html`.
    func makePage() throws -> WebPage? {
        guard showsPage else { return nil }
        guard let pageFolder else { return WebPage() }
        let page = WebPage(folder: pageFolder)
        guard page.file(WebPage.start) != nil else {
            throw SettingsError.unusableFile(
                key: Settings.pageFolder.name, path: pageFolder.path, reason: "there is no \(WebPage.start) in it")
        }
        return page
    }
}
