import {
  type DayRange,
  daysOfMonth,
  daysOfQuarter,
  isDay,
  isMonth,
  isQuarter,
} from '@hedgerow/domain/periods'
import { type Command, InvalidArgumentError, Option } from 'commander'

const reader = (is: (text: string) => boolean, fault: string) => (text: string) => {
  if (!is(text)) throw new InvalidArgumentError(fault)
  return text
}

const readDay = reader(isDay, 'A day is written like 2026-11-01.')
const readMonth = reader(isMonth, 'A month is written like 2026-11.')
const readQuarter = reader((text) => isQuarter(text.toUpperCase()), 'A quarter is written like 2026-Q4.')

export type PeriodOptions = { from?: string; to?: string; month?: string; quarter?: string }

/** Days of London, in one of three ways. */
export const addPeriod = (command: Command): Command =>
  command
    .addOption(
      new Option('--from <day>', 'the first day, like 2026-10-01; days are London’s').argParser(readDay),
    )
    .addOption(new Option('--to <day>', 'the last day, which is included').argParser(readDay))
    .addOption(
      new Option('--month <month>', 'instead: a month, like 2026-11')
        .argParser(readMonth)
        .conflicts(['from', 'to', 'quarter']),
    )
    .addOption(
      new Option('--quarter <quarter>', 'instead: a quarter of the calendar, like 2026-Q4')
        .argParser((text: string) => readQuarter(text).toUpperCase())
        .conflicts(['from', 'to', 'month']),
    )

/** Undefined where none of the options was given; ends with wrong usage where half of a range was, or a reversed one. */
const givenPeriod = ({ from, to, month, quarter }: PeriodOptions, command: Command): DayRange | undefined => {
  if (month) return daysOfMonth(month)
  if (quarter) return daysOfQuarter(quarter)
  if (!from && !to) return undefined
  if (!from || !to) return command.error('error: give both --from and --to')
  if (from > to) return command.error('error: --from is after --to')
  return { from, to }
}

export const wantedPeriod = (options: PeriodOptions, command: Command): DayRange =>
  givenPeriod(options, command) ?? command.error('error: give --from and --to, or --month, or --quarter')
