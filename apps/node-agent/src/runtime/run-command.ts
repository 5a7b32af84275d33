import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const WITHIN_MS = 60_000
/** Services get a short PATH; these tools live in the directories of the administrator. */
export const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

/** Runs a program without a shell, gives it `input`, and hands its output over line by line. */
export const eachLine = async (
  program: string,
  args: readonly string[],
  onLine: (line: string) => void,
  input = '',
): Promise<void> => {
  const child = spawn(program, args, { env, timeout: WITHIN_MS })
  let complaint = ''
  child.stderr.on('data', (data) => {
    complaint = (complaint + data).slice(0, 2_000)
  })
  createInterface({ input: child.stdout }).on('line', onLine)
  // A program that ends early closes its input; its exit code says why.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  await new Promise<void>((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${program} cannot be run: ${error.message}`)))
    child.on('close', (code) => {
      if (code === 0) resolve()
      // Arguments and input stay out of it: they may name peers.
      else
        reject(new Error(`${program} ${args[0] ?? ''}: ${withoutInput(complaint) || `ended with ${code}`}`))
    })
  })
}

/** Tools repeat the line that they did not like: only what they say of it is kept. */
const withoutInput = (complaint: string): string =>
  complaint
    .split('\n')
    .filter((line) => /error|answers|denied|permitted|unable|unknown|cannot|failed|must be/i.test(line))
    .map((line) => line.trim())
    .slice(0, 3)
    .join('; ')

export const runCommand = async (
  program: string,
  args: readonly string[],
  input?: string,
): Promise<string> => {
  const lines: string[] = []
  await eachLine(program, args, (line) => lines.push(line), input)
  return lines.join('\n')
}
