import { DAY_MS } from '@hedgerow/domain/dates'
import { parseInvoiceNumber } from '@hedgerow/domain/invoices'
import { type Command, InvalidArgumentError, Option } from 'commander'

/** The options that several commands have, said once. */
export const JSON_OPTION = new Option('--json', 'for programs: print one JSON document')
/** For both ways in which the shop goes back to an older state. */
export const KEEP_WAYS_IN_OPTION = new Option(
  '--keep-ways-in',
  'nothing was withdrawn since: the passwords, passkeys and tokens of then work (a shop that was stopped and is moved)',
)
export const YES_OPTION = new Option('-y, --yes', 'do not ask for confirmation')

const LONGEST_DAYS = 3660

export const readDays = (text: string): number => {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > LONGEST_DAYS)
    throw new InvalidArgumentError(`Expected a whole number of days from 1 to ${LONGEST_DAYS}.`)
  return days
}

const A_DAY = 'A day is written like 2026-11-01.'
const YEAR_MS = 366 * DAY_MS

const readInstant = (text: string, fault: string): Date => {
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text)
  const time = new Date(text)
  const isReal = isTime && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 10))
  if (!isReal) throw new InvalidArgumentError(fault)
  return time
}

/** A day, or an instant in UTC, as a command that was interrupted tells it. */
export const readTime = (text: string): Date => {
  const time = readInstant(text, A_DAY)
  if (time.getTime() > Date.now()) throw new InvalidArgumentError('That day is in the future.')
  return time
}

/** An instant, at most a year ahead. */
export const readMoment = (text: string): Date => {
  const time = readInstant(text, 'A time is written like 2026-11-29T22:00Z, in UTC.')
  if (time.getTime() - Date.now() > YEAR_MS) throw new InvalidArgumentError('That is more than a year away.')
  return time
}

const LARGEST_COUNT = 100_000

export const readCount = (text: string): number => {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > LARGEST_COUNT)
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${LARGEST_COUNT}.`)
  return count
}

const LONGEST_LINE = 100

/** A name, a description or something that is looked for. */
const readLineOf =
  (least: number, most: number) =>
  (text: string): string => {
    const line = text.trim().normalize('NFC')
    if (line.length < least || line.length > most || /\p{Cc}/u.test(line))
      throw new InvalidArgumentError(`Expected one line of ${least} to ${most} characters.`)
    return line
  }

export const readLine = readLineOf(1, LONGEST_LINE)

const readInvoiceNumber = (text: string): { year?: number; number: number } => {
  const read = parseInvoiceNumber(text)
  if (!read) throw new InvalidArgumentError('An invoice number is written like 120, or 2026-000120.')
  return read
}

const readCreditNoteNumber = (text: string): { year?: number; number: number } => {
  const read = parseInvoiceNumber(text.trim().replace(/^CN-/i, ''))
  if (!read) throw new InvalidArgumentError('A credit note’s number is written like 120, or CN-2026-000120.')
  return read
}

const readCommissionNumber = (text: string): { year?: number; number: number } => {
  const read = parseInvoiceNumber(text.trim().replace(/^CM-/i, ''))
  if (!read)
    throw new InvalidArgumentError('A commission document’s number is written like 120, or CM-2026-000120.')
  return read
}

/** The numbers that go on after an older state of the shop, where some were sent since. */
export const addNumbersFrom = (command: Command, since: string): Command =>
  command
    .option(
      '--invoices-from <number>',
      `the number of the next invoice, where invoices were sent after ${since}: 120, or 2026-000120`,
      readInvoiceNumber,
    )
    .option(
      '--credit-notes-from <number>',
      'the same for credit notes: 12, or CN-2026-000012',
      readCreditNoteNumber,
    )
    .option(
      '--commissions-from <number>',
      'the same for commission documents: 12, or CM-2026-000012',
      readCommissionNumber,
    )
