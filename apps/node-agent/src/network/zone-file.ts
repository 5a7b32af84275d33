import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import { isPublicSuffix, namesInLine } from '#network/list-line.ts'

/** So many names are written before other work has its turn. */
const AT_ONCE = 2_000

/** `suffixes`: so many public ones were left out. */
export type ReadList = { names: Set<string>; badLines: number; suffixes: number }

export const readList = async (file: string): Promise<ReadList> => {
  const names = new Set<string>()
  let badLines = 0
  let suffixes = 0
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) {
    const found = namesInLine(line.replace(/^\uFEFF/, ''))
    if (!found) badLines++
    for (const name of found ?? []) {
      if (isPublicSuffix(name)) suffixes++
      else names.add(name)
    }
  }
  return { names, badLines, suffixes }
}

/** A name below one that is listed is blocked with it. */
const isCovered = (names: ReadonlySet<string>, name: string): boolean => {
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    if (names.has(name.slice(dot + 1))) return true
  }
  return false
}

/** How each zone file begins. What is answered by it may be remembered for so long. */
export const zoneHead = (seconds: number): string =>
  `$TTL ${seconds}\n@ SOA localhost. nobody.localhost. 1 3600 600 86400 60\n@ NS localhost.\n`

/** Writes a response policy zone: each name and everything below it. */
export const writeZone = async (file: string, names: ReadonlySet<string>): Promise<void> => {
  await writeAtomically(file, async (handle) => {
    await handle.write(zoneHead(60))
    let chunk: string[] = []
    const flush = async () => {
      await handle.write(chunk.join(''))
      chunk = []
      await setImmediate()
    }
    for (const name of names) {
      if (isCovered(names, name)) continue
      chunk.push(`${name} CNAME .\n*.${name} CNAME .\n`)
      if (chunk.length >= AT_ONCE) await flush()
    }
    await flush()
  })
}
