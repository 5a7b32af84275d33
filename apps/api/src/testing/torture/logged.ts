import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

const messageOf = (line: string): string => {
  try {
    const { msg, job, err } = JSON.parse(line)
    return [msg, job, err?.message].filter(Boolean).join(': ').slice(0, 160)
  } catch {
    return line.slice(0, 160)
  }
}

/** What the API's processes had to say, and how often; ids and numbers left out. */
export const countLogged = async (files: readonly string[]): Promise<Map<string, number>> => {
  const counts = new Map<string, number>()
  for (const file of files) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const message = messageOf(line).replaceAll(/[0-9a-f]{8,}[0-9a-f-]*|\d+/g, '…')
      counts.set(message, (counts.get(message) ?? 0) + 1)
    }
  }
  return counts
}
