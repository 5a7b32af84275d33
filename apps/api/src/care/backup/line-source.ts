import type { Hash } from 'node:crypto'

export type LineSource = {
  /** The next line, without its end. */
  line: () => Promise<string>
  /** The rows up to the line that ends them, in pieces as they come, and how many were taken. */
  rows: () => { rows: AsyncGenerator<Buffer>; count: () => number }
  /** The last line; nothing comes after it. It is not hashed. */
  lastLine: () => Promise<string>
}

const LINE_END = 10
/** A header names tables and columns; one that is longer than this is none. */
const LONGEST_LINE = 16 * 1024 * 1024

/** Returns how many bytes can be passed on, how many lines end in them, whether a line starts next, and whether the rows are over. */
const scanRows = (bytes: Buffer, endOfRows: Buffer, isLineStart: boolean) => {
  let [at, lines, isStart] = [0, 0, isLineStart]
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, at)) {
    if (isStart && bytes.subarray(at, end + 1).equals(endOfRows)) return { at, lines, isStart, isOver: true }
    lines++
    at = end + 1
    isStart = true
  }
  // What could be the beginning of the end waits; any other piece of a line may go.
  const mayGo = !isStart || bytes.length - at >= endOfRows.length
  if (mayGo && bytes.length > at) return { at: bytes.length, lines, isStart: false, isOver: false }
  return { at, lines, isStart, isOver: false }
}

/** Reads lines from pieces of bytes, and hashes what was read. `onCut` makes the error for an end that comes too early. */
export const createLineSource = (
  pieces: AsyncIterable<Buffer>,
  endOfRows: Buffer,
  hash: Hash,
  onCut: () => Error,
): LineSource => {
  const source = pieces[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  const more = async (): Promise<void> => {
    const next = await source.next()
    if (next.done) throw onCut()
    rest = rest.length > 0 ? Buffer.concat([rest, next.value]) : next.value
  }
  const take = (length: number): Buffer => {
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return taken
  }
  const takeLine = async (): Promise<Buffer> => {
    let end = rest.indexOf(LINE_END)
    while (end === -1) {
      if (rest.length > LONGEST_LINE) throw onCut()
      await more()
      end = rest.indexOf(LINE_END)
    }
    return take(end + 1)
  }
  const textOf = (line: Buffer) => line.subarray(0, -1).toString('utf8')

  return {
    line: async () => {
      const line = await takeLine()
      hash.update(line)
      return textOf(line)
    },
    rows: () => {
      let count = 0
      async function* rows(): AsyncGenerator<Buffer> {
        for (let isLineStart = true; ; ) {
          const { at, lines, isStart, isOver } = scanRows(rest, endOfRows, isLineStart)
          count += lines
          const piece = take(at)
          hash.update(piece)
          if (isOver) hash.update(take(endOfRows.length))
          if (piece.length > 0) yield piece
          if (isOver) return
          isLineStart = isStart
          await more()
        }
      }
      return { rows: rows(), count: () => count }
    },
    lastLine: async () => {
      const line = await takeLine()
      if (rest.length > 0 || !(await source.next()).done) throw onCut()
      return textOf(line)
    },
  }
}
