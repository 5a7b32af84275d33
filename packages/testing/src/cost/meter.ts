/**
 * Loaded before a program (`node --expose-gc --import`): tells its starter by messages what a piece of work costs. Memory
 * is the highest that the process was at while it worked, over what it had before.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

export type Cost = {
  /** Milliseconds of all threads, and of the one that answers everyone. */
  processorMs: number
  loopMs: number
  memoryBytes: number
}

/** To begin, tidied up first or not, or to end. */
export type MeterCall = { meter: 'begin' | 'tidy' | 'end' }
export type MeterAnswer = { meter: Cost }

/** Where Linux forgets, and tells, the highest memory that a process had. */
const [FORGET_PEAK, STATUS] = ['/proc/self/clear_refs', '/proc/self/status']
const hasPeaks = existsSync(FORGET_PEAK)

const total = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000

const peakBytes = (): number => {
  if (!hasPeaks) return process.memoryUsage.rss()
  return Number(/VmHWM:\s{1,20}(\d{1,12}) kB/.exec(readFileSync(STATUS, 'utf8'))?.[1]) * 1024
}

const now = (): Cost => ({
  processorMs: total(process.cpuUsage()),
  loopMs: total(process.threadCpuUsage()),
  memoryBytes: peakBytes(),
})

let before = now()

const begin = () => {
  if (hasPeaks) writeFileSync(FORGET_PEAK, '5')
  before = now()
}

process.on('message', ({ meter }: Partial<MeterCall>) => {
  if (meter === 'tidy') globalThis.gc?.()
  if (meter === 'begin' || meter === 'tidy') begin()
  const after = now()
  const cost: Cost = {
    processorMs: after.processorMs - before.processorMs,
    loopMs: after.loopMs - before.loopMs,
    memoryBytes: after.memoryBytes - before.memoryBytes,
  }
  if (meter) process.send?.({ meter: cost } satisfies MeterAnswer)
})
