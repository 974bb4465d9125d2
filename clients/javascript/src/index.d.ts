import type * as Wire from "./wire.js"
export * from "./wire.js"

/** Why a session is over. */
export type SignedOutReason = "person" | "sessionEnded" | "accountDisabled" | "tokenRefused" | "erased"

/** A request that failed. */
export class NexusError extends Error {
  constructor(status: number, problem?: {code?: string; detail?: string; field?: string; retryAfter?: number})
  /** The status of the reply; 0 if the server was not reached. */
  readonly status: number
  /** A stable word: the server's, or `unreachable`, `timed_out`, `unreadable`, `incomplete`, `token_unavailable`, `closed`, `discarded`. */
  readonly code: string
  /** For developers; empty if the server said nothing. */
  readonly detail: string
  /** The field that is wrong. */
  readonly field?: string
  /** Seconds after which the server wants to be asked again, or 0. */
  readonly retryAfter: number
  /** The id of the message that was not sent: `post` it again with this id, and it is stored once. */
  readonly localId?: string
  /** Whether the same request can succeed later. */
  readonly isTransient: boolean
}

/** The session is over: the person has to sign in again. A function that gives tokens throws it to end the session. */
export class SignedOutError extends NexusError {
  constructor(reason: SignedOutReason)
  readonly reason: SignedOutReason
}

/** Keeps what renews a session where nobody else can read it; Node only, because a browser keeps its cookie itself. */
export interface Keep {
  load(): Promise<string | null> | string | null
  save(value: string): Promise<void> | void
}

/**
 * Keeps what waits to be sent: texts by key, in the storage of a page, IndexedDB, files or a `Map`. The client makes one call
 * after the other.
 */
export interface Store {
  entries(): Promise<Iterable<[key: string, value: string]>> | Iterable<[key: string, value: string]>
  set(key: string, value: string): unknown
  delete(key: string): unknown
}

/** Keeps it in the storage of a page, by default `localStorage`. */
export class WebStore implements Store {
  constructor(storage?: Storage, prefix?: string)
  entries(): Array<[key: string, value: string]>
  set(key: string, value: string): void
  delete(key: string): void
}

/** A sign-in with OpenID Connect that has begun. */
export interface OpenIDSignIn {
  /** The address to open in a browser. */
  url: string
  /** Ties the sign-in to this device: keep it from others. */
  binding: string
}

export interface ClientOptions {
  /** Milliseconds for which a request is repeated if that does no harm; 30,000 by default. `Infinity` waits for a connection. */
  retryFor?: number
  /** Milliseconds that a reply may take; 60,000 by default. */
  timeout?: number
}

export interface RequestOptions extends ClientOptions {
  /** An object that is sent as JSON, or the bytes of a file. */
  body?: unknown
  query?: Record<string, string | number | boolean | null | undefined>
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Whether the request may be repeated if its reply is lost. By default all but POST and PATCH may. */
  isSafe?: boolean
}

/** A message to send: a text, or what it has. The client makes the `localId`. */
export type Draft = string | Pick<Wire.NewMessage, "text" | "replyTo" | "threadRoot" | "attachments" | "extra" | "localId">

export interface Posted {
  messageId: string
  seq: number
  localId: string
  status: string
}

export type ItemKind = "action-items" | "decisions" | "deadlines"
export interface Items {
  "action-items": {page: Wire.ActionItemPage; item: Wire.ActionItem; change: Wire.ActionItemChange; found: Wire.ActionItemExtraction}
  decisions: {page: Wire.DecisionPage; item: Wire.Decision; change: Wire.DecisionChange; found: Wire.DecisionExtraction}
  deadlines: {page: Wire.DeadlinePage; item: Wire.Deadline; change: Wire.DeadlineChange; found: Wire.DeadlineExtraction}
}

/** `conversationId` asks the assistant of that conversation, which takes `timeZone` and `language` only. */
export interface AskOptions extends Partial<Omit<Wire.Question, "question" | "userId">> {
  conversationId?: string
  language?: string
  signal?: AbortSignal
}

/** A person at a server. */
export class Nexus {
  /**
   * `token` is a token, or a function that gives one (it gets the refused one, or null; no token ends the session).
   * `as` names the person to a server that needs no sign-in, or for a key `read-as-user`.
   */
  constructor(url: string, options?: ClientOptions & {
    as?: string
    token?: string | ((refused: string | null) => Promise<string | null> | string | null)
  })

  static signIn(url: string, options: ClientOptions & {userId: string; password: string; keep?: Keep}): Promise<Nexus>
  /** Sets the password with the code of a link, and signs in. */
  static acceptInvitation(url: string, options: ClientOptions & {code: string; password: string; name?: string; keep?: Keep}): Promise<Nexus>
  /**
   * Begins to sign in with the server's OpenID Connect service, in a program that sees the addresses that its browser window
   * opens. Throws the code `sign_in_not_configured` if the server has no such service.
   */
  static beginOpenID(url: string): Promise<OpenIDSignIn>
  /**
   * Signs in. `redirectedTo` is the address to which the service sends the browser: `/v1/session/oidc/callback` of the server
   * with a query. Take it before the browser opens it, at most 10 minutes after the beginning.
   */
  static finishOpenID(url: string, options: ClientOptions & {begun: OpenIDSignIn; redirectedTo: string | URL; keep?: Keep}): Promise<Nexus>
  /** Where a page of the server's own origin begins to sign in with OpenID Connect; it comes back to `/`, and calls `resume`. */
  static openIDAddress(url: string): string
  /** Continues the session that the browser, or `keep`, has. Throws SignedOutError if there is none. */
  static resume(url: string, options?: ClientOptions & {keep?: Keep}): Promise<Nexus>
  static methods(url: string): Promise<Wire.SignInMethods>

  /** Why the session is over, or null. */
  readonly signedOut: SignedOutReason | null
  /** Calls the listener once, when the session ends; returns a function that ends this. */
  onSignedOut(listener: (reason: SignedOutReason) => void): () => void
  /** Ends the session here and on the server; false if the server could not be reached. */
  signOut(): Promise<boolean>
  me(options?: RequestOptions): Promise<Wire.SessionUser>
  userId(options?: RequestOptions): Promise<string>
  sessions(): Promise<Wire.AccountSession[]>
  endSession(id: string): Promise<void>
  changePassword(change: {current: string; next: string}): Promise<void>

  /** Any request, also for what is newer than this library: `["conversations", id, "name"]` or `"/v1/…"`. */
  request<Reply = unknown>(method: string, path: string | Array<string | number>, options?: RequestOptions): Promise<Reply>

  sync(): Promise<Wire.Sync>
  feed(options?: FeedOptions): Feed
  /** Follows everything that the person sees. Close it at the end. */
  chat(options?: FeedOptions & {
    /** Where what waits to be sent survives the end of the program; by default only in memory. */
    store?: Store
  }): Chat

  conversations(query?: {q?: string; limit?: number; after?: string}): Promise<Wire.OwnConversationPage>
  conversation(id: string): Promise<Wire.Conversation>
  /** The direct conversation with a person; it is made if there is none. */
  direct(userId: string): Promise<Wire.Conversation>
  /** Name the person who asks too, as a member. */
  createGroup(name: string, members?: Array<string | {userId: string; name?: string}>, options?: {history?: "all" | "joined"; timeZone?: string}): Promise<Wire.Conversation>
  rename(id: string, name: string): Promise<void>
  setPreferences(id: string, changes: Omit<Wire.PreferencesChange, "userId">): Promise<Wire.Preferences>
  setHistory(id: string, history: "all" | "joined"): Promise<void>
  members(id: string, query?: {limit?: number; after?: string}): Promise<Wire.MemberPage>
  addMember(id: string, userId: string, member?: {name?: string}): Promise<void>
  removeMember(id: string, userId: string): Promise<void>
  leave(id: string): Promise<void>
  setRole(id: string, userId: string, role: "member" | "admin"): Promise<void>
  /** Finds people by the beginning of a word of the name or id. */
  people(q: string, query?: {limit?: number}): Promise<Wire.FoundPerson[]>

  /** Newest first. */
  messages(id: string, query?: {limit?: number; before?: string; after?: string; around?: string; at?: string}): Promise<Wire.MessagePage>
  message(id: string, messageId: string): Promise<Wire.Message>
  replies(id: string, messageId: string, query?: {limit?: number; after?: string}): Promise<Wire.ReplyPage>
  /** Sends a message once, however often it is tried; those of one conversation in the order of the calls. */
  post(id: string, draft: Draft, options?: ClientOptions & {signal?: AbortSignal}): Promise<Posted>
  edit(id: string, messageId: string, change: string | {text?: string; attachments?: string[]}): Promise<Wire.Message>
  delete(id: string, messageId: string): Promise<void>
  react(id: string, messageId: string, emoji: string): Promise<void>
  unreact(id: string, messageId: string, emoji: string): Promise<void>
  reactions(id: string, messageId: string): Promise<Wire.ReactionList["reactions"]>
  /** Marks a message and all earlier ones. */
  markRead(id: string, messageId: string): Promise<void>
  /** Marks a message and all later ones. */
  markUnread(id: string, messageId: string): Promise<void>
  /** How far each member has read and received. */
  receipts(id: string): Promise<Wire.Receipt[]>
  /** Who has read and received a message. */
  receipts(id: string, messageId: string): Promise<Wire.MessageReceipts>

  /** Nobody else sees what a person saved. */
  save(id: string, messageId: string, reminder?: {remindAt: string | null}): Promise<void>
  endSaving(id: string, messageId: string): Promise<void>
  /** The last saved first; `next` of a page is the `before` of the next one. */
  saved(query?: {limit?: number; before?: number; reminders?: boolean}): Promise<Wire.SavedMessagePage>
  /** Messages to be sent later, the next one first; nobody else sees them before. */
  scheduled(): Promise<Wire.ScheduledMessage[]>
  scheduledPage(page?: {limit?: number, after?: string}): Promise<{messages: Wire.ScheduledMessage[], limit: number, next?: string}>
  schedule(id: string, message: Omit<Wire.NewScheduledMessage, "userId">): Promise<Wire.ScheduledMessage>
  changeScheduled(id: string, changes: Omit<Wire.ScheduledMessageChange, "userId">): Promise<Wire.ScheduledMessage>
  sendScheduled(id: string): Promise<void>
  deleteScheduled(id: string): Promise<void>

  notifications(): Promise<Wire.Notification[]>
  /** All of them without `ids`. */
  dismissNotifications(ids?: number[]): Promise<void>
  settings(): Promise<Wire.PersonalSettings>
  changeSettings(changes: Omit<Wire.PersonalSettingsChange, "userId">): Promise<Wire.PersonalSettings>
  registerDevice(device: Omit<Wire.NewPushDevice, "userId">): Promise<Wire.PushDevice>
  devices(): Promise<Wire.PushDevice[]>
  removeDevice(id: string): Promise<void>

  /** Stores a file for a message: `attachments: [file.id]`. */
  upload(body: Blob | ArrayBuffer | ArrayBufferView, options?: {name?: string; type?: string; signal?: AbortSignal}): Promise<Wire.StoredFile>
  download(id: string, options?: {signal?: AbortSignal}): Promise<Blob>
  deleteFile(id: string): Promise<void>
  fileUse(): Promise<Wire.FileUse>

  search(query: string, filters?: Partial<Omit<Wire.Search, "query" | "userId">>, options?: {signal?: AbortSignal}): Promise<Wire.SearchResults>
  /** What messages state about a subject, newest first, with what later ones replace. */
  timeline(subject: string, filters?: Partial<Omit<Wire.TimelineRequest, "subject" | "userId">>, options?: {signal?: AbortSignal}): Promise<Wire.Timeline>
  /** Says that a message replaced an earlier one, that the earlier one still holds, or takes back what was said. */
  setVerdict(verdict: Omit<Wire.NewVerdict, "userId">, options?: {signal?: AbortSignal}): Promise<void>
  ask(question: string, options?: AskOptions): Asking
  summarize(id: string, options?: Omit<Wire.SummaryRequest, "userId"> & {signal?: AbortSignal}): Asking
  turns(query?: {limit?: number; before?: string; threadId?: string}): Promise<Wire.TurnPage>
  rate(turnId: string, rating: "up" | "down", reason?: string): Promise<void>

  /** Of one conversation, or of all. */
  items<Kind extends ItemKind>(kind: Kind, query?: {conversationId?: string} & Record<string, string | number | undefined>): Promise<Items[Kind]["page"]>
  /** Reads what is new in a conversation. It needs a language model and may take minutes. */
  extractItems<Kind extends ItemKind>(kind: Kind, id: string, fields?: {timeZone?: string}): Promise<Items[Kind]["found"]>
  changeItem<Kind extends ItemKind>(kind: Kind, id: string, itemId: string, changes: Items[Kind]["change"]): Promise<Items[Kind]["item"]>
  deleteItem(kind: ItemKind, id: string, itemId: string): Promise<void>
}

export type AskEvent =
  /** The messages that were found, before the model is asked. */
  | {type: "sources"; sources: Wire.Source[]}
  /** How much of the prompt the model has read, 0 to 1. */
  | {type: "reading"; share: number}
  /** Parts of a long conversation that were summarized. */
  | {type: "progress"; part: number; parts: number}
  | {type: "text"; text: string}
  | {type: "citation"; citation: Wire.Citation}
  /** The checked answer: it replaces the text and the citations that came before. */
  | {type: "support"; answer: string; citations: Wire.Citation[]; sentences: Wire.AnswerSentence[]}
  /** A later message says something else than this source. */
  | {type: "outdated"; source: Wire.Source; by: {conversationId: string; messageId: string}}
  | {type: "done"; answer: Wire.Answer}

/** A question: what comes, piece by piece. The request begins with the first read; leaving the loop stops the model. */
export interface Asking extends AsyncIterableIterator<AskEvent> {
  /** Reads to the end, and returns the whole answer. */
  answer(): Promise<Wire.Answer>
}

export interface FeedOptions {
  /** Where to resume; without it a snapshot comes first. */
  cursor?: string | null
  /** An id of this device that stays the same, for delivery receipts. */
  device?: string
  /** `auto`: a socket if there are WebSockets here and the network lets them through, else server-sent events. */
  transport?: "auto" | "socket" | "events"
  /** Whether the person counts as present. */
  isActive?: boolean
  signal?: AbortSignal
}

export type FeedEvent =
  /** Everything at one moment: it replaces what the app has. */
  | {type: "snapshot"; snapshot: Wire.Sync; cursor: string}
  /** Present states, which may be applied twice. Load the messages of `limited` conversations again. */
  | {type: "changes"; changes: Wire.FeedChange[]; limited: string[]; cursor: string}
  | {type: "connection"; state: "connecting" | "live" | "offline"; retryAt?: number; error?: unknown}
  | Wire.PresenceMessage | Wire.TypingMessage | Wire.DeltaMessage | Wire.ErrorMessage

/** What changes for the person, over broken connections. Throws SignedOutError when the session is over. */
export class Feed implements AsyncIterableIterator<FeedEvent> {
  /** Of the last event that was applied: asking for the next event says so. Keep it to resume. */
  readonly cursor: string | null
  next(): Promise<IteratorResult<FeedEvent>>
  return(): Promise<IteratorResult<FeedEvent>>
  [Symbol.asyncIterator](): Feed
  close(): void
  /** This conversation is on the screen; without an id, none. */
  open(conversationId?: string): void
  /** The person types. Call it for each key: it is said at most every three seconds. */
  typing(conversationId: string, isTyping?: boolean): void
  /** Asks for the presence of people with whom the person shares a conversation. */
  watch(userIds: string[]): void
  /** Whether the person is at the device, or away. */
  active(isActive: boolean): void
}

/** A message of a Chat: one of the server, or an own one that is on its way. */
export type ShownMessage = (Wire.Message & {pending?: undefined}) | PendingMessage

/** An own message that the server does not have yet, or that it refused: then it has an `error`. */
export type PendingMessage =
  {pending: true; conversationId: string; localId: string; text?: string; id?: string; seq?: number; error?: unknown;
     replyTo?: string; threadRoot?: string; attachments?: unknown[]; extra?: Record<string, unknown>}

export interface ShownConversation extends Wire.OwnConversation {
  /** Of a group only after they changed: `nexus.members(id)` lists them. */
  members: Wire.Member[]
  /** Of an open conversation. */
  receipts: Wire.Receipt[]
}

/** What a person sees, kept up to date by one feed. */
export class Chat {
  /** Fulfilled by the first snapshot. */
  readonly ready: Promise<void>
  readonly feed: Feed
  readonly connection: {state: "connecting" | "live" | "offline" | "ended"; retryAt?: number; error?: unknown}
  readonly error: unknown
  readonly userId: string | null
  readonly notifications: Wire.Notification[]
  readonly settings: Wire.PersonalSettings | null
  /** Pinned ones first, then by last activity. */
  readonly conversations: ShownConversation[]
  /** Of all conversations that are not muted. */
  readonly unreadCount: number
  /** Calls the listener after each change with the ids of the conversations that changed; returns a function that ends this. */
  onChange(listener: (conversationIds: Set<string>) => void): () => void
  conversation(id: string): ShownConversation | undefined
  /** In order, from the first one that was loaded; own ones on their way last. */
  messages(id: string): ShownMessage[]
  /** What was not sent yet, in the order of writing; with an `error` what was refused. Also of conversations that are gone. */
  readonly waiting: PendingMessage[]
  hasOlder(id: string): boolean
  /** The tick of a message in an open conversation: how far it has come among the others. */
  delivery(id: string, messageId: string): "sent" | "delivered" | "read" | undefined
  /** Loads the newest messages, and says that the conversation is on the screen. */
  open(id: string): Promise<void>
  loadOlder(id: string): Promise<void>
  /** No conversation is on the screen. */
  leaveScreen(): void
  /** Shows a message at once, keeps it in the store, and sends it once as soon as there is a connection. */
  post(id: string, draft: Draft): Promise<Posted>
  /** Sends a message again that was refused. */
  retry(id: string, localId: string): Promise<Posted>
  discard(id: string, localId: string): void
  /** Marks everything that was loaded as read. */
  markRead(id: string): Promise<void>
  typists(id: string): string[]
  /** Of people named in `feed.watch`. */
  presence(userId: string): Wire.WatchedPerson | undefined
  /** Ends the feed, and the sending: what waits stays in the store. */
  close(): void
}
