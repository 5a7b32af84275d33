import { writeFile } from 'node:fs/promises'
import type { OperatorField } from '@hedgerow/contract/console/fields'
import { MOST_PAGE_ROWS } from '@hedgerow/contract/console/lists'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { PdfReply } from '@hedgerow/contract/endpoint'
import { dayAfter } from '@hedgerow/domain/dates'
import { type Command, InvalidArgumentError, Option } from 'commander'
import * as z from 'zod/mini'
import { LocalCalls } from '#desk/console/local-calls.ts'
import { whoActs } from '#desk/tool/acting.ts'
import { ask } from '#desk/tool/ask.ts'
import { recordsItself } from '#desk/tool/classes.ts'
import { JSON_OPTION, readCount, readMoment, readSum, YES_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { sayOne, sayPlain, sayRows } from '#desk/tool/render.ts'
import { type ToolDependencies, toolDependencies } from '#desk/tool/tool-dependencies.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { allPermissions } from '#people/operators/guard-operators.ts'
import { Problem } from '#platform/http/problems.ts'

/** Commands of the tool that are calls of the operators' contract: words, options, question and answer come from there. */
type Group = {
  calls: readonly OperatorEndpoint[]
  answer: (calls: LocalCalls, deps: ToolDependencies) => void
}
type Given = Readonly<Record<string, unknown>>

export const commandOf = ({ command, record }: OperatorEndpoint): string | undefined =>
  command ?? (record === 'reads' ? undefined : 'changes' in record ? record.changes : record.opens)

const shapeOf = (schema: unknown): Readonly<Record<string, z.core.$ZodType>> =>
  schema instanceof z.ZodMiniObject ? schema.shape : {}

const NOT_ASKED = new Set(['after', 'rows', 'columns'])
const dashed = (name: string) =>
  name
    .replace(/^is(?=[A-Z])/, '')
    .replace(/^[A-Z]/, (one) => one.toLowerCase())
    .replace(/Minor$/, '')
    .replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)

/** The end of that day in London, or a moment as it is. */
const readDay = (text: string): string => {
  const time = readMoment(text)
  return (text.includes('T') ? time : new Date(dayAfter(time, 1).getTime() - 1)).toISOString()
}

const optionFor = (name: string, { kind, label, hint, options }: OperatorField): Option => {
  const says = [label, hint].filter(Boolean).join('; ')
  const option = new Option(kind === 'tick' ? `--${dashed(name)}` : `--${dashed(name)} <${kind}>`, says)
  option.attributeName = () => name
  if (options) {
    option.description = `${label}: ${options.map(([value, words]) => `${value}, ${words}`).join('; ')}`
    return option.choices(options.map(([value]) => value))
  }
  if (kind === 'sum') return option.argParser(readSum)
  return kind === 'day' ? option.argParser(readDay) : option
}

const isOptional = (schema: z.core.$ZodType): boolean => z.safeParse(schema, undefined).success

const filterFor = (name: string, schema: z.core.$ZodType): Option => {
  const option = new Option(`--${dashed(name)} <${dashed(name)}>`, 'only those with this')
  option.attributeName = () => name
  const inner =
    schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault ? schema.def.innerType : schema
  return inner instanceof z.ZodMiniEnum ? option.choices(inner.options as string[]) : option
}

const isList = ({ schema }: OperatorEndpoint) => 'after' in shapeOf(schema.querystring)

/** Wrong usage, where the schemas refuse what was typed; a refusal, where the services do. */
const inWords = (command: Command, error: unknown): never => {
  if (error instanceof z.core.$ZodError) {
    const [issue] = error.issues
    return command.error(
      `error: ${[...(issue?.path ?? [])].map(String).map(dashed).join('.')}: ${issue?.message}`,
    )
  }
  throw error instanceof Problem ? new Refusal(error.message) : error
}

const pick = (given: Given, names: readonly string[]): Given =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

type Page = { rows: Given[]; next: string | null }

/** So many rows of a list, over its pages. */
const readList = async (
  calls: LocalCalls,
  endpoint: OperatorEndpoint,
  query: Given,
  limit: number,
): Promise<Page> => {
  const rows: Given[] = []
  let after: string | undefined
  for (;;) {
    const asked = {
      ...query,
      rows: Math.min(limit - rows.length, MOST_PAGE_ROWS),
      ...(after ? { after } : {}),
    }
    const page = (await calls.call(endpoint, { query: asked })) as Page
    rows.push(...page.rows)
    if (page.next === null || rows.length >= limit) return { rows, next: page.next }
    after = page.next
  }
}

/** A file that is there is somebody's. */
const writeNew = async (file: string, bytes: Buffer): Promise<void> => {
  await writeFile(placeOf(file), bytes, { mode: 0o600, flag: 'wx' }).catch(
    ({ code }: NodeJS.ErrnoException) => {
      const why = code === 'EEXIST' ? 'the file already exists' : `it cannot be written (${code})`
      throw new Refusal(`Nothing was written to ${file}: ${why}.`)
    },
  )
}

const sayAnswer = ({ columns, done }: OperatorEndpoint, answer: Given): void => {
  const { isNew, ...rest } = answer
  if (typeof isNew === 'boolean') say(isNew ? 'Recorded.' : 'Already recorded.')
  // An act answers with the thing that it was done to.
  const thing = typeof isNew === 'boolean' ? Object.values(rest)[0] : answer
  if (columns) sayOne(columns as never, thing as Given)
  else sayPlain(answer)
  if (done) say(done)
}

const run = (endpoint: OperatorEndpoint, { answer }: Group, params: Given, given: Given, command: Command) =>
  withDatabase(async (db) => {
    const { schema, columns = [], asks, fields = {}, done } = endpoint
    const calls = new LocalCalls({
      by: 'shell',
      name: whoActs(process.env),
      permissions: allPermissions,
    } as never)
    answer(calls, toolDependencies(db))
    try {
      if (isList(endpoint)) {
        const query = pick(given, Object.keys(shapeOf(schema.querystring)))
        const { rows, next } = await readList(calls, endpoint, query, Number(given.limit))
        if (given.json) return sayJson({ rows, hasMore: next !== null })
        if (rows.length === 0) return say('There are none.')
        sayRows(columns as never, rows)
        if (next !== null) say(`There are more than these ${rows.length}. To see them, raise --limit.`)
        return
      }
      if (asks) await ask(asks, given.yes === true)
      const parts = {
        params,
        query: pick(given, Object.keys(shapeOf(schema.querystring))),
        body: pick(given, Object.keys(fields)),
      }
      const reply = await calls.call(endpoint, parts)
      if (Buffer.isBuffer(reply)) {
        await writeNew(String(given.out), reply)
        return given.json
          ? sayJson({ file: placeOf(String(given.out)), bytes: reply.length })
          : say(`Written to ${placeOf(String(given.out))}. ${done ?? ''}`.trim())
      }
      if (given.json) return sayJson(reply)
      sayAnswer(endpoint, reply as Given)
    } catch (error) {
      inWords(command, error)
    }
  })

const addCall = (group: Command, word: string, endpoint: OperatorEndpoint, all: Group): void => {
  const { schema, summary, fields = {}, asks } = endpoint
  const leaf = recordsItself(group.command(word)).description(`${summary}.`)
  const params = Object.keys(shapeOf(schema.params))
  for (const name of params) leaf.argument(`<${name.replace(/Id$/, '')}>`, 'its id')
  for (const [name, field] of Object.entries(fields)) {
    const option = optionFor(name, field)
    leaf.addOption(isOptional(field.schema) ? option : option.makeOptionMandatory())
  }
  for (const [name, schemaOf] of Object.entries(shapeOf(schema.querystring)))
    if (!NOT_ASKED.has(name)) leaf.addOption(filterFor(name, schemaOf))
  if (isList(endpoint)) leaf.option('--limit <count>', 'show at most this many', readCount, MOST_PAGE_ROWS)
  if (schema.response[200] === PdfReply)
    leaf.requiredOption('--out <file>', 'write to this file, readable only by you')
  if (asks) leaf.addOption(YES_OPTION)
  leaf.addOption(JSON_OPTION).action((...typed: unknown[]) => {
    const command = typed.at(-1) as Command
    const given = typed.at(-2) as Given
    return run(endpoint, all, Object.fromEntries(params.map((name, at) => [name, typed[at]])), given, command)
  })
}

/** Adds a group with a command for each call. */
export const addCalls = (
  program: Command,
  name: string,
  says: { summary: string; description: string },
  all: Group,
): void => {
  const group = program.command(name).summary(says.summary).description(says.description).helpCommand(false)
  for (const endpoint of all.calls) {
    const path = commandOf(endpoint)
    if (!path?.startsWith(`${name} `))
      throw new InvalidArgumentError(`${endpoint.url} is no command of ${name}`)
    addCall(group, path.slice(name.length + 1), endpoint, all)
  }
}
