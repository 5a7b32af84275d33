import { dayAfter } from '@hedgerow/domain/dates'
import { InvalidArgumentError, Option } from 'commander'

const A_DAY = 'A day is written like 2026-11-01.'

/** Noon of a day: whichever zone it is looked at from, it is that day. */
const readDay = (text: string): Date => {
  const noon = new Date(`${text}T12:00:00Z`)
  const isReal = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(noon.getTime())
  if (!isReal || !noon.toISOString().startsWith(text)) throw new InvalidArgumentError(A_DAY)
  return noon
}

export const FROM_OPTION = new Option('--from <day>', 'the first day, like 2026-11-01, in London')
  .argParser(readDay)
  .makeOptionMandatory()
export const TO_OPTION = new Option('--to <day>', 'the last day, with it')
  .argParser(readDay)
  .makeOptionMandatory()

export type PeriodOptions = { from: Date; to: Date }

/** From the beginning of the first day to the end of the last, in London; the end is not part of it. */
export const periodOf = ({ from, to }: PeriodOptions): PeriodOptions => ({
  from: dayAfter(from, 0),
  to: dayAfter(to, 1),
})
