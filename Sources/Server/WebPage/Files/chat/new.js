// A dialog that starts a direct conversation or makes a group.
import {h} from "../lib/dom.js"
import {addTexts, t} from "../lib/text.js"
import {go, link} from "../lib/router.js"
import {openDialog} from "../lib/dialog.js"
import {avatar, button, field, newId} from "../lib/ui.js"
import {icon} from "../lib/icons.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"
import {LIMIT, directory} from "./directory.js"
import roomsTexts from "../text/rooms.js"

addTexts(roomsTexts)

// pickPeople({chosen: Map(id → name), without: Set, update}) → () => nodes: a filter, chips and a list of check boxes.
export const peoplePicker = ({chosen, without = new Set(), update}) => {
  const listId = newId(), all = directory(update), hidden = new Set([...without, store.session.user?.id])
  const flip = ({id, name}) => {
    if (!chosen.delete(id)) chosen.set(id, name)
    update()
  }
  const takeOnly = event => {
    if (event.key !== "Enter" || !all.query.trim()) return
    event.preventDefault()
    const [one, other] = all.people(hidden).filter(({id}) => !chosen.has(id))
    if (!one || other) return
    flip(one)
    all.query = ""
  }
  return () => {
    const wanted = all.query.trim()
    const found = all.people(hidden)
    // Where people sign in, an id that nobody has would be a chat with nobody.
    const isUnknown = wanted && !found.length && !/\s/.test(wanted) && !without.has(wanted) && store.session.methods?.authentication === "none"
    const person = ({id, name}) => h("li", {key: id}, h("label", {class: "person"},
      h("input", {type: "checkbox", checked: chosen.has(id), on: {change: () => flip({id, name})}}),
      avatar(id, name, {size: "small"}), h("span", {class: "cut grow"}, h("bdi", null, name), h("span", {class: "hint"}, ` ${id}`))))
    return [
      chosen.size > 0 && h("ul", {class: "chips", "aria-label": t("new.chosen")}, [...chosen].map(([id, name]) =>
        h("li", {key: id}, h("button", {type: "button", class: "chip", "aria-label": t("new.without", {name}), on: {click: () => flip({id, name})}},
          h("bdi", null, name), icon("close"))))),
      field({id: `${listId}-filter`, label: t("new.people"), type: "search", value: all.query, placeholder: t("new.find"), autocomplete: "off", autofocus: true,
        on: {input: event => (all.query = event.target.value), keydown: takeOnly}}),
      h("ul", {class: "people", "aria-label": t("new.people")}, found.slice(0, LIMIT).map(person),
        isUnknown && h("li", {key: "\0"}, button(t("new.byId", {id: wanted}), () => {
          chosen.set(wanted, wanted)
          all.query = ""
        }, "plain"))),
      found.length > LIMIT && h("p", {class: "hint"}, t("new.more", {count: found.length - LIMIT})),
      !found.length && !isUnknown && h("p", {class: "hint"}, t("new.nobody")),
    ]
  }
}

export const newConversation = () => {
  const chosen = new Map(), nameId = newId()
  let name = "", failure = null, isBusy = false, dialog
  const update = () => dialog.view.update()
  const people = peoplePicker({chosen, without: new Set([store.session.user?.id]), update})
  const isGroup = () => chosen.size > 1 || name.trim()
  const submit = close => async event => {
    event.preventDefault()
    if (!chosen.size && !name.trim()) {
      failure = t("new.nobodyChosen")
      return update()
    }
    isBusy = true
    failure = null
    update()
    try {
      const ids = [...chosen.keys()]
      const made = isGroup()
        ? await store.createGroup({name: name.trim() || [store.session.user.name, ...chosen.values()].map(n => n.split(" ")[0]).join(", "), userIds: ids})
        : await store.openDirect(ids[0])
      close()
      go(link("conversation", made.id ?? made))
    } catch (error) {
      failure = sentence(error)
      isBusy = false
      update()
    }
  }
  dialog = openDialog({title: t("list.new"), keys: ["conversations"], store, render: close => h("form", {class: "stack", on: {submit: submit(close)}},
    people(),
    field({id: nameId, label: t("new.name"), hint: t("new.nameHint"), value: name, maxlength: 100, dir: "auto", on: {input: event => {
      name = event.target.value
      update()
    }}}),
    failure && h("p", {class: "alert", role: "alert"}, failure),
    h("footer", {class: "actions"},
      button(t("shell.cancel"), () => close()),
      button(t(isGroup() ? "new.group" : "new.direct"), null, "primary", {type: "submit", disabled: isBusy})))})
}
