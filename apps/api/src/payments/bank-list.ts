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
  /** The bank, if it takes the currency. Throws 'unavailable' where nobody could tell: a country's list is not to be had. */
  find: (id: string, currency: Bank['currency']) => Promise<Bank | undefined>
}

const FRESH_MS = 10 * 60_000

const Listed = z.array(z.object({ id: text, name: z.string() }))

type Source = { gate: GateClient; settings: Pick<Settings, 'bankCountries'> }

export const createBankList = ({ gate, settings }: Source): BankList => {
  /** By country: of one that does not answer, the old list is better than none. The gateway refuses a bank that is gone. */
  const known = new Map<string, Bank[]>()
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
    const lists = await Promise.all(
      settings.bankCountries.map(async (country) => ({ country, banks: await banksOf(country) })),
    )
    for (const { country, banks } of lists) if (banks) known.set(country, banks)
    if (lists.every(({ banks }) => banks)) readAt = Date.now()
  }

  const list = async () => {
    if (Date.now() - readAt > FRESH_MS) {
      reading ??= read().finally(() => {
        reading = undefined
      })
      await reading
    }
    if (known.size === 0) throw new Problem('unavailable')
    return settings.bankCountries.flatMap((country) => known.get(country) ?? [])
  }

  return {
    list,
    find: async (id, currency) => {
      const bank = (await list()).find((one) => one.id === id && one.currency === currency)
      const isMissing = settings.bankCountries.some(
        (country) => BANK_COUNTRIES[country]?.currency === currency && !known.has(country),
      )
      if (!bank && isMissing) throw new Problem('unavailable')
      return bank
    },
  }
}
