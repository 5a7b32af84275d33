import * as z from 'zod/mini'
import { endpoint, Problem } from './endpoint.ts'
import { Instant, Uuid } from './fields.ts'
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
