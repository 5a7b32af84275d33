/** Customers whose pages wait for a payment: a program of its own, so that what is measured is not slowed by it. */
import { RawConnection, rawRequest } from '../raw-client.ts'

type Task = { port: number; paths: string[]; customers: number; everyMs: number; seconds: number }

export type Waited = { offered: number; answered: number; p50: number; p99: number }

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/**
 * Each customer asks on a timetable, whatever became of the last question, and each answer is timed from when its
 * question was due: a server that stalls is not spared the questions of that time. One that is still unanswered when
 * the next is due counts as not answered.
 */
const wait = async ({ port, paths, customers, everyMs, seconds }: Task): Promise<Waited> => {
  const connections: RawConnection[] = []
  for (let i = 0; i < customers; i += 200) {
    const some = Array.from({ length: Math.min(200, customers - i) }, () => RawConnection.open(port))
    connections.push(...(await Promise.all(some)))
  }
  const requests = paths.map((path) => rawRequest('GET', path))
  const times: number[] = []
  const isBusy = new Uint8Array(customers)
  let offered = 0
  const start = performance.now() + 500
  const rounds = Math.floor((seconds * 1000) / everyMs)
  const perMs = customers / everyMs

  let due = 0
  const total = rounds * customers
  while (due < total) {
    const until = Math.min(total, Math.floor((performance.now() - start) * perMs))
    for (; due < until; due++) {
      const customer = due % customers
      offered++
      if (isBusy[customer]) continue
      isBusy[customer] = 1
      const dueAt = start + due / perMs
      const connection = connections[customer] as RawConnection
      void connection.send(requests[customer % requests.length] as string).then(({ status }) => {
        isBusy[customer] = 0
        if (status === 200) times.push(performance.now() - dueAt)
      })
    }
    await new Promise((later) => setTimeout(later, 1))
  }
  await new Promise((later) => setTimeout(later, everyMs))
  for (const connection of connections) connection.close()
  times.sort((a, b) => a - b)
  return { offered, answered: times.length, p50: at(times, 0.5), p99: at(times, 0.99) }
}

process.on('message', (task: Task) => {
  void wait(task).then((waited) => process.send?.(waited))
})
process.on('SIGTERM', () => process.exit(0))
process.send?.({ ready: true })
