import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { machineRoutes } from './machine-routes.ts'

/** The gateway sends it once a day, unsigned: a stranger may say the same, and learns nothing. */
export const chargebackNotice = endpoint({
  ...machineRoutes.chargebackNotice,
  access: 'anyone',
  limits: [{ calls: 20, minutes: 10, by: 'address' }],
  summary: 'Notice of chargebacks, unsigned; the shop then asks the gateway itself',
  bodyBytes: 64 * 1024,
  schema: { body: z.record(z.string(), z.unknown()), response: { 200: z.object({}) } },
})
