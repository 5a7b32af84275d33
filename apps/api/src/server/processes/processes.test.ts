import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OF_A_PROCESS, warnOfFewConnections } from '#platform/database/connections-needed.ts'
import { RECURRING_JOBS } from '#platform/queue/add-job.ts'
import { failToStartApi, type ProcessOptions, startApiProcess } from '#testing/api-process.ts'
import { aPurchase } from '#testing/payments.ts'
import { type Environment, environmentOf, openGround } from '#testing/test-shop.ts'

/** The processes that this one has started. */
const childrenOf = async (pid: number): Promise<number[]> => {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A shop of two processes behind one port. */
const aShopOfTwo = async (env: Environment = {}, options?: ProcessOptions) => {
  const ground = await openGround()
  onTestFinished(ground.close)
  const port = await freePort()
  const api = await startApiProcess({ ...environmentOf(ground, port), PROCESSES: '2', ...env }, options)
  return { ...ground, ...api, port, workers: () => childrenOf(api.pid) }
}

type Shop = Awaited<ReturnType<typeof aShopOfTwo>>

/** No call takes so long. */
const HANGS_MS = 20_000

/** By a connection of its own: only those are shared out. */
const post = ({ port }: Pick<Shop, 'port'>, path: string, body: unknown): Promise<number> =>
  new Promise((answered, failed) => {
    const agent = new Agent({ keepAlive: false })
    const options = { port, path, method: 'POST', agent, headers: { 'content-type': 'application/json' } }
    const call = request({ ...options, timeout: HANGS_MS }, (reply) => {
      reply.resume()
      reply.on('end', () => answered(reply.statusCode ?? 0))
    })
    call.on('error', failed)
    call.on('timeout', () => call.destroy(new Error('no answer')))
    call.end(JSON.stringify(body))
  })

const logIn = (shop: Pick<Shop, 'port'>, n: number) =>
  post(shop, '/api/v1/user/login', { username: `nobody${n}@example.org`, password: 'short' })

describe('two processes behind one port', { timeout: 120_000 }, () => {
  test('share customers and limits, and plan each recurring job once', async () => {
    const shop = await aShopOfTwo({ RATE_LIMIT_SCALE: '1', LOG_LEVEL: 'debug' })
    const answers: number[] = []
    for (let n = 0; n < 70; n++) answers.push(await logIn(shop, n))
    expect(answers.filter((status) => status !== 429)).toHaveLength(60)
    const answered = logLines(shop.output()).filter(({ msg }) => msg === 'answered')
    expect(new Set(answered.map(({ pid }) => pid))).toEqual(new Set(await shop.workers()))
    const { rows } = await sql<{ task: string; count: number }>`
      select task_identifier as task, count(*)::integer as count from graphile_worker.jobs
      where key = task_identifier and locked_at is null group by 1`.execute(shop.db)
    expect(rows.filter(({ count }) => count > 1)).toEqual([])
    await until(async () => {
      const all = await sql<{ task: string }>`
        select distinct task_identifier as task from graphile_worker.jobs where key = task_identifier`.execute(
        shop.db,
      )
      return all.rows.length >= RECURRING_JOBS.length
    })
  })

  test('go on when one of them is killed, and another takes its place', async () => {
    const shop = await aShopOfTwo({ LOG_LEVEL: 'error' })
    const [killed = 0, other = 0] = await shop.workers()
    process.kill(killed, 'SIGKILL')
    await until(() => !isAlive(killed))
    await aPurchase(shop)
    const workers = await until(async () => {
      const now = await shop.workers()
      return now.length === 2 && now
    })
    expect(workers).toContain(other)
    expect(workers).not.toContain(killed)
    const line = await until(() => logLines(shop.output())[0])
    expect(line).toMatchObject({
      msg: 'a process of the shop ended, and is started again',
      signal: 'SIGKILL',
      endedPid: killed,
    })
  })

  test('lose no call when one of them is killed but those that it had itself', async () => {
    const shop = await aShopOfTwo({ LOG_LEVEL: 'error' })
    const [killed = 0] = await shop.workers()
    const AT_ONCE = 8
    let left = 400
    const lost: string[] = []
    const visit = async () => {
      while (left-- > 0) {
        if (left === 200) process.kill(killed, 'SIGKILL')
        await post(shop, '/api/v1/user/login', {}).catch((error) => lost.push(error.code ?? error.message))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visit))
    expect(lost.filter((reason) => !['ECONNRESET', 'EPIPE'].includes(reason))).toEqual([])
    expect(lost.length).toBeLessThanOrEqual(AT_ONCE)
  })

  test('come up though each of them is killed before it serves', async () => {
    const killed: number[] = []
    const killOnce = async (pid: number) => {
      for (const number of [1, 2]) {
        const worker = await until(async () => {
          const workers = await childrenOf(pid)
          return workers.length === number && workers.findLast((one) => !killed.includes(one))
        })
        process.kill(worker, 'SIGKILL')
        killed.push(worker)
      }
    }
    let killing: Promise<void> | undefined
    const shop = await aShopOfTwo(
      { LOG_LEVEL: 'error' },
      { whileStarting: (pid) => (killing = killOnce(pid)) },
    )
    await killing
    // On a busy machine the last one may have served already.
    const ended = () => logLines(shop.output()).map(({ endedPid }) => Number(endedPid))
    await until(() => killed.every((pid) => ended().includes(pid)))
    expect(ended().filter((pid) => killed.includes(pid))).toEqual(killed)
    await until(async () => (await shop.workers()).length === 2)
    await aPurchase(shop)
  })

  test('all end in order by one SIGTERM, though it reaches each of them too', async () => {
    const shop = await aShopOfTwo()
    const workers = await shop.workers()
    expect(workers).toHaveLength(2)
    for (const pid of workers) process.kill(pid, 'SIGTERM')
    expect(await shop.stop()).toBe(0)
    expect(workers.filter(isAlive)).toEqual([])
    expect(shop.output()).not.toMatch(/fatal|Error/)
  })

  test('invite the first owner once', async () => {
    const shop = await aShopOfTwo({ CONSOLE_PORT: String(await freePort()) })
    const { rows } = await sql`select from operator_invitations`.execute(shop.db)
    expect(rows).toHaveLength(1)
  })
})

test('more processes than the database has connections for are reported', async () => {
  const ground = await openGround()
  onTestFinished(ground.close)
  const warnings: unknown[] = []
  const log = { warn: (line: unknown) => void warnings.push(line) }
  await warnOfFewConnections(ground.db, 1, log)
  await warnOfFewConnections(ground.db, 64, log)
  expect(warnings).toEqual([expect.objectContaining({ processes: 64, wanted: 64 * OF_A_PROCESS })])
})

describe('a start of two processes that cannot succeed ends whole, and says why once:', {
  timeout: 60_000,
}, () => {
  test('a setting', async () => {
    const { code, output } = await failToStartApi({ PROCESSES: '2', GATE_URL: 'nowhere' })
    expect(output.match(/GATE_URL/g)).toHaveLength(1)
    expect(code).toBe(1)
  })

  test('a number of processes that is none', async () => {
    const { code, output } = await failToStartApi({ PROCESSES: '0' })
    expect(output).toMatch(/PROCESSES must be a whole number from 1 to 64, or auto, not "0"/)
    expect(code).toBe(1)
  })

  test('a machine that kills them', async () => {
    const ground = await openGround()
    onTestFinished(ground.close)
    const env = { ...environmentOf(ground, await freePort()), PROCESSES: '2', LOG_LEVEL: 'fatal' }
    const { code, output } = await failToStartApi(env, (pid) => {
      const kill = async () => {
        for (const worker of await childrenOf(pid)) if (isAlive(worker)) process.kill(worker, 'SIGKILL')
      }
      const killing = setInterval(kill, 50)
      onTestFinished(() => clearInterval(killing))
    })
    expect(logLines(output)).toEqual([
      expect.objectContaining({
        msg: 'a process of the shop was killed at 5 starts in a row: the shop ends',
        signal: 'SIGKILL',
      }),
    ])
    expect(code).toBe(1)
  })

  test('a database that is not there', async () => {
    const env = { PROCESSES: '2', DATABASE_URL: 'postgres://hedgerow@127.0.0.1:1/none' }
    const { code, output } = await failToStartApi(env)
    expect(output.match(/cannot be used/g)).toHaveLength(1)
    expect(code).toBe(1)
  })
})
