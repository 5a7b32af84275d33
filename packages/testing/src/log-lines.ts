export type LogLine = {
  level: number
  msg: string
  requestId?: string
  job?: string
  [more: string]: unknown
}

/** The JSON lines among what a program has said. */
export const logLines = (output: string): LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line))
