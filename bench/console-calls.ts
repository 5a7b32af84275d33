import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { hashToken } from '@hedgerow/api/crypto/tokens'
import type { Pool } from 'pg'
import { median, percentile } from './measure.ts'

export type Call = { what: string; p50: number; p99: number; aim: string }

const WARM_UP = 20

/** As fill-shop.ts makes them. */
const surname = (n: number) =>
  createHash('md5')
    .update(`surname${n}`)
    .digest('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
    .slice(0, 9)

/** An operator who has logged in to the console at `url`, and what they look at. */
export const openConsole = async (pool: Pool, url: string) => {
  const session = randomBytes(32).toString('base64url')
  const operatorId = randomUUID()
  await pool.query("insert into operators (id, name, role) values ($1, 'Bench', 'owner')", [operatorId])
  await pool.query('insert into operator_sessions (token_hash, operator_id) values ($1, $2)', [
    hashToken(session),
    operatorId,
  ])
  const headers = { cookie: `operator-session=${session}` }
  const get = async (path: string) => {
    const reply = await fetch(url + path, { headers })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }

  /** Milliseconds of lists and searches, in a shop with so many customers of the past. */
  const lists = async (customers: number, rounds: number): Promise<Call[]> => {
    const measure = async (what: string, pathOf: (turn: number) => string, aim: string) => {
      for (let turn = 0; turn < WARM_UP; turn++) await (await get(pathOf(turn))).arrayBuffer()
      const times: number[] = []
      for (let turn = 0; turn < rounds; turn++) {
        const start = performance.now()
        await (await get(pathOf(turn))).arrayBuffer()
        times.push(performance.now() - start)
      }
      return { what, p50: median(times), p99: percentile(times, 0.99), aim }
    }
    let after = ''
    for (let page = 0; page < 10; page++) {
      const { next } = (await (await get(`/api/v1/payments?rows=200${after}`)).json()) as { next?: string }
      if (!next) break
      after = `&after=${next}`
    }
    const anyone = (turn: number) => 1 + ((turn * 7919) % customers)
    const { rows: ids } = await pool.query<{ id: string }>(
      'select id from payments tablesample system (1) limit 200',
    )
    const idOf = (turn: number) => ids[turn % ids.length]?.id ?? '0'.repeat(32)
    return [
      await measure('yardstick: who is logged in', () => '/api/v1/session', ''),
      await measure('payments, first page', () => '/api/v1/payments', '≤ 100'),
      await measure('payments, a page 2,000 rows on', () => `/api/v1/payments?rows=50${after}`, '≤ 100'),
      await measure('payments, declined', () => '/api/v1/payments?status=Decline', '≤ 100'),
      await measure('payments, oldest first', () => '/api/v1/payments?sort=createdAt', '≤ 100'),
      await measure('orders, first page', () => '/api/v1/orders', '≤ 100'),
      await measure('customers, first page', () => '/api/v1/customers', '≤ 100'),
      await measure('connections, first page', () => '/api/v1/connections', '≤ 100'),
      await measure('invoices, first page', () => '/api/v1/invoices', '≤ 100'),
      await measure(
        'search an email',
        (turn) => `/api/v1/search?words=past${anyone(turn)}@bench.example`,
        '≤ 200',
      ),
      await measure(
        'search the beginning of an email',
        (turn) => `/api/v1/search?words=past${anyone(turn)}`,
        '≤ 200',
      ),
      await measure(
        'search a part of an email',
        (turn) => `/api/v1/search?words=${`st${anyone(turn)}@be`}`,
        '≤ 200',
      ),
      await measure(
        'search a part of a surname',
        (turn) => `/api/v1/search?words=${surname(anyone(turn)).slice(2, 8)}`,
        '≤ 200',
      ),
      await measure(
        'search a part that nearly all have',
        () => '/api/v1/search?words=bench.example',
        '≤ 200',
      ),
      await measure('search a sum', () => '/api/v1/search?words=%E2%82%AC30.03', '≤ 200'),
      await measure('search a payment', (turn) => `/api/v1/search?words=${idOf(turn)}`, '≤ 200'),
      await measure('search what there is not', (turn) => `/api/v1/search?words=zz${turn}`, '≤ 200'),
      await measure('Today', () => '/api/v1/today', ''),
    ]
  }
  return { get, lists }
}
