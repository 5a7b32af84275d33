import { copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import type { FilterList } from '@hedgerow/domain/filters'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { type Fetched, fetchSource } from '#lists/fetch-source.ts'
import { isPublicSuffix, namesInLine } from '#network/list-line.ts'
import { keptFileOf, listFileOf, touchKept } from '#state/list-times.ts'

export type ListOrder = {
  list: FilterList
  urls: readonly string[]
  /** Fewer names than that are no list. */
  floor: number
}

type Options = {
  listsDir: string
  /** Names that must stay reachable, with all above them: the shop's. */
  allowed: readonly string[]
  /** Takes a list that has lost more than half of its names, or grown to more than four times as many. */
  isForced?: boolean
  /** Tests fetch from this machine. */
  mayBePlain?: boolean
}

export type Outcome = { list: FilterList } & (
  | { kind: 'updated'; names: number; badLines: number; suffixes: number }
  | { kind: 'same' }
  | { kind: 'kept'; why: string }
)

/** A list never loses more of its names at once, unless it is told to. */
const LEAST_SHARE = 0.5
/** Nor does it grow beyond this at once: who may write to a source could fill a node's memory, or block what is no advertising. */
const MOST_SHARE = 4
/** What is longer is no list of what to block, and would take the node's memory. */
const MOST_NAMES = 5_000_000

type Kept = {
  names: number
  /** What was left out of it by the settings of then. */
  allowed: readonly string[]
  sources: Record<string, Fetched & { names: string[] }>
}

const readKept = (file: string): Promise<Kept | undefined> =>
  readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as Kept,
    () => undefined,
  )

/** Whether there is a list at all: someone may have taken it away since it was fetched. */
const hasList = (file: string): Promise<boolean> =>
  stat(file).then(
    ({ size }) => size > 0,
    () => false,
  )

/** Whether blocking it, and so all below it, blocks something that must stay reachable. */
const covers = (name: string, allowed: readonly string[]): boolean =>
  allowed.some((host) => host === name || host.endsWith(`.${name}`))

const namesOf = (text: string, allowed: readonly string[]) => {
  const names = new Set<string>()
  let badLines = 0
  let suffixes = 0
  for (const line of text.split('\n')) {
    const found = namesInLine(line.replace(/^\uFEFF|\r$/g, ''))
    if (!found) badLines++
    for (const name of found ?? []) {
      if (isPublicSuffix(name)) suffixes++
      else if (!covers(name, allowed)) names.add(name)
    }
  }
  return { names, badLines, suffixes }
}

const write = (file: string, text: string): Promise<void> =>
  writeAtomically(file, (handle) => handle.writeFile(text))

/** Why what was fetched is not to be taken. */
const whyNotTaken = (
  names: number,
  { floor, before, isForced }: { floor: number; before: number | undefined; isForced: boolean },
): string | undefined => {
  if (names < floor) return `it has ${names} names, and ${floor} are the least`
  if (names > MOST_NAMES) return `it has ${names} names, and ${MOST_NAMES} are the most`
  if (isForced || before === undefined) return undefined
  const isOther = names < before * LEAST_SHARE || names > before * MOST_SHARE
  return isOther ? `it has ${names} names, and had ${before}: --force takes it all the same` : undefined
}

/** Fetches a list's sources and puts them in its place, all or nothing; the one before is kept beside it. */
const updateList = async ({ list, urls, floor }: ListOrder, options: Options): Promise<Outcome> => {
  const { listsDir, allowed, isForced = false, mayBePlain = false } = options
  const file = listFileOf(listsDir, list)
  const keptFile = keptFileOf(listsDir, list)
  const before = await readKept(keptFile)
  // What was fetched for other settings, or is not there any more, is fetched as if it had changed.
  const isOfUse = `${before?.allowed}` === `${allowed}` && (await hasList(file))
  const all = new Set<string>()
  const sources = new Map<string, Kept['sources'][string]>()
  let badLines = 0
  let suffixes = 0
  let isNew = !isOfUse || Object.keys(before?.sources ?? {}).length !== urls.length
  for (const url of urls) {
    const last = isOfUse && before && Object.hasOwn(before.sources, url) ? before.sources[url] : undefined
    const answer = await fetchSource(url, last, mayBePlain).catch((error: Error) => error)
    if (answer instanceof Error)
      return { list, kind: 'kept', why: `${new URL(url).host} could not be fetched: ${answer.message}` }
    if (answer === 'same' && last) {
      sources.set(url, last)
      for (const name of last.names) all.add(name)
      continue
    }
    if (answer === 'same') continue
    isNew = true
    const read = namesOf(answer.text, allowed)
    badLines += read.badLines
    suffixes += read.suffixes
    sources.set(url, { ...answer.fetched, names: [...read.names] })
    for (const name of read.names) all.add(name)
  }
  if (!isNew) {
    await touchKept(listsDir, list)
    return { list, kind: 'same' }
  }
  const why = whyNotTaken(all.size, { floor, before: before?.names, isForced })
  if (why) return { list, kind: 'kept', why }
  // Copied: without the list for a moment, the agent would filter nothing.
  await copyFile(file, `${file}.former`).catch(() => undefined)
  await write(file, `${[...all].join('\n')}\n`)
  await write(
    keptFile,
    JSON.stringify({ names: all.size, allowed, sources: Object.fromEntries(sources) } satisfies Kept),
  )
  return { list, kind: 'updated', names: all.size, badLines, suffixes }
}

export const updateLists = async (orders: readonly ListOrder[], options: Options): Promise<Outcome[]> => {
  await mkdir(options.listsDir, { recursive: true, mode: 0o700 })
  const outcomes: Outcome[] = []
  for (const order of orders) outcomes.push(await updateList(order, options))
  return outcomes
}
