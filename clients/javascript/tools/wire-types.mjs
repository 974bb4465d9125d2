// Writes src/wire.d.ts: the objects of the API as TypeScript, from the server's /openapi.json.
// `node tools/wire-types.mjs http://127.0.0.1:8080 > src/wire.d.ts`; scripts/conformance compares the two.
import {fileURLToPath} from "node:url"

const roots = [
  "Answer", "AnswerSentence", "Citation", "Source", "SearchResults", "SavedMessagePage", "ScheduledMessage", "NewScheduledMessage", "ScheduledMessageChange", "Turn", "TurnPage", "Sync", "OwnConversation",
  "OwnConversationPage", "Conversation", "MemberPage", "FoundPerson", "Message", "MessagePage", "ReplyPage", "Outcome",
  "Receipt", "MessageReceipts", "ReactionList", "Notification", "PersonalSettings", "PersonalSettingsChange", "Preferences",
  "PreferencesChange", "PushDevice", "NewPushDevice", "StoredFile", "FileUse", "FeedChange", "DeltaMessage", "TypingMessage",
  "PresenceMessage", "ErrorMessage", "ActionItem", "ActionItemChange", "ActionItemPage", "ActionItemExtraction", "Deadline",
  "DeadlineChange", "DeadlinePage", "DeadlineExtraction", "Decision", "DecisionChange", "DecisionPage", "DecisionExtraction",
  "SessionUser", "AccountSession", "SignInMethods", "NewMessage", "Question", "Search", "SummaryRequest", "Timeline", "TimelineRequest",
  "NewVerdict",
]
const OPEN = "(string & {})"

export const wireTypes = ({components: {schemas}}) => {
  const done = new Map()
  const waiting = [...roots]
  const name = ref => {
    const found = ref.split("/").at(-1)
    waiting.push(found)
    return found
  }
  const several = list => [...new Set(list.map(type))].join(" | ")
  const object = ({properties = {}, required = [], additionalProperties: more}, [start, between, end] = ["{", "; ", "}"]) => {
    const fields = Object.entries(properties).filter(([, value]) => !value.deprecated && Object.keys(value).length)
      .map(([key, value]) => `${key}${required.includes(key) ? "" : "?"}: ${type(value)}`)
    if (more) fields.push(`[name: string]: ${more === true ? "unknown" : type(more)}`)
    return fields.length ? start + fields.join(between) + end : "Record<string, unknown>"
  }
  const type = schema => {
    if (schema.$ref) return name(schema.$ref)
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    // A later server may know more words.
    if (schema.enum) return [...schema.enum.map(value => JSON.stringify(value)), OPEN].join(" | ")
    if (schema.oneOf ?? schema.anyOf) return several(schema.oneOf ?? schema.anyOf)
    if (Array.isArray(schema.type)) return several(schema.type.map(one => ({...schema, type: one})))
    if (schema.type === "array") return `Array<${type(schema.items ?? {})}>`
    if (schema.type === "object" || schema.properties) return object(schema)
    return {string: "string", integer: "number", number: "number", boolean: "boolean", null: "null"}[schema.type] ?? "unknown"
  }
  for (let next; (next = waiting.shift()); ) {
    if (done.has(next) || !schemas[next]) continue
    done.set(next, "")
    const schema = schemas[next]
    const isObject = schema.properties && !schema.oneOf && !schema.anyOf
    const lines = ["{\n  ", "\n  ", "\n}\n"]
    done.set(next, isObject
      ? `export interface ${next} ${object({...schema, properties: fixedType(schema)}, lines)}`
      : `export type ${next} = ${type(schema)}\n`)
  }
  const lines = [...done].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line).filter(Boolean)
  return ["// Written by tools/wire-types.mjs from the server's description. Do not edit.\n", ...lines].join("\n")
}

// `type` tells the members of a union apart, so it is closed.
const fixedType = ({properties}) =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) =>
    [key, key === "type" && value.enum?.length === 1 ? {const: value.enum[0]} : value]))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reply = await fetch(process.argv[2].replace(/\/$/, "") + "/openapi.json")
  process.stdout.write(wireTypes(await reply.json()))
}
