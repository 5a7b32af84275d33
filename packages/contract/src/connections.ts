import { CONNECTION_NAME, CONNECTION_STATUSES } from '@hedgerow/domain/connections'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import * as z from 'zod/mini'
import { endpoint, Problem } from './endpoint.ts'
import { FeaturesReply, FiltersReply, Instant, oneLine, Uuid } from './fields.ts'
import { routes } from './routes.ts'

/** What a configuration says. */
const Configuration = z.object({
  clientPrivateKey: z.string(),
  presharedKey: z.string(),
  /** IPv4 and IPv6 with their prefix lengths, separated by a comma. */
  address: z.string(),
  dns: z.string(),
  serverPublicKey: z.string(),
  allowedIPs: z.string(),
  endpoint: z.string(),
})

const Location = z.object({ _id: z.string(), name: z.string() })

/** A bought connection with everything its configuration needs (spec §3). `expirationDate` null: it never expires. */
export const Connection = z.extend(Configuration, {
  _id: z.string(),
  name: z.string(),
  expirationDate: z.nullable(Instant),
  status: z.enum(CONNECTION_STATUSES),
  /** What was bought. */
  features: FeaturesReply,
  /** Which of the bought filters are on. */
  filters: FiltersReply,
  /** The node it runs on, as customers know it. */
  location: Location,
  /** It can be extended: it has an end, and that is not long ago. */
  isRenewable: z.boolean(),
  /** Since when a link shows its configuration to whoever has it. Null: there is none. */
  sharedAt: z.nullable(Instant),
})
export type Connection = z.infer<typeof Connection>

const params = z.object({ connectionId: Uuid })

export const mailConnection = endpoint({
  ...routes.mailConnection,
  access: 'signed-in',
  summary: "Mail a connection's configuration to the account's own address",
  schema: {
    params,
    response: { 200: z.object({}), 401: Problem, 404: Problem, 409: Problem, 429: Problem },
  },
})

/** What is left out stays as it is. */
export const SaveConnectionRequest = z.object({
  name: z.optional(oneLine(OUR_MESSAGES.connectionNameRequired, CONNECTION_NAME.max)),
  filters: z.optional(z.partial(FiltersReply)),
})
export type SaveConnectionRequest = z.infer<typeof SaveConnectionRequest>

export const saveConnection = endpoint({
  ...routes.saveConnection,
  access: 'signed-in',
  summary: 'Rename a connection, and switch the filters that were bought on or off, at once',
  schema: {
    params,
    body: SaveConnectionRequest,
    response: { 200: Connection, 401: Problem, 404: Problem, 409: Problem, 422: Problem, 429: Problem },
  },
})

export const replaceKeys = endpoint({
  ...routes.replaceKeys,
  access: 'signed-in',
  summary: 'Give a connection new keys; the old ones work until the new are used, at most a day',
  schema: {
    params,
    response: { 200: Connection, 401: Problem, 404: Problem, 409: Problem, 429: Problem },
  },
})

/** Where a connection may be, and where it is. */
export const ConnectionLocation = z.extend(Location, { isCurrent: z.boolean() })
export type ConnectionLocation = z.infer<typeof ConnectionLocation>

export const listLocations = endpoint({
  ...routes.listLocations,
  access: 'signed-in',
  summary: 'The locations that a connection may move to, and its own',
  schema: { params, response: { 200: z.array(ConnectionLocation), 401: Problem, 404: Problem } },
})

export const moveConnection = endpoint({
  ...routes.moveConnection,
  access: 'signed-in',
  summary: 'Move a connection to another location, with new keys',
  schema: {
    params,
    body: z.object({ location: z.uuid(OUR_MESSAGES.location) }),
    response: { 200: Connection, 401: Problem, 404: Problem, 409: Problem, 422: Problem, 429: Problem },
  },
})

export const shareConnection = endpoint({
  ...routes.shareConnection,
  access: 'signed-in',
  summary: "Make a link that shows a connection's configuration to whoever has it; an older one ends",
  schema: {
    params,
    response: {
      200: z.object({ url: z.string() }),
      401: Problem,
      404: Problem,
      409: Problem,
      429: Problem,
    },
  },
})

export const revokeShareLink = endpoint({
  ...routes.revokeShareLink,
  access: 'signed-in',
  summary: "Withdraw the link that shows a connection's configuration",
  schema: { params, response: { 200: z.object({}), 401: Problem, 404: Problem, 429: Problem } },
})

const LONGEST_TOKEN = 200

/** All that a link tells. `configuration` null: the connection has expired. */
export const SharedConnection = z.object({
  name: z.string(),
  expirationDate: z.nullable(Instant),
  configuration: z.nullable(Configuration),
})
export type SharedConnection = z.infer<typeof SharedConnection>

/** The token rides in the body, and in the fragment of the link: neither is written to any server's log. */
export const readSharedConnection = endpoint({
  ...routes.readSharedConnection,
  access: 'anyone',
  summary: 'The configuration that a link was made for',
  schema: {
    body: z.object({ token: z.string().check(z.maxLength(LONGEST_TOKEN)) }),
    response: { 200: SharedConnection, 404: Problem, 422: Problem, 429: Problem },
  },
})
