import * as z from 'zod/mini'
import { endpoint, Problem } from './endpoint.ts'
import { Promocode } from './fields.ts'
import { routes } from './routes.ts'

/** An account of a partner in one currency, in its units. */
const Balance = z.object({ currency: z.enum(['EUR', 'GBP']), available: z.number(), pending: z.number() })

const Level = z.object({ level: z.int(), transactions: z.int(), percentage: z.int() })

/** What a customer sees of their partnership (spec §2, Partnership tab). */
export const Partnership = z.object({
  level: z.int(),
  /** How often the promocode was used to pay. */
  usedPromocodes: z.int(),
  /** How often the referral link was followed. */
  crossings: z.int(),
  /** The share of each transaction. */
  percentage: z.int(),
  balances: z.array(Balance),
  /** In units of each currency. */
  minimumWithdrawal: z.number(),
  promocode: z.string(),
  referralLink: z.string(),
  /** Completed payments that count towards the level. */
  transactions: z.int(),
  /** Left out on the highest level. */
  nextLevel: z.optional(Level),
})
export type Partnership = z.infer<typeof Partnership>

export const getPartnership = endpoint({
  ...routes.getPartnership,
  access: 'signed-in',
  summary: "The account's partnership: level, share, link and what came of it",
  schema: { response: { 200: Partnership, 401: Problem } },
})

export const countCrossing = endpoint({
  ...routes.countCrossing,
  access: 'anyone',
  summary: 'Count that a referral link was followed; answers alike whether or not the code exists',
  schema: {
    body: z.object({ code: Promocode }),
    response: { 200: z.object({}), 422: Problem, 429: Problem },
  },
})
