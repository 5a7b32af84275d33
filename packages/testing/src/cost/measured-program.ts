import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { programEnvironment } from '../compiled.ts'
import { type ProgramPath, programFile } from '../programs.ts'
import type { Cost, MeterAnswer, MeterCall } from './meter.ts'

const METER = new URL('./meter.ts', import.meta.url).href

/** A program in a process of its own, whose work can be measured. */
export type MeasuredProgram = {
  /** What it said once it was ready. */
  ready: Record<string, unknown>
  output: () => string
  /** How it ended; undefined while it runs. */
  end: () => string | undefined
  /** Measures what it does meanwhile. Tidied up, the memory is measured more exactly, and it takes longer. */
  measure: <T>(work: () => Promise<T>, isTidy?: boolean) => Promise<Cost & { result: T }>
  stop: () => Promise<void>
}

type Message = Record<string, unknown> & Partial<MeterAnswer>

const NOTHING: Cost = { processorMs: 0, loopMs: 0, memoryBytes: 0 }

/** Asks the meter in a program; a program that has ended says nothing. */
const askMeter = (child: ChildProcess, meter: MeterCall['meter'], ended: Promise<unknown>): Promise<Cost> => {
  const answered = new Promise<Cost>((resolve) => {
    const take = (message: Message) => {
      if (!message.meter) return
      child.off('message', take)
      resolve(message.meter)
    }
    child.on('message', take)
    if (child.connected) child.send({ meter } satisfies MeterCall)
  })
  return Promise.race([answered, ended.then(() => NOTHING)])
}

/** Starts a program, and waits until it says by a message that it is ready. */
export const startMeasured = async (
  program: ProgramPath,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<MeasuredProgram> => {
  const args = ['--expose-gc', '--import', METER, ...flags, await programFile(program)]
  const child = spawn(process.execPath, args, {
    env: { ...programEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  let end: string | undefined
  const ended = once(child, 'exit').then(([code, signal]) => {
    end = `ended with ${signal ?? code}`
    return end
  })
  const isReady = once(child, 'message').then(([message]) => message as Record<string, unknown>)
  const ready = await Promise.race([isReady, ended])
  if (typeof ready === 'string') throw new Error(`${program} ${ready}:\n${output}`)
  return {
    ready,
    output: () => output,
    end: () => end,
    measure: async (work, isTidy = false) => {
      await askMeter(child, isTidy ? 'tidy' : 'begin', ended)
      const result = await work()
      return { ...(await askMeter(child, 'end', ended)), result }
    },
    stop: async () => {
      if (end === undefined) child.kill('SIGTERM')
      await ended
    },
  }
}
