import { type Faults, NO_FAULTS } from '@hedgerow/sandbox/gateway/faults'

/** All that can go wrong at a gateway at once; each heeds what it knows. */
const FAULTS: Partial<Faults> = {
  callbackFormat: 'mixed',
  dropCallbacks: 0.12,
  duplicateCallbacks: 3,
  duplicateRate: 0.3,
  lateCallbacks: 0.15,
  lateFromMs: 300,
  lateToMs: 5_000,
  reorderCallbacks: 0.3,
  forgeCallbacks: 0.15,
  wrongSums: 0.1,
  failCalls: 0.05,
  hangCalls: 0.008,
  dropCallsBeforeAccept: 0.05,
  dropCallsAfterAccept: 0.06,
  hideStatus: 0.1,
  hideStatusMs: 2_000,
  secondChallenge: 0.1,
  endExpired: 0.02,
  endCancelled: 0.02,
  endWithInternalError: 0.02,
  endWithExternalError: 0.02,
  endReversed: 0.02,
  payOtherSums: 0.04,
  endPartlyPaid: 0.03,
  confirmLater: 0.06,
  confirmNever: 0.3,
  confirmAfterMs: 3_000,
}

/** Each has switches of its own. */
const GATEWAYS = ['gate', 'stripe', 'btcpay'] as const

const put = async (sandboxUrl: string, faults: Partial<Faults>): Promise<void> => {
  for (const gateway of GATEWAYS) {
    const response = await fetch(`${sandboxUrl}/${gateway}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    })
    if (!response.ok) throw new Error(`The faults were not taken: ${await response.text()}`)
  }
}

export const faultsOn = (sandboxUrl: string, seed: number): Promise<void> =>
  put(sandboxUrl, { ...FAULTS, seed: `torture ${seed}` })

/** No call is answered any more. */
export const hangOn = (sandboxUrl: string): Promise<void> => put(sandboxUrl, { hangCalls: 1 })

export const hangOff = (sandboxUrl: string): Promise<void> =>
  put(sandboxUrl, { hangCalls: FAULTS.hangCalls ?? 0 })

export const faultsOff = (sandboxUrl: string): Promise<void> => put(sandboxUrl, { ...NO_FAULTS })

/** How often each has struck, at which gateway. */
export const readStruck = async (sandboxUrl: string): Promise<Record<string, number>> => {
  const all = GATEWAYS.map(async (gateway) => {
    const struck = (await (await fetch(`${sandboxUrl}/${gateway}/faults/struck`)).json()) as object
    return Object.entries(struck).map(([name, times]): [string, number] => [`${gateway}: ${name}`, times])
  })
  return Object.fromEntries((await Promise.all(all)).flat())
}
