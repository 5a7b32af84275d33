/** Customers' and operators' calls to a shop with a past, beside one without. */
import { percentile, round } from '../measure.ts'
import { RawConnection, rawRequest } from '../raw-client.ts'
import { type BenchShop, orderAndPay } from '../shop.ts'

const CALLS = ['order', 'pay', 'status', 'profile', 'history'] as const
type Times = Record<(typeof CALLS)[number], number[]>

const noTimes = (): Times => ({ order: [], pay: [], status: [], profile: [], history: [] })

const timed = async <T>(times: number[], call: () => Promise<T>): Promise<T> => {
  const start = performance.now()
  const answer = await call()
  times.push(performance.now() - start)
  return answer
}

/** One customer's way through the shop, each call timed. */
const visit = async (connection: RawConnection, token: string, times: Times): Promise<void> => {
  const paymentId = await orderAndPay(connection, token, (name, call) => timed(times[name], call))
  const get = (path: string) => connection.send(rawRequest('GET', path, token))
  await timed(times.status, () => get(`/api/v1/payment/status/${paymentId}`))
  await timed(times.profile, () => get('/api/v1/user/profile'))
  await timed(times.history, () => get('/api/v1/payment/history'))
}

export type Compared = { what: string; p50: [number, number]; p99: [number, number] }

/** Milliseconds of the empty and of the full shop, and how they compare. */
export const rowOf = ({ what, p50, p99 }: Compared) => ({
  what,
  'empty p50 ms': round(p50[0], 2),
  'full p50 ms': round(p50[1], 2),
  ratio: round(p50[1] / p50[0], 2),
  'empty p99 ms': round(p99[0], 2),
  'full p99 ms': round(p99[1], 2),
  'ratio ': round(p99[1] / p99[0], 2),
})

/** The same visits to both, in turns, by customers who each come a few times only: a past, not a habit, is measured. */
export const compareVisits = async (
  empty: BenchShop,
  full: BenchShop,
  rounds: number,
  lanes: number,
): Promise<Compared[]> => {
  const measured = await Promise.all(
    [empty, full].map(async (shop) => ({
      shop,
      times: noTimes(),
      lanes: await Promise.all(Array.from({ length: lanes }, () => RawConnection.open(shop.port))),
    })),
  )
  for (let turn = 0; turn < rounds; turn++) {
    for (const { shop, times, lanes: open } of measured) {
      const isWarm = turn >= rounds / 10
      await Promise.all(
        open.map((connection, lane) =>
          visit(
            connection,
            shop.tokens[(turn * lanes + lane) % shop.tokens.length] as string,
            isWarm ? times : noTimes(),
          ),
        ),
      )
    }
  }
  for (const { lanes: open } of measured) for (const lane of open) lane.close()
  const [small, large] = measured.map(({ times }) => times) as [Times, Times]
  return CALLS.map((what) => {
    const of = (share: number): [number, number] => [
      percentile(small[what], share),
      percentile(large[what], share),
    ]
    return { what, p50: of(0.5), p99: of(0.99) }
  })
}
