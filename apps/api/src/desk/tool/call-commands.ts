import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MOST_PAGE_ROWS, type TextFile } from '@hedgerow/contract/console/lists'
import { commandOf, type OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { PdfReply } from '@hedgerow/contract/endpoint'
import type { Command } from 'commander'
import * as z from 'zod/mini'
import { LocalCalls } from '#desk/console/local-calls.ts'
import { whoActs } from '#desk/tool/acting.ts'
import { ask } from '#desk/tool/ask.ts'
import { reads, recordsItself } from '#desk/tool/classes.ts'
import { addFields, optionName, sentFields } from '#desk/tool/fields.ts'
import { JSON_OPTION, readCount, YES_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { sayFields, sayOne, sayRows } from '#desk/tool/render.ts'
import { toolRun } from '#desk/tool/run.ts'
import { type ToolDependencies, toolDependencies } from '#desk/tool/tool-dependencies.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { findActiveByName } from '#people/operators/operators.service.ts'
import { toolCaller } from '#people/operators/tool-caller.ts'
import type { Db } from '#platform/database/client.ts'
import { Problem } from '#platform/http/problems.ts'
import { StartError } from '#platform/start-error.ts'

type Given = Readonly<Record<string, unknown>>

/** Commands of the tool that are calls of the operators' contract: fields, columns, question and record come from there. */
export type CallGroup = {
  /** The first word of all its commands. */
  name: string
  summary: string
  description: string
  /** Modules of the contract, whose endpoints with a command of this name are taken. */
  contract: readonly object[]
  /** Adds the handlers of those endpoints. */
  answer: (calls: LocalCalls, deps: ToolDependencies) => void
  /** Parameters and fields that are typed otherwise than as the id that the call takes: an email address, a name. */
  finds?: Readonly<Record<string, (db: Db, typed: string) => Promise<string>>>
  /** Fields that are the same in all its calls, and no options. */
  fixed?: Given
  /** By command: what is printed where the columns or the fields of the answer do not say enough. */
  prints?: Readonly<Record<string, (answer: never) => void>>
  /** By command: the call that shows what it would come to, before it asks. */
  previews?: Readonly<Record<string, OperatorEndpoint>>
  /** By command: what programs are told by the exit code, where it is done and something is wrong. */
  exitCodes?: Readonly<Record<string, (answer: never) => number>>
}

const shapeOf = (schema: unknown): Readonly<Record<string, z.core.$ZodType>> =>
  schema instanceof z.ZodMiniObject ? schema.shape : {}

const isList = ({ schema }: OperatorEndpoint) => 'after' in shapeOf(schema.querystring)
const isFile = ({ url }: OperatorEndpoint) => url.endsWith('.csv')
const isPdf = ({ schema }: OperatorEndpoint) => schema.response[200] === PdfReply
/** What it answers is a file: no list's, but all data of somebody. */
const isText = (endpoint: OperatorEndpoint) =>
  endpoint.isDownload === true && !isFile(endpoint) && !isPdf(endpoint)
/** An act that answers a file (`TextFile`) beside the rest. */
const makesFile = ({ schema }: OperatorEndpoint) => 'file' in shapeOf(schema.response[200])

/** Wrong usage, where the schemas refuse what was typed; a refusal, where the services do. */
export const inWords = (command: Command, error: unknown, typed: Given): never => {
  const faults =
    error instanceof z.core.$ZodError
      ? error.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
      : error instanceof Problem
        ? (error.extras.errors ?? [])
        : []
  const options = new Map(command.options.map((option) => [option.attributeName(), option.long]))
  const unknown = faults.find(({ path }) => path in typed)
  if (unknown) throw new Refusal(`There is no ${wordOf(unknown.path)} ${typed[unknown.path]}.`)
  const says = faults.map(({ path, message }) => {
    const name = path.split('.')[0] ?? ''
    return `${options.get(name) ?? optionName(name)}: ${message}`
  })
  if (says.length > 0) return command.error(`error: ${says.join('\n')}`)
  if (!(error instanceof Problem)) throw error
  // What did not answer may answer later: a program tries again.
  throw error.status >= 502 ? new StartError(error.message) : new Refusal(error.message)
}

type Page = { rows: Given[]; next: string | null }
type Call = (parts: { params?: Given; query?: Given; body?: Given }) => Promise<unknown>

/** So many rows of a list, over its pages. */
const readList = async (call: Call, query: Given, limit: number): Promise<Page> => {
  const rows: Given[] = []
  let after: string | null = null
  do {
    const size = Math.min(limit - rows.length, MOST_PAGE_ROWS)
    const page = (await call({ query: { ...query, rows: size, ...(after && { after }) } })) as Page
    rows.push(...page.rows)
    after = page.next
  } while (after !== null && rows.length < limit)
  return { rows, next: after }
}

const sayList = ({ columns }: OperatorEndpoint, { rows, next }: Page, json: unknown): void => {
  if (json) sayJson({ rows, hasMore: next !== null })
  else sayAll(columns, rows)
  if (!json && next !== null) say(`There are more than these ${rows.length}. To see them, raise --limit.`)
}

/** Before an act is done whose file would otherwise be lost: as far as one can tell, it can be written. */
const requirePlace = async (out: unknown): Promise<void> => {
  const file = placeOf(String(out))
  if (await stat(file).catch(() => undefined)) throw new Refusal(`Nothing was done: ${file} already exists.`)
  await access(join(dirname(file), '/'), constants.W_OK).catch(() => {
    throw new Refusal(`Nothing was done: ${file} cannot be written.`)
  })
}

/** To a file that was not there before, readable by its owner alone, or to the standard output. */
const writeOut = async (reply: Buffer | Readable | string, out: unknown, print = say): Promise<void> => {
  if (out === undefined) return pipeline(Readable.from(reply), toolRun().stdout, { end: false })
  const file = placeOf(String(out))
  await writeFile(file, reply, { mode: 0o600, flag: 'wx' }).catch(({ code }: NodeJS.ErrnoException) => {
    const why = code === 'EEXIST' ? 'the file already exists' : `it cannot be written (${code})`
    throw new Refusal(`Nothing was written to ${out}: ${why}.`)
  })
  print(`Written to ${file}.`)
}

const sayAll = (columns: OperatorEndpoint['columns'] = [], rows: readonly Given[]): void => {
  if (rows.length === 0) say('There are none.')
  else sayRows(columns, rows)
}

const sayAnswer = ({ columns, done }: OperatorEndpoint, answer: Given): void => {
  const { isNew, isChanged = isNew, ...rest } = answer
  if (typeof isChanged === 'boolean') say(isChanged ? 'Recorded.' : 'Already recorded: nothing was changed.')
  // An act answers with the thing that it was done to.
  const thing = typeof isChanged === 'boolean' ? Object.values(rest)[0] : answer
  if (columns && thing) sayOne(columns, thing as Given)
  else sayFields(rest)
  if (done && isChanged !== false) say(`${done}.`)
  if (!done && Object.keys(answer).length === 0) say('Done.')
}

type FileAnswer = { file: z.output<typeof TextFile> | null }

/** What was done is said first: should the file not be written, it can be made again by what stands there. */
const sayFile = async (
  endpoint: OperatorEndpoint,
  { file, ...rest }: Given & FileAnswer,
  { json, out }: Given,
): Promise<void> => {
  if (json) sayJson({ ...rest, file: file && placeOf(String(out)) })
  else sayFields(rest)
  if (file) await writeOut(file.text, out, json ? () => undefined : say)
  if (file && endpoint.done && !json) say(`${endpoint.done}.`)
}

const queryOf = ({ schema }: OperatorEndpoint, given: Given): Given =>
  Object.fromEntries(
    Object.keys(shapeOf(schema.querystring)).flatMap((name) =>
      given[name] === undefined ? [] : [[name, given[name]] as const],
    ),
  )

/** Throws a Refusal when none who can get in has the name. */
export const operatorNamed = async (db: Db, name: string) => {
  const operator = await findActiveByName(db, name)
  if (!operator) throw new Refusal(`There is no operator ${name}. To list them: operator list`)
  return operator
}

type Run = { endpoint: OperatorEndpoint; file: OperatorEndpoint | undefined; group: CallGroup; path: string }

const run = ({ endpoint, file, group, path }: Run, typed: Given, given: Given) =>
  withDatabase(async (db) => {
    const operator = endpoint.needsOperator ? await operatorNamed(db, String(given.as)) : undefined
    const calls = new LocalCalls(toolCaller(whoActs(toolRun().env), operator))
    group.answer(calls, await toolDependencies(db, toolRun().env))
    const found = async (typedParts: Given): Promise<Given> => {
      const entries = Object.entries(typedParts).map(
        async ([name, text]) => [name, (await group.finds?.[name]?.(db, String(text))) ?? text] as const,
      )
      return Object.fromEntries(await Promise.all(entries))
    }
    const params = await found(typed)
    const asked = Object.keys(endpoint.fields ?? {})
    const fixed = Object.entries(group.fixed ?? {}).filter(([name]) => asked.includes(name))
    const sent = await sentFields(endpoint.fields ?? {}, given)
    const fields = { ...(await found(sent)), ...Object.fromEntries(fixed) }
    const query = { ...queryOf(endpoint, given), ...(endpoint.method === 'GET' ? fields : {}) }
    if (file && (given.csv || isFile(endpoint)))
      return writeOut((await calls.call(file, { params, query })) as Readable, given.out)
    if (isList(endpoint)) {
      const call: Call = (parts) => calls.call(endpoint, { params, ...parts })
      return sayList(endpoint, await readList(call, query, Number(given.limit)), given.json)
    }
    if (makesFile(endpoint)) await requirePlace(given.out)
    const preview = group.previews?.[path]
    if (preview && !given.json)
      sayFields(
        (await calls.call(preview, { params, query: { ...query, ...fields }, body: fields })) as Given,
      )
    if (endpoint.asks) await ask(endpoint.asks, given.yes === true)
    const answer = await calls.call(endpoint, { params, query, body: fields })
    if (Buffer.isBuffer(answer) || typeof answer === 'string') {
      await writeOut(answer, given.out)
      return endpoint.done && given.out !== undefined && say(`${endpoint.done}.`)
    }
    toolRun().exitCode = group.exitCodes?.[path]?.(answer as never) ?? 0
    if (makesFile(endpoint)) return sayFile(endpoint, answer as Given & FileAnswer, given)
    if (given.json) return sayJson(answer)
    const print = group.prints?.[path]
    if (print) return print(answer as never)
    if (Array.isArray(answer)) return sayAll(endpoint.columns, answer)
    return sayAnswer(endpoint, answer as Given)
  })

const addOptions = (leaf: Command, { endpoint, file, group }: Run): void => {
  const fields = Object.fromEntries(
    Object.entries(endpoint.fields ?? {}).filter(([name]) => !(name in (group.fixed ?? {}))),
  )
  const { asks, needsOperator, schema } = endpoint
  addFields(leaf, fields, isList(endpoint))
  if (isList(endpoint)) {
    const { sort } = shapeOf(schema.querystring)
    const words = sort instanceof z.ZodMiniDefault && (sort.def.innerType as z.ZodMiniEnum).options
    if (words)
      leaf.addOption(leaf.createOption('--sort <word>', 'what it is sorted by').choices(words as string[]))
    leaf.option('--limit <count>', 'show at most this many', readCount, MOST_PAGE_ROWS)
  }
  if (needsOperator)
    leaf.requiredOption('--as <name>', 'the operator who does it, by the name in the console')
  if (file && !isFile(endpoint)) leaf.option('--csv', 'all that is found, as a CSV file')
  if (file || isText(endpoint))
    leaf.option('--out <file>', 'write it to this new file, not to the standard output')
  if (isPdf(endpoint) || makesFile(endpoint))
    leaf.requiredOption('--out <file>', 'write it to this new file, readable only by you')
  if (asks) leaf.addOption(YES_OPTION)
  if (!isFile(endpoint) && !isPdf(endpoint) && !isText(endpoint)) leaf.addOption(JSON_OPTION)
}

/** 'paymentId' is typed as <payment>. */
const wordOf = (param: string) => optionName(param).replace(/-id$/, '')

const addCall = (parent: Command, word: string, about: Run): Command => {
  const { endpoint } = about
  // What only reads is recorded where it is asked for one person, which the contract does not say.
  const asRecorded = endpoint.record === 'reads' ? reads : recordsItself
  const leaf = asRecorded(parent.command(word)).description(`${endpoint.summary}.`)
  const params = Object.keys(shapeOf(endpoint.schema.params))
  for (const name of params)
    leaf.argument(`<${wordOf(name)}>`, about.group.finds?.[name] ? 'its id, or what it is called' : 'its id')
  addOptions(leaf, about)
  return leaf.action(async (...typed: unknown[]) => {
    const command = typed.at(-1) as Command
    const given = typed.at(-2) as Given
    const words = Object.fromEntries(params.map((name, at) => [name, typed[at]]))
    try {
      await run(about, words, given)
    } catch (error) {
      inWords(command, error, words)
    }
  })
}

/** Endpoints by their commands: one that shows or does something, and the file with the same list. */
const byCommand = ({
  name,
  contract,
}: CallGroup): Map<string, { endpoint: OperatorEndpoint; file?: OperatorEndpoint }> => {
  const found = new Map<string, { endpoint: OperatorEndpoint; file?: OperatorEndpoint }>()
  const endpoints = contract.flatMap((module) => Object.values(module) as OperatorEndpoint[])
  for (const endpoint of endpoints) {
    // What an operator does about their own account takes a session.
    const isCall = endpoint?.access === 'operator' && endpoint.permission !== 'own'
    const path = isCall ? commandOf(endpoint) : undefined
    if (path !== name && !path?.startsWith(`${name} `)) continue
    const known = found.get(path)
    if (isFile(endpoint)) found.set(path, { endpoint: known?.endpoint ?? endpoint, file: endpoint })
    else found.set(path, { ...known, endpoint })
  }
  return found
}

/** Adds a group with a command for each of its calls; one may have the group’s own name. Returns it, for commands that are no calls. */
export const addCalls = (program: Command, group: CallGroup): Command => {
  const calls = byCommand(group)
  const own = calls.get(group.name)
  calls.delete(group.name)
  const top = own
    ? addCall(program, group.name, { ...own, file: own.file, group, path: group.name })
    : program.command(group.name).description(group.description)
  top.summary(group.summary).helpCommand(false).enablePositionalOptions()
  const places = new Map([[group.name, top]])
  const placeOfWords = (words: readonly string[]): Command => {
    const path = words.join(' ')
    const known = places.get(path)
    if (known) return known
    const below = [...calls.keys()].filter((call) => call.startsWith(`${path} `))
    const made = placeOfWords(words.slice(0, -1))
      .command(words.at(-1) ?? '')
      .description(`${path}: ${below.map((call) => call.slice(path.length + 1)).join(', ')}.`)
      .helpCommand(false)
    places.set(path, made)
    return made
  }
  for (const [path, { endpoint, file }] of calls) {
    const words = path.split(' ')
    addCall(placeOfWords(words.slice(0, -1)), words.at(-1) ?? '', { endpoint, file, group, path })
  }
  return top
}
