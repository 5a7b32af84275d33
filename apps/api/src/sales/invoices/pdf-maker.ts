import { Worker } from 'node:worker_threads'
import { invalidField, Problem } from '#platform/http/problems.ts'
import type { PdfAnswer, PdfData, PdfOrder } from '#sales/invoices/pdf-worker.ts'

export type PdfMaker = {
  /** Throws 'invalid' for a text that cannot be printed, and 'unavailable' when too many wait already. */
  make: (data: PdfData) => Promise<Buffer>
  close: () => Promise<void>
}

export type InvoiceDependencies = Readonly<{ pdfs: PdfMaker }>

/** About a second's work. */
const MOST_WAITING = 30
/** The thread holds its fonts, some 50 MB; a shop that prints now and then gives them back. */
const IDLE_MS = 60_000
const HEAP_MB = 128

type Waiting = { done: (pdf: Buffer) => void; failed: (error: unknown) => void }

const stopped = () => new Problem('unavailable', { retryAfterSeconds: 2 })

/**
 * Makes documents in a thread that is started when one is wanted, and ends when none was for a while. It gives way to all
 * other work; in tests it does not, since beside a full load it would never have its turn.
 */
export const createPdfMaker = ({ givesWay = true } = {}): PdfMaker => {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let orders = 0

  const failAll = (error: unknown) => {
    for (const { failed } of waiting.values()) failed(error)
    waiting.clear()
  }

  const end = async () => {
    clearTimeout(idle)
    const ended = worker
    worker = undefined
    failAll(stopped())
    await ended?.terminate()
  }

  const finish = (answer: PdfAnswer) => {
    const { done, failed } = waiting.get(answer.id) ?? {}
    waiting.delete(answer.id)
    if ('pdf' in answer) done?.(Buffer.from(answer.pdf))
    else if ('refused' in answer) failed?.(invalidField(answer.refused.path, answer.refused.message))
    else failed?.(answer.fault)
    if (waiting.size === 0) idle = setTimeout(() => void end(), IDLE_MS).unref()
  }

  const start = (): Worker => {
    const started = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      workerData: { givesWay },
    })
    // A shop that stops does not wait for it.
    started.unref()
    const lose = (error: unknown) => {
      if (worker !== started) return
      worker = undefined
      failAll(error)
    }
    started.on('message', finish)
    started.on('error', lose)
    started.on('exit', () => lose(stopped()))
    return started
  }

  return {
    make: (data) => {
      if (waiting.size >= MOST_WAITING) throw stopped()
      clearTimeout(idle)
      worker ??= start()
      const id = ++orders
      const order: PdfOrder = { id, data }
      return new Promise((done, failed) => {
        waiting.set(id, { done, failed })
        worker?.postMessage(order)
      })
    },
    close: end,
  }
}
