import { noJournal, openJournal, readJournal } from '#journal.ts'

/** Of each kind. Beyond it the oldest is forgotten. */
const MOST = 20_000

export type Shelf<Value> = {
  readonly size: number
  find(id: string): Value | undefined
  /** Taken in, or written down as it has become. */
  put(value: Value): void
  remove(id: string): void
  /** The newest first. */
  all(): Value[]
}

export type Shelves<Kept> = { readonly [Name in keyof Kept]: Shelf<Kept[Name]> } & { close(): Promise<void> }

type Line = { shelf: string; value?: { id: string }; gone?: string }

/** What a vendor keeps, kind by kind. Without a file, in memory only. */
export const openShelves = <Kept extends Record<keyof Kept, { id: string }>>(
  file: string | undefined,
  names: readonly (keyof Kept & string)[],
): Shelves<Kept> => {
  const shelves = new Map(names.map((name) => [name as string, new Map<string, { id: string }>()]))
  const take = ({ shelf, value, gone }: Line): void => {
    const kept = shelves.get(shelf)
    if (!kept) return
    if (gone !== undefined) kept.delete(gone)
    if (value) kept.set(value.id, value)
    if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '')
  }
  if (file) for (const line of readJournal<Line>(file)) take(line)
  const lines = function* (): Generator<Line> {
    for (const [shelf, kept] of shelves) for (const value of kept.values()) yield { shelf, value }
  }
  const journal = file ? openJournal(file, lines()) : noJournal

  const open = (shelf: string, kept: Map<string, { id: string }>): Shelf<{ id: string }> => {
    const write = (line: Line): void => {
      take(line)
      journal.append(line)
    }
    return {
      get size() {
        return kept.size
      },
      find: (id) => kept.get(id),
      put: (value) => write({ shelf, value }),
      remove: (id) => write({ shelf, gone: id }),
      all: () => [...kept.values()].reverse(),
    }
  }
  return {
    ...Object.fromEntries([...shelves].map(([name, kept]) => [name, open(name, kept)])),
    close: () => journal.close(),
  } as Shelves<Kept>
}
