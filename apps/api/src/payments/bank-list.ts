import type { Bank } from '@hedgerow/contract/payment-steps'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import * as z from 'zod/mini'
import { Problem } from '#problems.ts'
import type { Settings } from '../settings.ts'
import type { GateClient } from './gate-client.ts'
import { text } from './gate-fields.ts'

/** The banks that the gateway names, kept for a while: the list changes seldom, and every checkout wants it. */
export type BankList = {
  /** Throws 'unavailable' when the gateway does not answer and nothing is remembered. */
  list: () => Promise<Bank[]>
}

const FRESH_MS = 10 * 60_000

const Listed = z.array(z.object({ id: text, name: z.string() }))

type Source = { gate: GateClient; settings: Pick<Settings, 'bankCountries'> }

export const createBankList = ({ gate, settings }: Source): BankList => {
  let known: Bank[] | undefined
  let readAt = 0
  let reading: Promise<void> | undefined

  const banksOf = async (country: string): Promise<Bank[] | undefined> => {
    const currency = BANK_COUNTRIES[country]?.currency
    if (!currency) return []
    const parsed = z.safeParse(Listed, await gate.banks(country, currency))
    return parsed.data
      ?.map((bank) => ({ id: bank.id, name: bank.name, country, currency }))
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))
  }

  const read = async () => {
    const lists = await Promise.all(settings.bankCountries.map(banksOf))
    const found = lists.flatMap((list) => list ?? [])
    if (lists.every((list) => list === undefined)) return
    known = found
    if (!lists.includes(undefined)) readAt = Date.now()
  }

  return {
    list: async () => {
      if (Date.now() - readAt > FRESH_MS) {
        reading ??= read().finally(() => {
          reading = undefined
        })
        await reading
      }
      // An old list is better than none: the gateway refuses a bank that is gone.
      if (!known) throw new Problem('unavailable')
      return known
    },
  }
}
