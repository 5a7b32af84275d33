import { deflateSync } from 'node:zlib'

/** What is embedded of a font that is cut down, each part deflated: its shapes, and what they stand for. */
export type FaceFile = { shapes: Uint8Array; length: number; table: Uint8Array }

/** Two megabytes at most. */
const MOST_FILES = 50

/** Remembers files by what is in them: most documents have the same letters, and cutting a font takes longer than the rest. */
export const newFaceFiles = () => {
  const files = new Map<string, FaceFile>()
  return (key: string, make: () => { shapes: Uint8Array; table: string }): FaceFile => {
    const known = files.get(key)
    if (known) return known
    const { shapes, table } = make()
    const file = { shapes: deflateSync(shapes), length: shapes.length, table: deflateSync(table) }
    if (files.size >= MOST_FILES) files.clear()
    files.set(key, file)
    return file
  }
}
