// A short list of emojis, and a dialog that picks one.
import {h, patch} from "../lib/dom.js"
import {t} from "../lib/text.js"

const list = `👍 thumbs up ok,👎 thumbs down no,❤️ heart love,😂 joy laugh,🎉 party,🙏 thanks please,👀 eyes,✅ done check,🚀 rocket,🔥 fire,💯 hundred
😀 grin,😄 smile happy,😁 beam,😅 sweat,🤣 rolling laugh,🙂 slight smile,😉 wink,😊 blush,😍 heart eyes,😘 kiss,😋 yum,😜 joke,🤪 crazy,🤗 hug,🤔 think,🤨 doubt,😐 neutral,🙄 roll eyes,😏 smirk,😴 sleep,🤒 ill,🤯 mind blown,🥳 celebrate,😎 cool,🤓 nerd,😕 confused,😮 wow,😳 flushed,🥺 pleading,😢 sad cry,😭 sob,😱 scream,😤 huff,😡 angry,💀 dead skull,🤡 clown,👻 ghost,🤖 robot,🤷 shrug,🤦 facepalm
👋 wave hello bye,👌 perfect,✌️ peace,🤞 fingers crossed luck,👏 clap,🙌 hooray,🤝 deal handshake,💪 strong,👉 right,👆 up,👇 down,✍️ write,🫡 salute,🙋 raise hand
💔 broken heart,💙 blue heart,💚 green heart,💛 yellow heart,✨ sparkles,⭐ star,⚡ fast bolt,💥 boom,💡 idea,❓ question,❗ important,❌ no cross,⚠️ warning,🚫 forbidden,🔒 lock,🔑 key,🔔 bell,📌 pin,📎 clip,📅 calendar,⏰ alarm,⏳ wait,📈 rising,📉 falling,📝 note,📷 photo,💻 computer,📱 phone,🐛 bug,🛠️ tools fix,🧪 test,📦 package,💰 money,🎁 gift
☕ coffee,🍺 beer,🍷 wine,🍕 pizza,🎂 cake birthday,🍎 apple,🥑 avocado,🐱 cat,🐶 dog,🦄 unicorn,🐢 slow turtle,🌸 flower,🌱 seedling,🌞 sun,🌧️ rain,❄️ snow cold,🌍 earth,🏠 home,🚗 car,🚲 bike,🚆 train,✈️ plane travel,⛵ sail boat,🏖️ holiday beach,⚽ football,🏆 win trophy,🎵 music,🏁 finish`
  .split(/[,\n]/).map(entry => {
    const at = entry.indexOf(" ")
    return {emoji: entry.slice(0, at), words: entry.slice(at + 1)}
  })

const KEY = "nexus-emoji"
const recent = () => (localStorage.getItem(KEY) ?? "").split(" ").filter(Boolean)
const used = emoji => localStorage.setItem(KEY, [emoji, ...recent().filter(e => e !== emoji)].slice(0, 16).join(" "))
const COLUMNS = 8

// On wide screens beside the anchor, on narrow ones at the bottom.
const popup = (anchor, {label, class: name = "", render}) => {
  const before = document.activeElement
  const dialog = document.createElement("dialog")
  dialog.className = `popup ${name}`
  dialog.setAttribute("aria-label", label)
  document.body.append(dialog)
  const close = () => dialog.close()
  const update = () => patch(dialog, render(close, update))
  update()
  dialog.addEventListener("click", event => event.target === dialog && close())
  dialog.addEventListener("close", () => {
    dialog.remove()
    if (before?.isConnected && (document.activeElement === document.body || !document.activeElement)) before.focus({preventScroll: true})
  })
  dialog.showModal()
  if (anchor?.isConnected && innerWidth > 640) {
    const box = anchor.getBoundingClientRect(), own = dialog.getBoundingClientRect()
    const isLeftToRight = getComputedStyle(anchor).direction === "ltr"
    const left = isLeftToRight ? box.right - own.width : box.left
    const top = box.bottom + 4 + own.height < innerHeight ? box.bottom + 4 : box.top - own.height - 4
    dialog.classList.add("placed")
    dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - own.width - 8))}px`
    dialog.style.top = `${Math.max(8, Math.min(top, innerHeight - own.height - 8))}px`
  }
  return {close, dialog, update}
}

const move = event => {
  const all = [...event.currentTarget.children]
  const at = all.indexOf(document.activeElement)
  const forth = getComputedStyle(event.currentTarget).direction === "ltr" ? 1 : -1
  const to = {ArrowDown: at + COLUMNS, ArrowUp: at - COLUMNS, ArrowRight: at + forth, ArrowLeft: at - forth, Home: 0, End: all.length - 1}[event.key]
  if (to === undefined) return
  event.preventDefault()
  all[Math.max(0, Math.min(to, all.length - 1))].focus()
}

export const pickEmoji = (anchor, choose) => {
  let query = ""
  const first = recent()
  const sorted = [...first.map(emoji => list.find(e => e.emoji === emoji)).filter(Boolean), ...list.filter(e => !first.includes(e.emoji))]
  const {dialog, close, update} = popup(anchor, {label: t("chat.emoji"), class: "emojis", render: () => {
    const words = query.toLowerCase().split(/\s+/)
    const shown = sorted.filter(e => words.every(word => e.words.includes(word)))
    const take = emoji => {
      used(emoji)
      close()
      choose(emoji)
    }
    return [
      h("input", {type: "search", "aria-label": t("chat.findEmoji"), placeholder: t("chat.findEmoji"), autofocus: true, on: {
        input: event => { query = event.target.value; update() },
        keydown: event => {
          if (event.key === "Enter" && shown[0]) { event.preventDefault(); take(shown[0].emoji) }
          else if (event.key === "ArrowDown") { event.preventDefault(); dialog.querySelector(".grid button")?.focus() }
        }}}),
      h("div", {class: "grid", on: {keydown: move}}, shown.map(({emoji, words}, i) =>
        h("button", {key: emoji, type: "button", tabindex: i ? -1 : 0, title: words, "aria-label": `${emoji} ${words}`, on: {click: () => take(emoji)}}, emoji))),
      !shown.length && h("p", {class: "quiet"}, t("chat.noEmoji")),
    ]
  }})
}
