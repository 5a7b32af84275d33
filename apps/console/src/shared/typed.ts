import { readAmount } from '@hedgerow/domain/money'
import { Mistyped } from '#shared/act.tsx'

/** A sum as it was typed; all that is left where nothing was. */
export const minorOf = (typed: string | undefined): number | undefined => {
  if (!typed) return undefined
  const minor = readAmount(typed)
  if (minor === undefined) throw new Mistyped('sum', 'Please enter an amount like 4.50.')
  return minor
}

/** A whole number from 1 on. */
export const wholeOf = (field: string, typed: string | undefined): number => {
  const whole = /^\d{1,6}$/.test(typed ?? '') ? Number(typed) : 0
  if (whole < 1) throw new Mistyped(field, 'Please enter a whole number.')
  return whole
}
