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

const ELEMENT = /(?:^|[\s{,])([0-9a-f.:]+)(?: timeout \w+)?(?: expires (\w+))? : (0x[0-9a-f]{8})/g

/** Takes a listing line by line: a table with 50,000 customers is megabytes. */
export const createTableReader = (now: Date) => {
  const rules: string[] = []
  const elements = new Map<string, Element>()
  let isInElements = false
  let isOfCustomers = false
  const readLine = (line: string): void => {
    if (/^\t(?:map|chain|set) /.test(line)) isOfCustomers = /^\t(?:map customers|set flows)[46] /.test(line)
    if (isOfCustomers && line.startsWith('\t\telements = ')) isInElements = true
    if (!isInElements) {
      rules.push(line)
      return
    }
    for (const [, address = '', expires, mark] of line.matchAll(ELEMENT)) {
      const expiresAt = expires ? new Date(now.getTime() + durationMs(expires)) : null
      elements.set(address, { mark: Number(mark), expiresAt })
    }
    if (line.endsWith('}')) isInElements = false
  }
  return { readLine, table: (): KernelTable => ({ rules: rules.join('\n'), elements }) }
}

/** Undefined: there is no such table. */
export const readKernelTable = async (table: string, now: Date): Promise<KernelTable | undefined> => {
  const reader = createTableReader(now)
  try {
    await eachLine('nft', ['-n', 'list', 'table', 'inet', table], reader.readLine)
    return reader.table()
  } catch (error) {
    if (error instanceof Error && error.message.includes('No such file')) return undefined
    throw error
  }
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
