import { Agent, request as httpRequest } from 'node:http'
import type { MeasuredProgram } from './measured-program.ts'
import type { Cost } from './meter.ts'

/** What one request may cost. */
export const MOST = { processorMs: 50, memoryBytes: 20 * 1024 * 1024 } as const

export type HostileRequest = {
  /** What is hostile about it. */
  what: string
  method: string
  path: string
  headers?: Record<string, string>
  /** Made when it is sent: all of them together are gigabytes. */
  body?: () => string
  /** What it may use besides, and why: known costs that are meant. */
  besides?: { processorMs: number; memoryBytes: number; why: string }
}

const HANGS_AFTER_MS = 20_000
/** From here on a first impression is looked at again. */
const SUSPICIOUS = 0.5
const REPEATS = 7
const REST_MS = 150
const SHOWN = 160

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Sends a request as it stands, and returns the status of the answer. */
export const sendTo = (
  base: string,
  { method, path, headers = {}, body: make }: HostileRequest,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const body = make?.()
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest({ hostname, port, method, path, agent, headers: { ...headers, ...length } })
    request.setTimeout(HANGS_AFTER_MS, () => request.destroy(new Error('hangs')))
    request.on('error', reject)
    request.on('response', (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    request.end(body)
  })

const WORK = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ i, text: `text ${i}` })))
let fastest = Infinity

/** How many times as long the processor takes for a piece of work as it did at best: other programs share its caches. */
const slowness = (): number => {
  const before = process.cpuUsage()
  JSON.parse(WORK)
  const { user, system } = process.cpuUsage(before)
  fastest = Math.min(fastest, user + system)
  return (user + system) / fastest
}

type Answer = number | Error

/** What was asked for before may still be done, by jobs. */
const rest = () => new Promise((later) => setTimeout(later, REST_MS))

const mostOf = ({ besides }: HostileRequest) => ({
  processorMs: MOST.processorMs + (besides?.processorMs ?? 0),
  memoryBytes: MOST.memoryBytes + (besides?.memoryBytes ?? 0),
})

const isOver = (cost: Omit<Cost, 'loopMs'>, most: typeof MOST | ReturnType<typeof mostOf>, share = 1) =>
  cost.processorMs > most.processorMs * share || cost.memoryBytes > most.memoryBytes * share

const costFault = ({ processorMs, memoryBytes }: Omit<Cost, 'loopMs'>): string =>
  `costs ${Math.round(processorMs)} ms of processor time and ${Math.round(memoryBytes / 1024 ** 2)} MB`

const answerFault = (answer: Answer, program: MeasuredProgram): string | undefined => {
  if (program.end()) return `ends the program: ${program.end()}\n${program.output().slice(-1000)}`
  if (answer instanceof Error) return `gets no answer: ${answer.message}`
  return answer >= 500 ? `is answered with ${answer}\n${program.output().slice(-1000)}` : undefined
}

const describe = ({ method, path, what }: HostileRequest): string =>
  `${method} ${path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path} (${what})`

/**
 * Sends a request and returns what is wrong with how it was met: no answer, a fault of the server's, or a cost that is too
 * high. Undefined where nothing is. A high cost is measured again, because other work of the program may have caused it.
 */
export const judge = async (
  program: MeasuredProgram,
  base: string,
  request: HostileRequest,
): Promise<string | undefined> => {
  const send = (): Promise<Answer> => sendTo(base, request).catch((error: Error) => error)
  // A connection that was kept may have been closed at this very moment.
  const sendTwice = async () => {
    const answer = await send()
    return answer instanceof Error && !program.end() && answer.message !== 'hangs' ? send() : answer
  }
  const first = await program.measure(sendTwice)
  const fault = answerFault(first.result, program)
  if (fault) return `${describe(request)} ${fault}`
  const most = mostOf(request)
  if (!isOver(first, most, SUSPICIOUS)) return undefined
  // The least of several, as on a processor of one's own: other work, and code that is new to the program, cannot make it less.
  const least: Cost = { processorMs: Infinity, loopMs: Infinity, memoryBytes: Infinity }
  for (let i = 0; i < REPEATS && isOver(least, most); i++) {
    await rest()
    const before = slowness()
    const cost = await program.measure(sendTwice, true)
    least.processorMs = Math.min(least.processorMs, cost.processorMs / Math.min(before, slowness()))
    least.memoryBytes = Math.min(least.memoryBytes, cost.memoryBytes)
  }
  return isOver(least, most) ? `${describe(request)} ${costFault(least)}` : undefined
}
