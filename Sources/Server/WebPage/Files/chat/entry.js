// Everything before the shell: picking a user, signing in, the first start, invitations and resets.
import {h, View} from "../lib/dom.js"
import {addTexts, t, languages, language, setLanguage, compare} from "../lib/text.js"
import {go, route} from "../lib/router.js"
import {avatar, button, choice, field} from "../lib/ui.js"
import {store} from "../data/store.js"
import {sentence} from "../data/errors.js"
import entryTexts from "../text/entry.js"

addTexts(entryTexts)

const SHORTEST = 8, LONGEST = 256

export const mount = container => {
  const state = {values: {}, errors: {}, failure: null, isBusy: false, filter: "", invitation: null, code: null}
  let view
  const set = change => {
    Object.assign(state, change)
    view?.update()
  }
  const submit = work => async event => {
    event.preventDefault()
    if (state.isBusy) return
    set({isBusy: true, failure: null, errors: {}})
    try {
      await work()
    } catch (error) {
      set({failure: error})
    }
    set({isBusy: false})
  }
  const input = (name, label, props) => field({
    id: `entry-${name}`, name, label, error: state.errors[name], value: state.values[name] ?? "", ...props,
    on: {input: event => set({values: {...state.values, [name]: event.target.value}})},
  })
  const refuse = (name, key) => {
    set({errors: {[name]: t(key, {count: SHORTEST, longest: LONGEST})}})
    view.now()
    document.getElementById(`entry-${name}`)?.focus()
  }
  const failure = () => state.failure && h("p", {class: "alert", role: "alert"}, sentence(state.failure))

  const signIn = submit(async () => {
    const {userId = "", password = ""} = state.values
    if (!userId.trim()) return refuse("userId", "entry.needsUser")
    if (!password) return refuse("password", "entry.needsPassword")
    await store.signIn({userId: userId.trim(), password})
    set({values: {}})
    if (route.name === "sign-in") go("#/", true)
  })
  const accept = submit(async () => {
    const {name, password = "", again = ""} = state.values
    if ([...password].length < SHORTEST) return refuse("password", "entry.tooShort")
    if ([...password].length > LONGEST) return refuse("password", "entry.tooLong")
    if (password !== again) return refuse("again", "entry.differs")
    await store.acceptInvitation(state.code, {password, ...(name?.trim() ? {name: name.trim()} : {})})
    set({values: {}})
    go("#/", true)
  })
  const pick = userId => submit(async () => {
    await store.pickUser(userId)
    if (route.name === "sign-in") go("#/", true)
  })

  const passwordForm = methods => h("form", {class: "stack", novalidate: true, on: {submit: signIn}},
    input("userId", t("entry.user"), {autocomplete: "username", autocapitalize: "none", spellcheck: "false", required: true, dir: "auto"}),
    input("password", t("entry.password"), {type: "password", autocomplete: "current-password", required: true}),
    failure(),
    button(t("entry.signIn"), null, "primary", {type: "submit", disabled: state.isBusy}),
    h("p", {class: "hint"}, t("entry.forgotten")),
    methods.isFirstStart && firstStart())
  const firstStart = () => h("div", {class: "alert calm"}, h("strong", null, t("entry.firstStart")), h("p", null, t("entry.firstStartHow")))

  const picker = methods => {
    const users = [...(methods.users ?? [])]
      .sort((a, b) => (b.userId === methods.defaultUser) - (a.userId === methods.defaultUser) || compare(a.name, b.name))
    const matching = () => {
      const wanted = state.filter.trim().toLocaleLowerCase()
      return users.filter(user => `${user.name} ${user.userId}`.toLocaleLowerCase().includes(wanted)).slice(0, 50)
    }
    const takeOnly = event => {
      const [one, other] = matching()
      if (event.key === "Enter" && one && !other) pick(one.userId)(event)
    }
    return h("div", {class: "stack"},
      h("p", {class: "quiet"}, t("entry.pick")),
      users.length > 8 && h("input", {type: "search", "aria-label": t("entry.filter"), placeholder: t("entry.filter"),
        value: state.filter, on: {input: event => set({filter: event.target.value}), keydown: takeOnly}}),
      failure(),
      h("ul", {class: "pick"}, matching().map(({userId, name}) => h("li", {key: userId},
        h("button", {type: "button", class: "plain", disabled: state.isBusy, on: {click: pick(userId)}},
          avatar(userId, name), h("span", {class: "grow"}, h("bdi", null, name), h("span", {class: "hint"}, ` ${userId}`)))))),
      !users.length && h("form", {class: "stack", on: {submit: event => pick((state.values.userId ?? "").trim())(event)}},
        input("userId", t("entry.user"), {required: true, dir: "auto", hint: t("entry.anyName")}),
        button(t("entry.signIn"), null, "primary", {type: "submit"})))
  }

  // The other service sends the browser back without the hash.
  const keepPlace = () => route.name === "connect" && sessionStorage.setItem("nexus-connect", location.hash)
  const oidcError = () => {
    const code = route.name === "sign-in" && route.query.get("error")
    return code && h("p", {class: "alert", role: "alert"}, t("entry.oidcFailed", {code}))
  }
  const signInPage = () => {
    const {status, methods, error} = store.session
    if (!methods && error) {
      return [h("p", {class: "alert", role: "alert"}, sentence(error)), button(t("shell.retry"), () => store.retryNow(), "primary")]
    }
    if (status === "starting" || !methods) return h("p", {class: "quiet", role: "status"}, t("shell.connecting"))
    if (methods.authentication !== "required") return [h("h1", null, t("entry.who")), picker(methods)]
    return [
      h("h1", null, t("entry.signIn")),
      oidcError(),
      error && !state.failure && h("p", {class: "alert calm"}, sentence(error)),
      methods.oidc && h("a", {class: "button primary", href: "/v1/session/oidc/start", on: {click: keepPlace}}, t("entry.with", {name: methods.oidc.name})),
      methods.oidc && methods.password && h("p", {class: "or"}, t("entry.or")),
      methods.password !== false ? passwordForm(methods) : methods.isFirstStart && firstStart(),
    ]
  }

  const strength = () => {
    const count = [...(state.values.password ?? "")].length
    return h("div", {class: "rule"},
      h("progress", {max: SHORTEST, value: Math.min(count, SHORTEST), "aria-hidden": "true"}),
      h("span", {class: "hint"}, count < SHORTEST ? t("entry.rule", {count: SHORTEST}) : t("entry.ruleMet")))
  }
  const invitationPage = () => {
    const {invitation} = state
    if (state.failure && !invitation) {
      return [h("h1", null, t("entry.invitationGone")), failure(), h("a", {href: "#/"}, t("entry.toSignIn"))]
    }
    if (!invitation) return h("p", {class: "quiet", role: "status"}, t("shell.connecting"))
    const isReset = invitation.purpose === "reset"
    return [
      h("h1", null, t(isReset ? "entry.reset" : "entry.welcome")),
      h("p", {class: "quiet"}, t(isReset ? "entry.resetHow" : "entry.welcomeHow")),
      store.session.user && h("p", {class: "alert calm"}, t("entry.signedInAs", {name: store.session.user.name})),
      h("form", {class: "stack", novalidate: true, on: {submit: accept}},
        field({id: "entry-userId", label: t("entry.user"), value: invitation.userId, readonly: true, autocomplete: "username", dir: "auto"}),
        !isReset && input("name", t("entry.name"), {autocomplete: "name", value: state.values.name ?? invitation.name ?? "", dir: "auto"}),
        input("password", t("entry.newPassword"), {type: "password", autocomplete: "new-password", required: true}),
        strength(),
        input("again", t("entry.again"), {type: "password", autocomplete: "new-password", required: true}),
        failure(),
        button(t(isReset ? "entry.setPassword" : "entry.join"), null, "primary", {type: "submit", disabled: state.isBusy})),
    ]
  }
  const loadInvitation = () => {
    if (route.name !== "invitation" || route.id === state.code) return
    set({code: route.id, invitation: null, failure: null})
    store.invitation(route.id).then(invitation => set({invitation}), failure => set({failure}))
  }
  loadInvitation()

  view = new View(container, () => h("main", {class: "entry"},
    h("div", {class: "card stack"},
      h("p", {class: "brand"}, h("img", {src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 32, height: 32}), "Nexus"),
      route.name === "invitation" ? invitationPage() : signInPage()),
    choice("language", language(), Object.entries(languages), setLanguage, {"aria-label": t("settings.language"), class: "language"})),
  ["session"], store)
  return {
    close: () => view.close(),
    update: () => {
      loadInvitation()
      view.update()
    },
  }
}
