import { isoDay } from '@hedgerow/domain/dates'
import type { RateKind } from '#sales/invoices/set-accounting-rate.ts'

/** `when`: a month of HMRC's, or a day of the European Central Bank's. */
export type WantedRate = { kind: RateKind; currency: string; when: string }

const wordsOf = ({ kind, currency, when }: WantedRate): string =>
  kind === 'sterling'
    ? `HMRC’s rate of ${currency} for ${when}`
    : `the European Central Bank’s rate of ${currency} of ${when}, or of the next day that it was published`

/** Of a quarter that is not over, there is no rate yet. */
const hintOf = (wanted: readonly WantedRate[]): string =>
  wanted.some(({ kind, when }) => kind === 'ecb' && when > isoDay(new Date()))
    ? ' That quarter is not over: ask again once its last rate is published.'
    : ''

/** A return cannot be made: rates are missing. Its message names each. */
export class MissingRate extends Error {
  override name = 'MissingRate'
  readonly wanted: readonly WantedRate[]

  constructor(wanted: readonly WantedRate[]) {
    super(`This needs ${wanted.map(wordsOf).join(', and ')}, which is to be set first.${hintOf(wanted)}`)
    this.wanted = wanted
  }
}
