import { CONNECTION_STATUSES } from '@hedgerow/domain/connections'
import * as z from 'zod/mini'
import { endpoint, Problem } from './endpoint.ts'
import { FeaturesReply, Instant, Uuid } from './fields.ts'
import { routes } from './routes.ts'

/** A bought connection with everything its configuration needs (spec §3). `expirationDate` null: it never expires. */
export const Connection = z.object({
  _id: z.string(),
  name: z.string(),
  expirationDate: z.nullable(Instant),
  clientPrivateKey: z.string(),
  presharedKey: z.string(),
  /** IPv4 and IPv6 with their prefix lengths, separated by a comma. */
  address: z.string(),
  dns: z.string(),
  serverPublicKey: z.string(),
  allowedIPs: z.string(),
  endpoint: z.string(),
  status: z.enum(CONNECTION_STATUSES),
  /** What was bought. */
  features: FeaturesReply,
  /** Which of the bought filters are on. */
  filters: z.object({ feature2: z.boolean(), feature3: z.boolean(), feature4: z.boolean() }),
  /** The node it runs on, as customers know it. */
  location: z.object({ _id: z.string(), name: z.string() }),
  /** It can be extended: it has an end, and that is not long ago. */
  isRenewable: z.boolean(),
  /** Since when a link shows its configuration to whoever has it. Null: there is none. */
  handedOnAt: z.nullable(Instant),
})
export type Connection = z.infer<typeof Connection>

export const mailConnection = endpoint({
  ...routes.mailConnection,
  access: 'signed-in',
  summary: "Mail a connection's configuration to the account's own address",
  schema: {
    params: z.object({ connectionId: Uuid }),
    response: { 200: z.object({}), 401: Problem, 404: Problem, 409: Problem, 429: Problem },
  },
})
