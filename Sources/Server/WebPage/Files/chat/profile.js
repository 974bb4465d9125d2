// The card of a person: name, presence, what both share, and a way to write.
import {h} from "../lib/dom.js"
import {attempt, openDialog} from "../lib/dialog.js"
import {icon} from "../lib/icons.js"
import {go, link} from "../lib/router.js"
import {addTexts, language, t} from "../lib/text.js"
import {avatar, button} from "../lib/ui.js"
import {profiles} from "../data/profiles.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"
import profileTexts from "../text/profile.js"
import roomTexts from "../text/rooms.js"
import {faceOf, partnerOf, titleOf} from "./conversations.js"
import {presenceText} from "./header.js"

addTexts(texts)
addTexts(roomTexts)
addTexts(profileTexts)
const LIMIT = 8

const timeIn = timeZone => {
  try {
    const locale = navigator.languages.find(name => name.startsWith(language())) ?? language()
    return new Intl.DateTimeFormat(locale, {hour: "2-digit", minute: "2-digit", timeZone}).format()
  } catch {
    return "–"
  }
}
export const write = id => attempt(async () => go(link("conversation", await store.openDirect(id))))

export const showPerson = ({id, name}) => {
  const isMe = id === store.session.user?.id
  const shared = () => store.conversations.filter(one => one.members?.some(({userId}) => userId === id))
  store.watch([id], "profile")
  const dialog = openDialog({title: name, class: "small profile", keys: ["presence", "conversations"], store, render: close => {
    const all = shared(), groups = all.filter(one => !partnerOf(one))
    const {title, timeZone} = profiles.of(id) ?? {}
    const leave = act => () => {
      close()
      // The focus goes back before something else takes it.
      dialog.closed.then(act)
    }
    return [
      h("div", {class: "row"},
        avatar(id, name, {size: "large", status: isMe ? null : store.presence(id).status}),
        h("div", {class: "grow"},
          title && h("p", {dir: "auto"}, title),
          h("p", {class: "hint cut"}, h("bdi", null, id)),
          // The server tells the presence of those with a common conversation alone.
          h("p", {class: "hint"}, isMe ? t("habits.you") : all.length > 0 && presenceText(store.presence(id))),
          timeZone && h("p", {class: "hint"}, h("bdi", null, timeZone.replaceAll("_", " ")), " · ", t("profile.localTime", {time: timeIn(timeZone)})))),
      h("div", {class: "row wrap"},
        isMe ? button([icon("gear"), t("shell.settings")], leave(() => go("#/settings")), "with-icon")
          : button([icon("thread"), t("details.write")], leave(() => write(id)), "primary with-icon"),
        all.length > 0 && button([icon("search"), t("habits.messagesOf")], leave(() => go(link("search", {by: id}))), "with-icon")),
      groups.length > 0 && !isMe && h("section", null,
        h("h3", null, t("habits.common")),
        h("ul", {class: "people"}, groups.slice(0, LIMIT).map(one => h("li", {key: one.id},
          h("a", {class: "person", href: link("conversation", one.id), on: {click: () => close()}},
            faceOf(one, "small"), h("bdi", {class: "cut grow"}, titleOf(one)))))),
        groups.length > LIMIT && h("p", {class: "hint"}, t("habits.moreCommon", {count: groups.length - LIMIT}))),
    ]
  }})
  const off = profiles.watch(changed => changed === id && dialog.view.update())
  dialog.closed.then(() => {
    off()
    store.watch([], "profile")
  })
}
