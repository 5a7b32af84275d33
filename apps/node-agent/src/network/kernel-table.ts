import type { Element } from '#network/elements.ts'
import { eachLine } from '#runtime/run-command.ts'

export type KernelTable = {
  /** The rules as the kernel tells them, without the customers. */
  rules: string
  elements: Map<string, Element>
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** Milliseconds of "29d23h59m59s984ms". */
export const durationMs = (text: string): number =>
  [...text.matchAll(/(\d{1,15})(ms|[dhms])/g)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  )

const MARK = /^0x[0-9a-f]{8}/

/** An element as nft tells it: `10.8.0.2 timeout 2d expires 1d23h : 0x00000003`, and the brackets of the list around it. */
const readElement = (text: string, now: Date): [address: string, element: Element] | undefined => {
  const [left = '', right = ''] = text.split(' : ')
  const [mark] = right.match(MARK) ?? []
  const words = left.trim().split(' ')
  const expires = words.indexOf('expires')
  const times = words.indexOf('timeout') >= 0 ? words.indexOf('timeout') : expires
  const address = times >= 0 ? words[times - 1] : words.at(-1)
  if (!mark || !address) return undefined
  const expiresAt = expires >= 0 ? new Date(now.getTime() + durationMs(words[expires + 1] ?? '')) : null
  return [address, { mark: Number(mark), expiresAt }]
}

/** Only the rules: nft asks the kernel for no elements then, but it has to list all tables to be that quick. */
export const readKernelRules = async (table: string): Promise<string | undefined> => {
  const rules: string[] = []
  let isInside = false
  await eachLine('nft', ['-n', '-t', 'list', 'ruleset', 'inet'], (line) => {
    if (line === `table inet ${table} {`) isInside = true
    if (isInside) rules.push(line)
    if (line === '}') isInside = false
  })
  return rules.length > 0 ? rules.join('\n') : undefined
}

/** Takes a line of a listing of customers: with 50,000 of them it is megabytes. */
export const readElements = (line: string, now: Date): [address: string, element: Element][] =>
  line.split(',').flatMap((part) => {
    const element = readElement(part, now)
    return element ? [element] : []
  })

/**
 * Undefined: there is no such table. Of the sets only those with customers are read: who is connected to what is
 * nothing that the agent looks at.
 */
export const readKernelTable = async (table: string, now: Date): Promise<KernelTable | undefined> => {
  const rules = await readKernelRules(table)
  if (rules === undefined) return undefined
  const elements = new Map<string, Element>()
  for (const map of ['customers4', 'customers6'])
    await eachLine('nft', ['-n', 'list', 'map', 'inet', table, map], (line) => {
      for (const [address, element] of readElements(line, now)) elements.set(address, element)
    })
  return { rules, elements }
}
