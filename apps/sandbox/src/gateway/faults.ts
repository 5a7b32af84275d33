export const SALE_FAULTS = ['none', '500', 'hang', 'drop-after-accept'] as const
export type SaleFault = (typeof SALE_FAULTS)[number]

/** What can be made to go wrong. Everything is off at the start and nothing is kept over a restart. */
export type Faults = {
  duplicateCallbacks: number
  dropCallbacks: boolean
  callbackDelayMs: number | null
  reorderCallbacks: boolean
  forgeCallbacks: boolean
  failSales: SaleFault
  /** The share of sales that failSales strikes. */
  failRate: number
  secondChallenge: boolean
}

export const NO_FAULTS: Readonly<Faults> = {
  duplicateCallbacks: 0,
  dropCallbacks: false,
  callbackDelayMs: null,
  reorderCallbacks: false,
  forgeCallbacks: false,
  failSales: 'none',
  failRate: 1,
  secondChallenge: false,
}

type Checks = { [Key in keyof Faults]: (value: unknown) => boolean }

const isFlag = (value: unknown) => typeof value === 'boolean'
const isWhole = (max: number) => (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max

const CHECKS: Checks = {
  duplicateCallbacks: isWhole(10),
  dropCallbacks: isFlag,
  callbackDelayMs: (value) => value === null || isWhole(600_000)(value),
  reorderCallbacks: isFlag,
  forgeCallbacks: isFlag,
  failSales: (value) => SALE_FAULTS.includes(value as SaleFault),
  failRate: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  secondChallenge: isFlag,
}

/** Takes over what is named and leaves the rest; returns the name of a wrong one and then changes nothing. */
export const changeFaults = (faults: Faults, changes: object): string | undefined => {
  for (const [name, value] of Object.entries(changes)) {
    if (!Object.hasOwn(CHECKS, name) || !CHECKS[name as keyof Faults](value)) return name
  }
  Object.assign(faults, changes)
  return undefined
}

/** The same from the front page, where everything is text and an unticked box is not sent at all. */
export const faultsFromForm = (form: Record<string, string>): object => ({
  duplicateCallbacks: Number(form.duplicateCallbacks),
  dropCallbacks: form.dropCallbacks === 'on',
  callbackDelayMs: form.callbackDelayMs ? Number(form.callbackDelayMs) : null,
  reorderCallbacks: form.reorderCallbacks === 'on',
  forgeCallbacks: form.forgeCallbacks === 'on',
  failSales: form.failSales,
  failRate: Number(form.failRate),
  secondChallenge: form.secondChallenge === 'on',
})

export const faultOfSale = (faults: Faults): SaleFault =>
  faults.failSales !== 'none' && Math.random() < faults.failRate ? faults.failSales : 'none'
