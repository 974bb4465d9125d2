// Beside a conversation: its people with roles, adding and removing, the name, the history that new members read, the
// person's own preferences, leaving.
import {h, View} from "../lib/dom.js"
import {addTexts, t} from "../lib/text.js"
import {go} from "../lib/router.js"
import {icon} from "../lib/icons.js"
import {attempt, confirm, openDialog, opened} from "../lib/dialog.js"
import {avatar, button, choice, field, menuButton, newId, toggle} from "../lib/ui.js"
import {groups, profiles} from "../data/profiles.js"
import {store} from "../data/store.js"
import {faceOf, partnerOf, titleOf} from "./conversations.js"
import {presenceText} from "./header.js"
import {peoplePicker} from "./new.js"
import {pictureEditor} from "./picture.js"
import roomsTexts from "../text/rooms.js"

addTexts(roomsTexts)

const PAGE = 50

export const mount = (container, {id}) => {
  const state = {members: [], after: null, hasMore: false, error: false, isEditing: false, name: "", filter: ""}
  const nameId = newId(), preferenceId = newId(), historyId = newId()
  let view, isOpen = true, loading = 0
  const set = change => {
    Object.assign(state, change)
    view?.update()
  }
  const path = `/v1/conversations/${encodeURIComponent(id)}/members`

  // The list is loaded again, as far as it was shown, when the conversation changes.
  const load = async (from = null, wanted = PAGE) => {
    const turn = ++loading
    const members = from ? [...state.members] : []
    let after = from, next
    try {
      do {
        const page = await store.api.request("GET", path, {query: {limit: PAGE, ...(after ? {after} : {})}})
        members.push(...page.members.filter(member => !member.leftAt))
        next = after = page.next ?? null
      } while (next && members.length < wanted)
      if (isOpen && turn === loading) set({members, after: next, hasMore: !!next, error: false})
    } catch {
      if (isOpen && turn === loading) set({error: true})
    }
  }
  const reload = () => load(null, Math.max(PAGE, state.members.length))
  const change = async work => {
    await attempt(work)
    reload()
  }

  const add = async () => {
    const chosen = new Map()
    let dialog
    const people = peoplePicker({chosen, without: new Set(state.members.map(({userId}) => userId)), update: () => dialog.view.update()})
    dialog = openDialog({title: t("details.add"), keys: ["conversations"], store, render: close => h("form", {class: "stack", on: {submit: event => {
      event.preventDefault()
      close(true)
    }}}, people(), h("footer", {class: "actions"},
      button(t("shell.cancel"), () => close()),
      button(t("details.addNow", {count: chosen.size}), null, "primary", {type: "submit", disabled: !chosen.size})))})
    if (!(await dialog.closed)) return
    for (const [userId, name] of chosen) await attempt(() => store.addMember(id, userId, name))
    reload()
  }
  const memberMenu = ({userId, name, role}, isAdmin, isOpenGroup) => () => [
    {label: t("details.profile"), icon: "person", act: () => opened(() => import("./profile.js"), ({showPerson}) => showPerson({id: userId, name}))},
    {label: t("details.write"), icon: "thread", act: () => attempt(async () => {
      const made = await store.openDirect(userId)
      go(`#/conversation/${encodeURIComponent(made.id ?? made)}`)
    })},
    (isAdmin || isOpenGroup) && {label: t(role === "admin" ? "details.unmakeAdmin" : "details.makeAdmin"), icon: "shield",
      act: () => change(() => store.setRole(id, userId, role === "admin" ? "member" : "admin"))},
    isAdmin && {label: t("details.remove"), icon: "trash", isDangerous: true, act: async () => {
      const isSure = await confirm({title: t("details.remove"), text: t("details.removeSure", {name}), action: t("details.remove"), isDangerous: true})
      if (isSure) change(() => store.removeMember(id, userId))
    }},
  ]
  const leave = async () => {
    const isSure = await confirm({title: t("details.leave"), text: t("details.leaveSure", {name: titleOf(store.conversation(id))}),
      action: t("details.leave"), isDangerous: true})
    if (isSure && (await attempt(() => store.leave(id).then(() => true)))) go("#/")
  }
  const setHistory = async isWhole => {
    const isSure = !isWhole || (await confirm({title: t("details.history.open"), text: t("details.history.openSure"), action: t("details.history.open")}))
    if (isSure) await attempt(() => store.setHistory(id, isWhole ? "all" : "joined"))
    view.update()
  }
  const rename = event => {
    event.preventDefault()
    const name = state.name.trim()
    set({isEditing: false})
    if (name && name !== store.conversation(id)?.name) attempt(() => store.rename(id, name))
  }

  // The reply is empty, so the group is asked for again.
  const picture = pictureEditor({path: `/v1/conversations/${encodeURIComponent(id)}/picture`, update: () => view.update(), taken: () => groups.again(id)})
  const nameOf = userId => state.members.find(member => member.userId === userId)?.name ?? store.nameOf(id, userId)

  // What people who join later may read. Anyone limits it in a group without administrators, only they open it again.
  const historyChoice = ({history}, isAdmin, isOpenGroup) => {
    const isWhole = history !== "joined"
    const hint = t(isWhole ? "details.history.all" : "details.history.joined")
    const mayChange = isAdmin || (isOpenGroup && isWhole)
    return h("section", {class: "stack", "aria-labelledby": historyId},
      h("h2", {id: historyId}, t("details.history")),
      mayChange ? h("div", null, toggle(t("details.history.switch"), isWhole, setHistory, {hint})) : h("p", {class: "hint"}, hint))
  }

  const render = () => {
    const conversation = store.conversation(id)
    if (!conversation) return h("p", {class: "notice"}, t("head.unknown"))
    const own = store.session.user?.id
    const {kind, preferences = {}} = conversation
    const admins = new Set([...(conversation.admins ?? []), ...state.members.filter(({role}) => role === "admin").map(({userId}) => userId)])
    const isAdmin = admins.has(own) || conversation.role === "admin"
    // In imported groups nobody is an administrator: every member may rename and name the first one.
    const isOpenGroup = kind === "group" && !admins.size
    const partner = partnerOf(conversation)
    const group = kind === "group" ? groups.of(id) : null
    const keep = values => attempt(() => store.setPreferences(id, values))
    const wanted = state.filter.trim().toLocaleLowerCase()
    const members = state.members.filter(({name, userId}) => `${name} ${userId}`.toLocaleLowerCase().includes(wanted))
    const member = person => {
      const presence = store.presence(person.userId)
      const title = profiles.of(person.userId)?.title
      return h("li", {key: person.userId, class: "person"},
        avatar(person.userId, person.name, {status: presence?.status, size: "small"}),
        h("span", {class: "grow lines"},
          h("span", {class: "cut"}, h("bdi", null, person.name), person.userId === own && h("span", {class: "hint"}, ` ${t("details.you")}`)),
          title && h("span", {class: "hint cut", dir: "auto"}, title)),
        admins.has(person.userId) && h("span", {class: "chip"}, t("details.admin")),
        person.userId !== own && menuButton(t("details.about", {name: person.name}), memberMenu(person, isAdmin, isOpenGroup)))
    }
    return h("div", {class: "details stack"},
      h("div", {class: "details-head"},
        faceOf(conversation, "large"),
        state.isEditing
          ? h("form", {class: "stack", on: {submit: rename}},
              field({id: nameId, label: t("details.name"), value: state.name, maxlength: 100, dir: "auto", on: {
                input: event => set({name: event.target.value}),
                keydown: event => event.key === "Escape" && (event.preventDefault(), set({isEditing: false})),
              }}),
              h("div", {class: "row"}, button(t("details.save"), null, "primary", {type: "submit"}), button(t("shell.cancel"), () => set({isEditing: false}))))
          : [h("h2", {dir: "auto"}, titleOf(conversation)),
             h("p", {class: "hint"}, partner ? presenceText(store.presence(partner.userId)) : t(conversation.visibility === "everyone" ? "head.open" : "head.group")),
             group?.createdBy && h("p", {class: "hint"}, t("profile.madeBy", {name: nameOf(group.createdBy)})),
             kind === "group" && (isAdmin || isOpenGroup) && button(t("details.rename"), () => {
               set({isEditing: true, name: conversation.name ?? ""})
               view.now()
               document.getElementById(nameId)?.select()
             }),
             kind === "group" && (isAdmin || isOpenGroup) && h("div", {class: "stack"}, picture(Boolean(group?.pictureId)))]),
      h("section", {class: "stack", "aria-labelledby": preferenceId},
        h("h2", {id: preferenceId}, t("details.preferences")),
        h("label", {class: "field"}, h("span", null, t("details.notify")),
          choice("notifications", preferences.notifications ?? "", [["", t("details.notify.default")], ["all", t("details.notify.all")],
            ["mentions", t("details.notify.mentions")], ["nothing", t("details.notify.nothing")]],
          value => keep({notifications: value || undefined}))),
        h("div", null,
          toggle(t("list.mute"), !!preferences.muted, muted => keep({muted}), {hint: t("details.muteHint")}),
          toggle(t("list.pin"), !!preferences.pinned, pinned => keep({pinned})),
          toggle(t("list.archive"), !!preferences.archived, archived => keep({archived})))),
      kind === "group" && historyChoice(conversation, isAdmin, isOpenGroup),
      kind === "group" && h("section", {class: "stack"},
        h("div", {class: "row"}, h("h2", {class: "grow"}, t("details.people")), button([icon("add"), t("details.add")], add, "with-icon")),
        state.members.length > 8 && h("input", {type: "search", "aria-label": t("new.find"), placeholder: t("new.find"), value: state.filter,
          on: {input: event => set({filter: event.target.value})}}),
        state.error ? h("p", {class: "alert"}, t("details.failed"), " ", button(t("shell.retry"), reload, "link"))
          : h("ul", {class: "people"}, members.map(member)),
        state.hasMore && button(t("details.more"), () => load(state.after, state.members.length + PAGE), "plain")),
      kind === "group" && button(t("details.leave"), leave, "danger-text"))
  }
  view = new View(container, render, ["conversations", `conversation:${id}`, "presence"], store)
  const off = store.on(`conversation:${id}`, () => store.conversation(id) && reload())
  const offProfiles = [profiles, groups].map(source => source.watch(() => view.update()))
  load()
  return {
    close: () => {
      isOpen = false
      off()
      for (const off of offProfiles) off()
      view.close()
    },
  }
}
