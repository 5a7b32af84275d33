import {
  CONNECTION_NAME,
  CONNECTION_STATUSES,
  NEW_KEYS_A_DAY,
  NEW_KEYS_A_WEEK,
} from '@hedgerow/domain/connections'
import { FILE_FORMS } from '@hedgerow/domain/file-form'
import { KEYS_EVERY_DAYS } from '@hedgerow/domain/key-renewal'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { CURRENCY_CODES } from '@hedgerow/domain/money'
import { isPublicKey } from '@hedgerow/domain/public-keys'
import * as z from 'zod/mini'
import { BytesReply, endpoint } from './endpoint.ts'
import { FeaturesReply, FiltersReply, FiltersWithout, Instant, oneLine, PageQuery, Uuid } from './fields.ts'
import { machineRoutes } from './machine-routes.ts'
import { Obfuscation } from './obfuscation.ts'
import { routes } from './routes.ts'

/** What a configuration says. */
const Configuration = z.object({
  /** Empty where only the customer has it. */
  clientPrivateKey: z.string(),
  presharedKey: z.string(),
  /** IPv4 and IPv6 with their prefix lengths, separated by a comma. */
  address: z.string(),
  dns: z.string(),
  serverPublicKey: z.string(),
  allowedIPs: z.string(),
  endpoint: z.string(),
  /** Another port that its node answers on. Left out where there is none. */
  secondPort: z.optional(z.int()),
  /** What its file has for AmneziaWG apps, in the form for these. Left out where the shop offers none. */
  disguiseForApps: z.optional(
    z.object({ jc: z.int(), jmin: z.int(), jmax: z.int(), i1: z.optional(z.string()) }),
  ),
  /** Of its node, for networks that block WireGuard: only AmneziaWG apps reach it. Left out where WireGuard's do. */
  obfuscation: z.optional(Obfuscation),
  /** What its file is to say otherwise than these fields. Left out where it says the same. */
  fileForm: z.optional(z.array(z.enum(FILE_FORMS))),
  /** What its file is called: every client takes the name, and no other connection of the account has it. */
  fileName: z.string(),
})

const Location = z.object({ _id: z.string(), name: z.string() })

/** A bought connection with everything its configuration needs (spec §3). `expirationDate` null: it never expires. */
export const Connection = z.extend(Configuration, {
  _id: z.string(),
  name: z.string(),
  expirationDate: z.nullable(Instant),
  /** Its keys cannot be opened any more, and are left empty: new ones can be made. Left out where they can. */
  isUnreadable: z.optional(z.literal(true)),
  /** Its customer made its key, which the shop does not have: it can show no file and no code. Left out where it has it. */
  hasOwnKey: z.optional(z.literal(true)),
  status: z.enum(CONNECTION_STATUSES),
  /** What was bought. */
  features: FeaturesReply,
  /** Which of the bought filters are on. */
  filters: FiltersReply,
  /** The node it runs on, as customers know it. */
  location: Location,
  /** The location that was chosen, and had no room when it was made. Left out once it was moved. */
  insteadOf: z.optional(z.string()),
  /** For some time now its keys could have been used, and never were. Left out where that is not so. */
  isLongUnused: z.optional(z.literal(true)),
  /** Two devices seem to use it at once, and cut each other off. Left out where they do not. */
  isUsedTwice: z.optional(z.literal(true)),
  /** It can be extended: it has an end, and that is not long ago. */
  isRenewable: z.boolean(),
  /**
   * How days of it were bought last, to buy the same again: the plan, if that is still sold. Left out where nothing with an
   * end was bought.
   */
  lastBought: z.optional(
    z.object({
      days: z.int(),
      currency: z.enum(CURRENCY_CODES),
      plan: z.optional(z.object({ _id: z.string(), connections: z.int() })),
    }),
  ),
  /** Days that the shop added without a payment, the latest first. Left out where there are none. */
  givenDays: z.optional(z.array(z.object({ days: z.int(), at: Instant }))),
  /** Since when a link shows its configuration to anyone who has it. Null: there is none. */
  sharedAt: z.nullable(Instant),
  /** When that link ends by itself. */
  sharedUntil: z.nullable(Instant),
  /** A device may fetch its file from an address: since when, and how often it did. Left out where there is none. */
  fileAddress: z.optional(z.object({ createdAt: Instant, reads: z.int(), readAt: z.nullable(Instant) })),
  /**
   * Its keys are renewed every so many days. `nextOn`: the day, by London's calendar; null while its device still has the old
   * keys. `lastAt`: when they last were. Left out where they are not renewed.
   */
  keyRenewal: z.optional(
    z.object({
      everyDays: z.literal(KEYS_EVERY_DAYS),
      nextOn: z.nullable(z.string()),
      lastAt: z.nullable(Instant),
    }),
  ),
  /** Keys that were renewed wait for its device, which still has the old ones: these work until then. Left out where none do. */
  areKeysWaiting: z.optional(z.literal(true)),
  /** The payments that bought days of it and are within their 14 days, the latest first. Left out where there is none. */
  cancellable: z.optional(z.array(z.object({ paymentId: z.string(), until: Instant }))),
})
export type Connection = z.infer<typeof Connection>

export const listConnections = endpoint({
  ...routes.listConnections,
  access: 'signed-in',
  summary:
    "The account's connections, what is to be renewed first, then what ends next, what is over last; a hundred at once, and the header Link leads to the next",
  schema: { querystring: PageQuery, response: { 200: z.array(Connection) } },
})

const params = z.object({ connectionId: Uuid })

const DAY_MINUTES = 24 * 60

/** One count for both ways to new keys, and one that keeps an account from taking a node's addresses day after day. */
export const NEW_KEYS_LIMITS = [
  { calls: NEW_KEYS_A_DAY, minutes: DAY_MINUTES, by: 'customer', sharedAs: 'new-keys' },
  { calls: NEW_KEYS_A_WEEK, minutes: 7 * DAY_MINUTES, by: 'customer', sharedAs: 'new-keys-of-week' },
] as const

export const mailConnection = endpoint({
  ...routes.mailConnection,
  access: 'signed-in',
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 30, minutes: 60, by: 'customer' },
  ],
  summary:
    "Mail a connection's configuration, in the form that was chosen for its file, to the account's own address",
  schema: {
    params,
    response: { 200: z.object({}) },
  },
  problems: [404, 409],
})

/** What is left out stays as it is. */
export const SaveConnectionRequest = z.object({
  name: z.optional(oneLine(OUR_MESSAGES.connectionNameRequired, CONNECTION_NAME.max)),
  filters: z.optional(z.partial(FiltersReply)),
  fileForm: z.optional(z.array(z.enum(FILE_FORMS)).check(z.maxLength(FILE_FORMS.length))),
  /** How often its keys are renewed; null: no longer. A change asks who it is again. */
  keysEveryDays: z.optional(z.nullable(z.literal(KEYS_EVERY_DAYS, OUR_MESSAGES.keysEveryDays))),
})
export type SaveConnectionRequest = z.infer<typeof SaveConnectionRequest>

export const saveConnection = endpoint({
  ...routes.saveConnection,
  access: 'signed-in',
  limits: [
    { calls: 120, minutes: 10, by: 'address' },
    { calls: 600, minutes: 60, by: 'customer' },
  ],
  summary:
    'Rename a connection, switch the filters that were bought on or off, at once, say what its file is like, and how often its keys are renewed',
  schema: { params, body: SaveConnectionRequest, response: { 200: Connection } },
  problems: [404, 409],
})

/** Of a key that the customer has made. Left out: the shop makes one, and knows it. */
const PublicKey = z.string().check(z.trim(), z.refine(isPublicKey, OUR_MESSAGES.publicKey))

/** `cutOffOld`: for keys that someone else has. A call without a body is one that does not. */
const ReplaceKeysRequest = z.nullish(
  z.object({ cutOffOld: z.optional(z.boolean()), publicKey: z.optional(PublicKey) }),
)

export const replaceKeys = endpoint({
  ...routes.replaceKeys,
  access: 'signed-in',
  // And by what it is for: cutting off has a count of its own.
  limits: [
    { calls: 300, minutes: 10, by: 'address' },
    { calls: 300, minutes: 60, by: 'customer' },
  ],
  summary:
    'Give a connection new keys and end its link; the old keys work until the new are used, at most a day, or are cut off at once',
  schema: { params, body: ReplaceKeysRequest, response: { 200: Connection } },
  problems: [404, 409],
})

/** Where a connection may be, and where it is. */
export const ConnectionLocation = z.extend(Location, {
  isCurrent: z.boolean(),
  /** For networks that block WireGuard, with another app. Left out where it is not. */
  isObfuscated: z.optional(z.literal(true)),
  /** Those that the connection has switched on. It cannot be moved there with them. */
  without: FiltersWithout,
})
export type ConnectionLocation = z.infer<typeof ConnectionLocation>

export const listLocations = endpoint({
  ...routes.listLocations,
  access: 'signed-in',
  summary: 'The locations that a connection may move to, and its own',
  schema: { params, response: { 200: z.array(ConnectionLocation) } },
  problems: [404],
})

export const moveConnection = endpoint({
  ...routes.moveConnection,
  access: 'signed-in',
  limits: NEW_KEYS_LIMITS,
  summary:
    'Move a connection to another location, with new keys, or with the one that its customer made, and end its link',
  schema: {
    params,
    body: z.object({ location: z.uuid(OUR_MESSAGES.location), publicKey: z.optional(PublicKey) }),
    response: { 200: Connection },
  },
  problems: [404, 409],
})

export const shareConnection = endpoint({
  ...routes.shareConnection,
  access: 'signed-in',
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 60, minutes: 60, by: 'customer' },
  ],
  summary:
    "Create a link that shows a connection's configuration to anyone who has it, for seven days; an older one ends, and a mail says so",
  schema: {
    params,
    response: { 200: z.object({ url: z.string(), sharedAt: Instant, sharedUntil: Instant }) },
  },
  problems: [404, 409],
})

export const revokeShareLink = endpoint({
  ...routes.revokeShareLink,
  access: 'signed-in',
  limits: [
    { calls: 120, minutes: 10, by: 'address' },
    { calls: 300, minutes: 60, by: 'customer' },
  ],
  summary: "Withdraw the link that shows a connection's configuration",
  schema: { params, response: { 200: z.object({}) } },
  problems: [404],
})

export const makeFileAddress = endpoint({
  ...routes.makeFileAddress,
  access: 'signed-in',
  limits: [
    { calls: 30, minutes: 10, by: 'address' },
    { calls: 60, minutes: 60, by: 'customer' },
  ],
  summary:
    "Create the address from which a device fetches a connection's file without logging in; an older one ends, and a mail says so",
  schema: { params, response: { 200: z.object({ url: z.string(), createdAt: Instant }) } },
  problems: [404, 409],
})

export const endFileAddress = endpoint({
  ...routes.endFileAddress,
  access: 'signed-in',
  limits: [
    { calls: 120, minutes: 10, by: 'address' },
    { calls: 300, minutes: 60, by: 'customer' },
  ],
  summary: "Withdraw the address of a connection's file",
  schema: { params, response: { 200: z.object({}) } },
  problems: [404],
})

const LONGEST_TOKEN = 200

/** Devices send no body, so the secret is in the path: logs of proxies have to leave it out (deploy/nginx.conf). */
export const readConnectionFile = endpoint({
  ...machineRoutes.readConnectionFile,
  access: 'anyone',
  limits: [{ calls: 120, minutes: 10, by: 'address' }],
  summary: "A connection's file, in the form that was chosen for it, by its address",
  schema: {
    params: z.object({ file: z.string().check(z.maxLength(LONGEST_TOKEN)) }),
    response: { 200: BytesReply },
  },
  problems: [404],
})

/** All that a link tells. `configuration` null: the connection has expired. */
export const SharedConnection = z.object({
  name: z.string(),
  expirationDate: z.nullable(Instant),
  /** When the link ends. */
  sharedUntil: Instant,
  configuration: z.nullable(Configuration),
  /** Its keys can no longer be decrypted: then there is no configuration either. Left out where they can be opened. */
  isUnreadable: z.optional(z.literal(true)),
})
export type SharedConnection = z.infer<typeof SharedConnection>

/** The token rides in the body, and in the fragment of the link: neither is written to any server's log. */
export const readSharedConnection = endpoint({
  ...routes.readSharedConnection,
  access: 'anyone',
  limits: [{ calls: 120, minutes: 10, by: 'address' }],
  summary: 'The configuration that a link was made for',
  schema: {
    body: z.object({ token: z.string().check(z.maxLength(LONGEST_TOKEN)) }),
    response: { 200: SharedConnection },
  },
  problems: [404],
})
