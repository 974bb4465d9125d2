// The person's settings: of this browser (theme, language, announcer), of the account on all devices, and sessions.
import {h, View} from "../lib/dom.js"
import {addTexts, t, ago, bytes, chosenLanguage, dateTime, languages, setLanguage} from "../lib/text.js"
import {attempt, isQuiet, openDialog, setQuiet, toast} from "../lib/dialog.js"
import {button, choice, field, newId, toggle} from "../lib/ui.js"
import {ownLinks} from "./own-links.js"
import {ownProfile} from "./own-profile.js"
import {connectSection} from "./programs.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"
import entryTexts from "../text/entry.js"
import settingsTexts from "../text/settings.js"

addTexts(entryTexts)
addTexts(settingsTexts)

export const theme = () => localStorage.getItem("nexus-theme") ?? ""
export const setTheme = name => {
  if (name) localStorage.setItem("nexus-theme", name)
  else localStorage.removeItem("nexus-theme")
  document.documentElement.toggleAttribute("data-theme", false)
  if (name) document.documentElement.dataset.theme = name
}

const browserOf = agent => {
  const name = ["Firefox", "Edg", "OPR", "Chrome", "Safari"].find(part => agent?.includes(part))
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"].find(part => agent?.includes(part))
  return [{Edg: "Edge", OPR: "Opera"}[name] ?? name, system].filter(Boolean).join(" · ") || agent || t("settings.unknownBrowser")
}

// The person's share of the disk for files, of `GET /v1/files`.
export const fileShare = ({byteCount, count, limit}) => t("settings.files", {used: bytes(byteCount), limit: bytes(limit), count})

const changePassword = () => {
  const ids = {current: newId(), next: newId(), again: newId()}
  const values = {current: "", next: "", again: ""}
  let error = null, isBusy = false, dialog
  const input = (name, autocomplete) => field({id: ids[name], label: t(`settings.password.${name}`), type: "password", autocomplete, required: true, autofocus: name === "current",
    error: error?.name === name ? error.text : null, value: values[name], on: {input: event => {
      values[name] = event.target.value
    }}})
  const submit = close => async event => {
    event.preventDefault()
    const {current, next, again} = values
    const count = [...next].length
    if (count < 8 || count > 256) error = {name: "next", text: t(count < 8 ? "entry.tooShort" : "entry.tooLong", {count: 8, longest: 256})}
    else if (next !== again) error = {name: "again", text: t("entry.differs")}
    else {
      isBusy = true
      error = null
      dialog.view.update()
      try {
        await store.api.request("PUT", "/v1/account/password", {body: {current, new: next}})
        close()
        return toast(t("settings.passwordChanged"))
      } catch (failure) {
        error = {name: "current", text: sentence(failure)}
      }
      isBusy = false
    }
    dialog.view.now()
    document.getElementById(ids[error.name])?.focus()
  }
  dialog = openDialog({title: t("settings.changePassword"), class: "small", render: close => h("form", {class: "stack", novalidate: true, on: {submit: submit(close)}},
    input("current", "current-password"), input("next", "new-password"), h("p", {class: "hint"}, t("entry.rule", {count: 8})), input("again", "new-password"),
    h("footer", {class: "actions"}, button(t("shell.cancel"), () => close()), button(t("entry.setPassword"), null, "primary", {type: "submit", disabled: isBusy})))})
}

export const mount = container => {
  const state = {sessions: null, readings: null, files: null, isSaved: false, address: null, program: "claude", test: null}
  const ids = {zone: newId(), start: newId(), end: newId()}
  // The page may be here before the server has said how people sign in.
  const hasAccount = () => store.session.methods?.authentication === "required"
  let view, saved
  const profile = ownProfile(() => view?.update())
  const links = ownLinks(() => view?.update())
  const set = change => {
    Object.assign(state, change)
    view?.update()
  }
  const save = values => attempt(async () => {
    await store.saveSettings(values)
    clearTimeout(saved)
    set({isSaved: true})
    saved = setTimeout(set, 3_000, {isSaved: false})
  })
  const loadSessions = async () => {
    set({sessions: (await attempt(() => store.api.request("GET", "/v1/sessions")))?.sessions ?? []})
  }
  const loadReadings = async () => {
    set({readings: (await attempt(() => store.api.request("GET", "/v1/assistants/readings?limit=50")))?.readings ?? []})
  }
  // The address that tokens are made for; it can differ from the one in the browser.
  const loadAddress = async () => {
    try {
      set({address: (await store.api.request("GET", "/.well-known/oauth-protected-resource/mcp")).resource})
    } catch {
      // Without it no program can be connected, and the rest of the settings is there.
    }
  }
  const deleteReadings = () => attempt(async () => {
    await store.api.request("DELETE", "/v1/assistants/readings")
    loadReadings()
  })
  const loadFiles = async () => {
    try {
      set({files: await store.api.request("GET", "/v1/files")})
    } catch {
      // The rest of the settings does not depend on it.
    }
  }
  const end = id => attempt(async () => {
    await store.api.request("DELETE", `/v1/sessions/${encodeURIComponent(id)}`)
    loadSessions()
  })
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])]
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const section = (key, ...nodes) => h("section", {key, class: "card stack", "aria-labelledby": `settings-${key}`},
    h("h2", {id: `settings-${key}`}, t(`settings.${key}`)), nodes)
  const labelled = (label, control) => h("label", {class: "field"}, h("span", null, label), control)

  const assistants = () => {
    const list = (state.sessions ?? []).filter(({assistant}) => assistant)
    if (!list.length) return h("p", {class: "hint"}, t("settings.noAssistant"))
    return h("ul", {class: "people"}, list.map(({id, lastUsedAt, createdAt, assistant}) => h("li", {key: id, class: "person"},
      h("div", {class: "grow"}, h("p", {class: "cut"}, h("bdi", null, assistant.name)),
        h("p", {class: "hint", title: dateTime(createdAt)}, assistant.scopes.map(scope => t(`settings.may.${scope}`)).join(", "), " · ",
          t("settings.lastUsed", {when: ago(lastUsedAt ?? createdAt)}))),
      button(t("settings.endSession"), () => end(id), "", {"aria-label": t("settings.endOf", {name: assistant.name})}))))
  }
  // Without text: the tool, the conversation and how many messages.
  const readings = () => state.readings?.length > 0 && h("details", null,
    h("summary", null, t("settings.readings")),
    h("ul", {class: "people"}, state.readings.map(({assistant, tool, conversationId, messageCount, readAt}, place) => h("li", {key: place, class: "person"},
      h("div", {class: "grow"}, h("p", {class: "cut"}, h("bdi", null, conversationId), " · ", t("settings.readCount", {count: messageCount})),
        h("p", {class: "hint cut", title: dateTime(readAt)}, h("bdi", null, assistant), ` · ${tool} · `, ago(readAt)))))),
    button(t("settings.deleteReadings"), deleteReadings))
  const push = () => {
    const {pushState} = store
    const isOn = pushState === "open" || pushState === "subscribed"
    const isPossible = pushState === "off" || isOn
    const change = isOn => attempt(() => isOn ? store.subscribeToPush() : store.unsubscribeFromPush()).finally(() => view.update())
    return toggle(t("settings.push"), isOn, change,
      {disabled: !isPossible, hint: t(["off", "subscribed"].includes(pushState) ? "settings.pushHint" : `settings.push.${pushState}`)})
  }
  const render = () => {
    const {user} = store.session
    const otherChats = links.render()
    const settings = store.settings ?? {}
    const quiet = settings.quietHours
    const hour = (name, value) => field({id: ids[name], label: t(`settings.${name}`), type: "time", value, required: true,
      on: {change: event => event.target.value && save({quietHours: {...quiet, [name]: event.target.value}})}})
    return h("div", {class: "page"}, h("div", {class: "column stack"},
      h("header", {class: "row"}, h("h1", {class: "grow"}, t("shell.settings")),
        h("span", {role: "status", class: "hint"}, state.isSaved ? t("settings.saved") : "")),
      section("account",
        h("div", null, h("p", {class: "cut"}, h("bdi", null, user.name)),
          h("p", {class: "hint cut"}, user.id, user.role === "administrator" && ` · ${t("settings.administrator")}`)),
        profile(),
        state.files && h("p", {class: "hint files-share"}, fileShare(state.files)),
        h("div", {class: "row wrap"},
          store.session.user.hasPassword && button(t("settings.changePassword"), changePassword),
          user.role === "administrator" && h("a", {class: "button", href: "#/administration"}, t("shell.administration")),
          button(t("shell.signOut"), () => store.signOut()))),
      section("look",
        labelled(t("settings.theme"), choice("theme", theme(), [["", t("settings.theme.system")], ["light", t("settings.theme.light")], ["dark", t("settings.theme.dark")]], name => {
          setTheme(name)
          view.update()
        })),
        labelled(t("settings.language"), choice("language", chosenLanguage(), [["", t("settings.theme.system")], ...Object.entries(languages)], setLanguage)),
        labelled(t("settings.enter"), choice("enter", localStorage.getItem("nexus-enter") ?? "",
          ["", "send", "break"].map(key => [key, t(`settings.enter.${key || "device"}`)]), value => {
            if (value) localStorage.setItem("nexus-enter", value)
            else localStorage.removeItem("nexus-enter")
            view.update()
          })),
        toggle(t("settings.announcer"), !isQuiet(), isOn => {
          setQuiet(!isOn)
          view.update()
        }, {hint: t("settings.announcerHint")})),
      section("notifications",
        push(),
        toggle(t("settings.quietHours"), !!quiet, isOn => save({quietHours: isOn ? {start: "22:00", end: "07:00"} : undefined, ...(isOn && !settings.timeZone ? {timeZone: here} : {})}),
          {hint: t("settings.quietHoursHint")}),
        quiet && h("div", {class: "row wrap"}, hour("start", quiet.start), hour("end", quiet.end)),
        labelled(t("settings.timeZone"), choice("zone", settings.timeZone ?? "", [["", t("settings.browserZone", {zone: here})],
          ...zones.map(zone => [zone, zone.replaceAll("_", " ")])], zone => save({timeZone: zone || undefined})))),
      section("privacy",
        toggle(t("settings.receipts"), !settings.hideReadReceipts, isOn => save({hideReadReceipts: !isOn}), {hint: t("settings.receiptsHint")}),
        toggle(t("settings.lastSeen"), !settings.hideLastSeen, isOn => save({hideLastSeen: !isOn}), {hint: t("settings.lastSeenHint")})),
      hasAccount() && section("sessions", h("ul", {class: "people"}, (state.sessions ?? []).filter(({assistant}) => !assistant).map(({id, lastUsedAt, createdAt, userAgent, isCurrent}) =>
        h("li", {key: id, class: "person"},
          h("div", {class: "grow"}, h("p", {class: "cut", title: userAgent}, browserOf(userAgent)),
            h("p", {class: "hint", title: dateTime(createdAt)}, isCurrent ? t("settings.thisSession") : t("settings.lastUsed", {when: ago(lastUsedAt ?? createdAt)}))),
          !isCurrent && button(t("settings.endSession"), () => end(id), "", {"aria-label": t("settings.endOf", {name: browserOf(userAgent)})}))))),
      otherChats && section("links", otherChats),
      hasAccount() && section("assistants", assistants(), readings(),
        state.address && connectSection(state, state.address, user.id, set))))
  }
  view = new View(container, render, ["settings", "session"], store)
  let isAsked = false
  const loadAccount = () => {
    if (isAsked || !hasAccount()) return
    isAsked = true
    loadSessions()
    loadReadings()
    loadAddress()
  }
  const off = store.on("session", loadAccount)
  loadAccount()
  loadFiles()
  return {
    close: () => {
      off()
      clearTimeout(saved)
      links.close()
      view.close()
    },
  }
}
