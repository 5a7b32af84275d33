import { describe, expect, test } from 'vitest'
import type { Endpoint, Limit } from './endpoint.ts'
import * as endpoints from './endpoints.ts'

const CALLS: (readonly [string, Endpoint])[] = Object.entries(endpoints).flatMap(([name, value]) =>
  typeof value === 'object' && 'url' in value ? [[name, value as Endpoint] as const] : [],
)
const limitsOf = ({ limits = [] }: Endpoint): readonly Limit[] => limits
const isWrite = ({ method }: Endpoint) => method !== 'GET'

/** What writes and has no limits of its own, and why it needs none. */
const WITHOUT: Readonly<Record<string, string>> = {
  agentChanges: 'an agent proves itself by 256 bits, and holds one question at a time',
  agentReport: 'the same; a report takes the place of the one before',
  agentArchive: 'the same; a piece is one row, and only of what is offered to that node',
  agentUpgradeReport: 'the same; of an upgrade that has ended nothing more is taken in',
  logout: 'ends what the call itself needs',
  paymentChallenge: 'a payment takes one answer of its issuer, under an id that nobody can guess',
  threeDsMethodDone: 'the same',
}

/** What is counted by account where it is done, because not every call counts alike. */
const COUNTED_WITHIN: Readonly<Record<string, string>> = {
  logout: WITHOUT.logout ?? '',
  prove: 'accounts/password-tries.ts',
}

/** What reads, and costs more than a look at the database: it lays out a document, or gathers all that there is. */
const COSTLY_READS = [
  'exportAccount',
  'getCommissionDocument',
  'getCreditNote',
  'getOrderInvoice',
  'previewCancellation',
]

describe('the limits of the contract', () => {
  test('there are none missing: every call that writes or mails has some', () => {
    const missing = CALLS.filter(
      ([name, call]) => isWrite(call) && limitsOf(call).length === 0 && !Object.hasOwn(WITHOUT, name),
    )
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test('every call that costs much has some by account', () => {
    for (const name of COSTLY_READS) {
      const [, call] = CALLS.find(([one]) => one === name) ?? []
      expect([name, call && limitsOf(call).some(({ by }) => by === 'customer')]).toEqual([name, true])
    }
  })

  test('what someone who is logged in writes is counted by account, from however many addresses', () => {
    const missing = CALLS.filter(
      ([name, call]) =>
        call.access === 'signed-in' &&
        isWrite(call) &&
        !Object.hasOwn(COUNTED_WITHIN, name) &&
        !limitsOf(call).some(({ by }) => by === 'customer'),
    )
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test('what anyone may write is counted by address', () => {
    const missing = CALLS.filter(
      ([, call]) =>
        call.access === 'anyone' && isWrite(call) && !limitsOf(call).some(({ by }) => by === 'address'),
    )
    expect(missing.map(([name]) => name)).toEqual([])
  })

  test('nothing is excepted that is not there', () => {
    const names = CALLS.map(([name]) => name)
    for (const name of [...Object.keys(WITHOUT), ...Object.keys(COUNTED_WITHIN)])
      expect(names).toContain(name)
  })
})
