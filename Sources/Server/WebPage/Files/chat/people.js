// The directory: everybody whom this person may find, with a card for each.
import {h, View} from "../lib/dom.js"
import {icon} from "../lib/icons.js"
import {addTexts, t} from "../lib/text.js"
import {avatar, iconButton} from "../lib/ui.js"
import {profiles} from "../data/profiles.js"
import {store} from "../data/store.js"
import texts from "../text/habits.js"
import {directory} from "./directory.js"
import {presenceText} from "./header.js"
import {showPerson, write} from "./profile.js"

addTexts(texts)

export const mount = container => {
  let view, watched = ""
  const all = directory(() => view?.update())
  const watch = people => {
    const ids = people.map(({id}) => id).slice(0, 100)
    if (ids.join("\n") === watched) return
    watched = ids.join("\n")
    store.watch(ids, "people")
  }
  const row = ({id, name}) => {
    const {status, lastSeen} = store.presence(id)
    const isMe = id === store.session.user?.id
    const title = profiles.of(id)?.title
    return h("li", {key: id, class: "person"},
      h("button", {type: "button", class: "plain row grow", on: {click: () => showPerson({id, name})}},
        avatar(id, name, {status}),
        h("span", {class: "grow lines"},
          h("span", {class: "cut"}, h("bdi", null, name), isMe && h("span", {class: "hint"}, ` ${t("details.you")}`)),
          h("span", {class: "hint cut"}, title ? h("bdi", {title: id}, title) : h("bdi", null, id), (status !== "offline" || lastSeen) && !isMe && ` · ${presenceText({status, lastSeen})}`))),
      !isMe && iconButton("thread", t("habits.writeTo", {name}), () => write(id)))
  }
  view = new View(container, () => {
    const people = all.people()
    watch(people)
    return h("section", {class: "page"}, h("div", {class: "column stack"},
      h("h1", null, t("shell.people")),
      h("div", {class: "filter wide"}, icon("search"),
        h("input", {type: "search", value: all.query, placeholder: t("new.find"), "aria-label": t("new.find"), autocomplete: "off", dir: "auto",
          ref: element => matchMedia("(pointer: fine)").matches && element.focus(),
          on: {input: event => (all.query = event.target.value)}})),
      h("p", {class: "sr", role: "status"}, all.isAsked && all.query.trim() ? t("habits.found", {count: people.length}) : null),
      people.length > 0 && h("ul", {class: "people card", "aria-label": t("shell.people")}, people.slice(0, 200).map(row)),
      !people.length && h("p", {class: "quiet"}, t("new.nobody")),
      (all.isCut || people.length > 200) && h("p", {class: "hint"}, t("habits.morePeople"))))
  }, ["presence", "conversations", "session"], store)
  const off = profiles.watch(() => view.update())
  return {
    close() {
      off()
      all.close()
      store.watch([], "people")
      view.close()
    },
  }
}
