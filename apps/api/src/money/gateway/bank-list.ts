import type { Bank } from '@hedgerow/contract/payment-actions'
import { BANK_COUNTRIES } from '@hedgerow/domain/bank-countries'
import * as z from 'zod/mini'
import { text } from '#money/gateway/gate/gate-fields.ts'
import type { DirectGateway } from '#money/gateway/gateway.ts'
import { Problem } from '#platform/http/problems.ts'
import type { Settings } from '#platform/settings.ts'

/** The banks that the gateway names, kept for a while: the list changes seldom, and every checkout wants it. */
export type BankList = {
  /** Throws 'unavailable' when the gateway does not answer and nothing is remembered. */
  list: () => Promise<Bank[]>
  /** The bank, if it takes the currency. Throws 'banks-unknown' where a country's list could not be had. */
  find: (id: string, currency: Bank['currency']) => Promise<Bank | undefined>
}

const FRESH_MS = 10 * 60_000
/** After a list that could not be had. */
const TRY_AGAIN_MS = 15_000

const Listed = z.array(z.object({ id: text, name: z.string() }))

type Source = { gateway: Pick<DirectGateway, 'banks'>; settings: Pick<Settings, 'bankCountries'> }

const byName = (a: Bank, b: Bank) => a.name.localeCompare(b.name, 'en')

export const createBankList = ({ gateway, settings }: Source): BankList => {
  /** By country: one whose list cannot be had keeps its old one. */
  const known = new Map<string, Bank[]>()
  let readAgainAt = 0
  let reading: Promise<void> | undefined

  const readCountry = async (country: string): Promise<boolean> => {
    const currency = BANK_COUNTRIES[country]?.currency
    if (!currency) return true
    const { data } = z.safeParse(Listed, await gateway.banks(country, currency))
    if (data) {
      const banks = data.map(({ id, name }) => ({ id, name, country, currency }))
      known.set(country, banks.sort(byName))
    }
    return data !== undefined
  }

  const read = async () => {
    const areRead = await Promise.all(settings.bankCountries.map(readCountry))
    readAgainAt = Date.now() + (areRead.includes(false) ? TRY_AGAIN_MS : FRESH_MS)
  }

  const refresh = () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  const listed = async (): Promise<Bank[]> => {
    const isDue = Date.now() >= readAgainAt
    // An old list is better than none, and than waiting: the gateway refuses a bank that is gone.
    if (isDue && known.size > 0) void refresh()
    else if (isDue || reading) await refresh()
    return settings.bankCountries.flatMap((country) => known.get(country) ?? [])
  }

  return {
    list: async () => {
      const banks = await listed()
      if (known.size === 0 && settings.bankCountries.length > 0) throw new Problem('unavailable')
      return banks
    },
    find: async (id, currency) => {
      const bank = (await listed()).find((one) => one.id === id && one.currency === currency)
      const isMissing = settings.bankCountries.some(
        (country) => BANK_COUNTRIES[country]?.currency === currency && !known.has(country),
      )
      if (!bank && isMissing) throw new Problem('banks-unknown')
      return bank
    },
  }
}
