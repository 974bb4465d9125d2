// A dialog that starts a direct conversation or makes a group.
import {h} from "../lib/dom.js"
import {t, compare} from "../lib/text.js"
import {go, link} from "../lib/router.js"
import {openDialog} from "../lib/dialog.js"
import {avatar, button, field, newId} from "../lib/ui.js"
import {icon} from "../lib/icons.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"

const LIMIT = 50

// pickPeople({chosen: Map(id → name), without: Set, update}) → () => nodes: a filter, chips and a list of check boxes.
export const peoplePicker = ({chosen, without = new Set(), update}) => {
  const listId = newId()
  let filter = "", found = [], foundFor = null, timer, asked = 0
  // Everybody here; who is known from conversations is found without the server.
  const search = async () => {
    const turn = ++asked, q = filter.trim()
    try {
      const {people} = await store.api.request("GET", "/v1/people", {query: {q, limit: LIMIT}})
      if (turn !== asked) return
      foundFor = q
      found = people.map(({userId, name}) => ({id: userId, name}))
      update()
    } catch {
      // Without a connection those from conversations are offered.
    }
  }
  const setFilter = text => {
    filter = text
    clearTimeout(timer)
    timer = setTimeout(search, 200)
    update()
  }
  search()
  const flip = ({id, name}) => {
    if (!chosen.delete(id)) chosen.set(id, name)
    update()
  }
  const matching = () => {
    const wanted = filter.trim().toLocaleLowerCase()
    const isFound = ({name, id}) => `${name} ${id}`.toLocaleLowerCase().includes(wanted)
    const own = store.session.user?.id
    const people = new Map([...store.people(), ...found].map(person => [person.id, person]))
    const directory = new Set(foundFor === filter.trim() ? found.map(({id}) => id) : [])
    return [...people.values()].filter(person => person.id !== own && !without.has(person.id) && (isFound(person) || directory.has(person.id)))
      .sort((a, b) => compare(a.name, b.name))
  }
  const takeOnly = event => {
    if (event.key !== "Enter" || !filter.trim()) return
    event.preventDefault()
    const [one, other] = matching().filter(({id}) => !chosen.has(id))
    if (!one || other) return
    flip(one)
    setFilter("")
  }
  return () => {
    const wanted = filter.trim()
    const found = matching()
    // Where people sign in, an id that nobody has would be a chat with nobody.
    const isUnknown = wanted && !found.length && !/\s/.test(wanted) && !without.has(wanted) && store.session.methods?.authentication === "none"
    const person = ({id, name}) => h("li", {key: id}, h("label", {class: "person"},
      h("input", {type: "checkbox", checked: chosen.has(id), on: {change: () => flip({id, name})}}),
      avatar(id, name, {size: "small"}), h("span", {class: "cut grow"}, h("bdi", null, name), h("span", {class: "hint"}, ` ${id}`))))
    return [
      chosen.size > 0 && h("ul", {class: "chips", "aria-label": t("new.chosen")}, [...chosen].map(([id, name]) =>
        h("li", {key: id}, h("button", {type: "button", class: "chip", "aria-label": t("new.without", {name}), on: {click: () => flip({id, name})}},
          h("bdi", null, name), icon("close"))))),
      field({id: `${listId}-filter`, label: t("new.people"), type: "search", value: filter, placeholder: t("new.find"), autocomplete: "off", autofocus: true,
        on: {input: event => setFilter(event.target.value), keydown: takeOnly}}),
      h("ul", {class: "people", "aria-label": t("new.people")}, found.slice(0, LIMIT).map(person),
        isUnknown && h("li", {key: "\0"}, button(t("new.byId", {id: wanted}), () => {
          chosen.set(wanted, wanted)
          setFilter("")
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
