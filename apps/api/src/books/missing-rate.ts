import type { RateKind } from '#invoices/set-accounting-rate.ts'

/** `when`: a month of HMRC's, or a day of the European Central Bank's. */
export type WantedRate = { kind: RateKind; currency: string; when: string }

const wordsOf = ({ kind, currency, when }: WantedRate): string =>
  kind === 'sterling'
    ? `HMRC's rate of ${currency} for ${when} (rate sterling set ${currency} RATE --month ${when})`
    : `the European Central Bank's rate of ${currency} of ${when}, or of the next day that it was published (rate ecb set ${currency} RATE --day ${when})`

/** A return cannot be made: rates are missing. Its message names each, with the command that sets it. */
export class MissingRate extends Error {
  override name = 'MissingRate'
  readonly wanted: readonly WantedRate[]

  constructor(wanted: readonly WantedRate[]) {
    super(`Not without ${wanted.map(wordsOf).join(', and ')}.`)
    this.wanted = wanted
  }
}
