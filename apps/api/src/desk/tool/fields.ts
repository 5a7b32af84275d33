import { basename } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import {
  FILE_BYTES,
  isOptional,
  type OperatorField,
  type OperatorFields,
} from '@hedgerow/contract/console/fields'
import { isDay } from '@hedgerow/domain/periods'
import { type Command, InvalidArgumentError, Option } from 'commander'
import * as z from 'zod/mini'
import { readMoment } from '#desk/tool/options.ts'
import { readNamedFile } from '#desk/tool/read-file.ts'
import { toolRun } from '#desk/tool/run.ts'

/** What an operator fills in, as options of a command: labels, hints and choices are the contract's. */

const dashed = (name: string) => name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)

/** 'amountMinor' is typed as --amount, 'isAgain' as --again, 'areAllPaid' as --all-paid, 'customerId' as --customer. */
export const optionName = (name: string): string =>
  dashed(
    name
      .replace(/^(is|are)(?=[A-Z])/, '')
      .replace(/^[A-Z]/, (one) => one.toLowerCase())
      .replace(/(Minor|Id)$/, ''),
  )

const readWhole = (typed: string): number => {
  if (!/^-?\d{1,9}$/.test(typed)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(typed)
}

const readDay = (typed: string): string => {
  if (!isDay(typed)) throw new InvalidArgumentError('A day is written like 2026-11-01.')
  return typed
}

/** '10.50' is 1050. Whether it may be nothing, the schema says. */
const sumOf =
  ({ schema }: OperatorField) =>
  (typed: string): number => {
    const match = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(typed)
    const minor = match ? Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`) : undefined
    if (!z.safeParse(schema, minor).success || minor === undefined)
      throw new InvalidArgumentError('An amount is written like 10.50.')
    return minor
  }

const PARSERS: Partial<Record<OperatorField['kind'], (typed: string, before: never) => unknown>> = {
  number: readWhole,
  day: readDay,
  moment: (typed) => readMoment(typed).toISOString(),
  lines: (typed, before: readonly string[] | undefined) => [...(before ?? []), typed],
}

/** What stands between < and > in the help. */
const VALUE_NAMES: Partial<Record<OperatorField['kind'], string>> = {
  words: 'text',
  moment: 'time',
  lines: 'text',
  choice: 'choice',
}

const describe = ({ kind, label, hint, options, first }: OperatorField): string => {
  const says = [
    label,
    options
      ?.filter(([value, words]) => value.toLowerCase() !== words.toLowerCase())
      .map(([value, words]) => `${value}: ${words}`)
      .join('; '),
    hint,
    kind === 'words' && '- reads the standard input',
    kind === 'lines' && 'can be given more than once',
    kind !== 'tick' && first !== undefined && `${first} if left out`,
  ]
  return says.filter(Boolean).join('. ')
}

const optionFor = (name: string, field: OperatorField): Option => {
  const { kind, options, label } = field
  const flag = `--${optionName(name)}`
  const option = new Option(
    kind === 'tick' ? flag : `${flag} <${VALUE_NAMES[kind] ?? kind}>`,
    describe(field),
  )
  option.attributeName = () => name
  const parse = kind === 'sum' ? sumOf(field) : PARSERS[kind]
  if (parse) option.argParser(parse as (typed: string, before: unknown) => unknown)
  if (options) option.choices(options.map(([value]) => value))
  option.description = describe({ ...field, label: label.replace(/\.$/, '') })
  return option
}

export const addFields = (command: Command, fields: OperatorFields, isFilter: boolean): void => {
  for (const [name, field] of Object.entries(fields)) {
    const option = optionFor(name, field)
    command.addOption(isFilter || isOptional(field) ? option : option.makeOptionMandatory())
  }
}

const MOST_TYPED = 1_000_000

const sent = async ({ kind }: OperatorField, given: unknown): Promise<unknown> => {
  if (kind === 'file') {
    const bytes = await readNamedFile(String(given), FILE_BYTES)
    return { name: basename(String(given)), base64: bytes.toString('base64') }
  }
  if (kind !== 'words' || given !== '-') return given
  return (await readAll(toolRun().stdin)).slice(0, MOST_TYPED)
}

/** What was given for these fields, as the contract's body or query takes it. Throws a Refusal for a file that cannot be read. */
export const sentFields = async (
  fields: OperatorFields,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> => {
  const entries: [string, unknown][] = []
  for (const [name, field] of Object.entries(fields))
    if (given[name] !== undefined) entries.push([name, await sent(field, given[name])])
  return Object.fromEntries(entries)
}
