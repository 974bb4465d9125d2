import {addTexts, language, onLanguage, setTimeZone, timeZone} from "./lib/text.js"
import texts from "./text/shell.js"
import {store} from "./data/store.js"
import {Pane, styled} from "./lib/pane.js"
import {go, onRoute, route} from "./lib/router.js"

addTexts(texts)

// The service worker finds these addresses as it finds imports.
const sheets = ["./style/assistant.css", "./style/administration.css"].map(path => new URL(path, import.meta.url).href)
const withStyle = (load, count = 1) => async () => (await Promise.all([load(), ...sheets.slice(0, count).map(styled)]))[0]
// timeline(container, id, messageId), thread(container, id, messageId), else mount(container, route); they return {close, update?(route)}.
export const parts = {
  timeline: () => import("./chat/timeline.js"),
  thread: () => import("./chat/thread.js"),
  assistant: withStyle(() => import("./assistant/assistant.js")),
  search: withStyle(() => import("./assistant/search.js")),
  subject: withStyle(() => import("./assistant/subject.js")),
  items: withStyle(() => import("./assistant/items.js")),
  activity: withStyle(() => import("./chat/activity.js")),
  people: () => import("./chat/people.js"),
  administration: withStyle(() => import("./administration/administration.js"), 2),
}

const root = document.documentElement
const applyLanguage = () => {
  root.lang = language()
}
const applyTheme = () => {
  const theme = localStorage.getItem("nexus-theme")
  if (theme) root.dataset.theme = theme
  else delete root.dataset.theme
}
applyLanguage()
applyTheme()

const app = new Pane(document.getElementById("app"))
const show = async () => {
  const {status} = store.session
  // Another service signed the person in, who came from a program that asks for something.
  const asked = status === "signedIn" && !route.name && sessionStorage.getItem("nexus-connect")
  if (asked) {
    sessionStorage.removeItem("nexus-connect")
    return go(asked, true)
  }
  // Most starts take a moment: nothing flashes before the conversations.
  if (status === "starting" && performance.now() < 1_000) return setTimeout(show, 1_000)
  const isEntry = route.name === "invitation" || status !== "signedIn"
  const isAsked = !isEntry && route.name === "connect"
  const key = [isEntry, isAsked, language(), timeZone()].join()
  const focused = key !== app.key && document.activeElement?.name
  await app.show(key, () => isEntry ? import("./chat/entry.js") : isAsked ? import("./chat/connect.js") : import("./chat/shell.js"),
    (module, container) => module.mount(container, parts), route)
  if (focused) refocus(focused)
}
// After another language or time zone: the page is built again, and the select that chose it comes late.
const refocus = (name, tries = 200) => {
  const [element] = document.getElementsByName(name)
  if (element) element.focus()
  else if (tries) setTimeout(refocus, 50, name, tries - 1)
}
onLanguage(() => {
  applyLanguage()
  show()
})
store.on("session", show)
store.on("settings", () => setTimeZone(store.settings.timeZone))
onRoute(show)
setTimeZone(store.settings.timeZone)
show()
