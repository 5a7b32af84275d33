import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { Pool } from 'pg'
import { startChild } from './child.ts'
import { median, medianOfThree, percentile, ratePerSecond } from './measure.ts'
import { RawConnection, rawRequest } from './raw-client.ts'

/** What is asked of the shop, beside the same asked of a yardstick in the same run. */
export type Beside = { value: number; yardstick: number }

const openAll = (port: number, count: number) =>
  Promise.all(Array.from({ length: count }, () => RawConnection.open(port)))

type Asked = { port: number; request: string }

/** Answers a second to so many connections, by turns. */
export const answersBeside = async (
  shop: Asked,
  yardstick: Asked,
  lanes: number,
  seconds: number,
): Promise<Beside> => {
  const rates: number[] = []
  const rateOf = async ({ port, request }: Asked) => {
    const connections = await openAll(port, lanes)
    const rate = await ratePerSecond(lanes, seconds, async (lane) => {
      await (connections[lane] as RawConnection).send(request)
    })
    for (const connection of connections) connection.close()
    return rate
  }
  const value = await medianOfThree(async () => {
    rates.push(await rateOf(yardstick))
    return rateOf(shop)
  })
  return { value, yardstick: median(rates) }
}

/** A program that answers everything with these bytes. */
export const serveBytes = (body: string) => startChild('./bare-bytes.ts', { BARE_BODY: body })

const PASSWORD = 'a bench that nobody sits on'
/** The shop's own cost (apps/api/src/people/passwords/passwords.ts). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Milliseconds that one customer waits for an answer, asking every 10 ms for so long; 99 of a hundred are sooner. */
const p99Of = async (connection: RawConnection, request: string, seconds: number): Promise<number> => {
  const taken: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const start = performance.now()
    await connection.send(request)
    taken.push(performance.now() - start)
    await pause(10)
  }
  return percentile(taken, 0.99)
}

/** So many customers with passwords, who log in again and again. */
export const startLogIns = async (port: number, databaseUrl: string, lanes: number) => {
  const passwordHash = await hash(PASSWORD, COST)
  const pool = new Pool({ connectionString: databaseUrl, max: 1 })
  const emails = Array.from({ length: lanes }, () => `${randomUUID()}@bench.example`)
  for (const email of emails)
    await pool.query(
      `insert into customers (id, email, name, promocode, password_hash, confirmed_at) values ($1, $2, 'Bench', $3, $4, now())`,
      [randomUUID(), email, randomUUID(), passwordHash],
    )
  await pool.end()
  let done = 0
  const perSecond = async (seconds: number): Promise<number> => {
    const connections = await openAll(port, lanes)
    const rate = await ratePerSecond(lanes, seconds, async (lane) => {
      const body = { username: emails[lane], password: PASSWORD }
      const reply = await (connections[lane] as RawConnection).send(
        rawRequest('POST', '/api/v1/user/login', undefined, body),
      )
      if (reply.status !== 200) throw new Error(`log-in: ${reply.status} ${reply.body}`)
      done++
    })
    for (const connection of connections) connection.close()
    return rate
  }
  return { passwordHash, perSecond, done: () => done }
}

/** `othersMs`: what another customer's request takes meanwhile, p99, and `aloneMs` while nobody logs in. */
export type LogIns = Beside & { othersMs: number; aloneMs: number }

/** Log-ins a second, beside what so many checks of the password alone take. `other`: what someone else asks during more of them. */
export const logInsBeside = async (
  { passwordHash, perSecond }: Awaited<ReturnType<typeof startLogIns>>,
  port: number,
  seconds: number,
  other: string,
): Promise<LogIns> => {
  const checks: number[] = []
  const alone: number[] = []
  const meanwhile: number[] = []
  const value = await medianOfThree(async () => {
    checks.push(await ratePerSecond(4, seconds, async () => void (await verify(passwordHash, PASSWORD))))
    const rate = await perSecond(seconds)
    // Only now: the shop cuts who says nothing for long.
    const customer = await RawConnection.open(port)
    alone.push(await p99Of(customer, other, seconds))
    const [others] = await Promise.all([p99Of(customer, other, seconds), perSecond(seconds)])
    meanwhile.push(others)
    customer.close()
    return rate
  })
  return { value, yardstick: median(checks), othersMs: median(meanwhile), aloneMs: median(alone) }
}

/** Milliseconds until a customer with all these purchases has the profile. */
export const profileMs = async (port: number, token: string, times: number): Promise<number> => {
  const connection = await RawConnection.open(port)
  const request = rawRequest('GET', '/api/v1/user/profile', token)
  const taken: number[] = []
  for (let time = 0; time < times; time++) {
    const start = performance.now()
    await connection.send(request)
    taken.push(performance.now() - start)
  }
  connection.close()
  return median(taken)
}
