import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { findRunning } from '@hedgerow/embedded-postgres/start'
import { freePort } from '@hedgerow/testing/free-port'
import { until } from '@hedgerow/testing/until'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isShopConnected } from '#care/backup/catalogue.queries.ts'
import { readSettings } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'
import { startServer } from '#server/server.ts'
import { failToStartApi, startApiProcess, stopStartingApi } from '#testing/api-process.ts'
import { aDataFolder, aUsedDataFolder } from '#testing/embedded-shop.ts'
import { type Environment, environmentOf, openGround } from '#testing/test-shop.ts'

/** The settings of a shop that brings its own database. */
const settingsOn = async (folder: string) => {
  const port = String(await freePort())
  return { DATA_DIR: folder, PORT: port, METRICS_PORT: '0', CONSOLE_PORT: 'off', RATE_LIMIT_SCALE: '0' }
}

const anEmbeddedShop = async () => {
  const folder = await aDataFolder()
  return () => settingsOn(folder)
}

const linesOf = (output: string) => output.trim().split('\n')
const LOGIN = { body: { username: 'ada@example.org', password: 'hedge sparrow 7' } }
const SIGNUP = { name: 'Ada', email: 'ada@example.org', signupPassword: 'hedge sparrow 7', acceptTerms: true }

test('a shop without DATABASE_URL brings its own database, and keeps what was committed when it is killed', async () => {
  const env = await anEmbeddedShop()
  const first = await startApiProcess(await env())
  expect((await first.call('POST', '/api/v1/user/create', { body: SIGNUP })).status).toBe(201)
  await first.kill()
  const settings = await env()
  // The database takes a moment to notice that the first shop is gone.
  const second = await until(() => startApiProcess(settings).catch(() => undefined))
  const reply = await second.call('POST', '/api/v1/user/login', LOGIN)
  expect(reply.body.detail).toMatch(/confirm your email/i)
  expect(await second.stop()).toBe(0)
})

test.each(['1', '2'])(
  'a shop with PROCESSES=%s that is told to stop while it starts leaves no database running',
  async (PROCESSES) => {
    const env = { ...(await (await anEmbeddedShop())()), PROCESSES }
    await stopStartingApi(env, () => until(() => findRunning(env.DATA_DIR).catch(() => undefined)))
    expect(await findRunning(env.DATA_DIR)).toBeUndefined()
  },
)

test('a second shop on the same folder says so in one line, and leaves the first alone', async () => {
  const folder = await aUsedDataFolder()
  const env = () => settingsOn(folder)
  const first = await startApiProcess(await env())
  const { code, output } = await failToStartApi(await env())
  expect(code).toBe(1)
  expect(linesOf(output)).toEqual([expect.stringMatching(/is in use by another running shop.*DATA_DIR/)])
  expect((await first.call('GET', '/readyz')).status).toBe(200)
  expect(await first.stop()).toBe(0)
})

const aTakenPort = async (): Promise<number> => {
  const taken = createServer()
  await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void taken.close())
  return (taken.address() as { port: number }).port
}

describe('a shop that cannot listen', () => {
  test('names a busy PORT in one line, and leaves no database running', async () => {
    const port = await aTakenPort()
    const env = { ...(await settingsOn(await aUsedDataFolder())), PORT: String(port) }
    const { code, output } = await failToStartApi(env)
    expect(code).toBe(1)
    expect(linesOf(output)).toEqual([expect.stringMatching(new RegExp(`Port ${port} is in use.*PORT`))])
    expect(await findRunning(env.DATA_DIR)).toBeUndefined()
  })

  const failToListen = async (env: Environment): Promise<Error> => {
    const { close, ...ground } = await openGround({ env })
    onTestFinished(close)
    const settings = readSettings(environmentOf(ground, await freePort()))
    const error = await startServer({ settings }).then(
      () => undefined,
      (fault: Error) => fault,
    )
    await expect.poll(() => isShopConnected(ground.db)).toBe(false)
    expect(error).toBeInstanceOf(StartError)
    return error as Error
  }

  test.each(['METRICS_PORT', 'CONSOLE_PORT'])('names a busy %s, and leaves nothing running', async (name) => {
    const port = await aTakenPort()
    const { message } = await failToListen({ [name]: String(port) })
    expect(message).toMatch(new RegExp(`^Port ${port} is in use.*${name}`))
  })

  test('names an address that is not this machine’s', async () => {
    const { message } = await failToListen({ METRICS_HOST: '192.0.2.1' })
    expect(message).toMatch(/^192\.0\.2\.1 is no address.*METRICS_HOST/)
  })
})

test('settings that are wrong are named line by line, without a stack', async () => {
  const { code, output } = await failToStartApi({
    PORT: 'x',
    LOG_LEVEL: 'loud',
    DATA_DIR: tmpdir(),
    KEY_ENCRYPTION_KEY: 'x',
  })
  expect(code).toBe(1)
  expect(linesOf(output)).toEqual([
    expect.stringMatching(/^PORT must/),
    expect.stringMatching(/^LOG_LEVEL must/),
    expect.stringMatching(/^KEY_ENCRYPTION_KEY must/),
  ])
})

test('a database that cannot be reached is reported in one line', async () => {
  const DATABASE_URL = 'postgres://nobody:secret@127.0.0.1:9/nothing'
  const { code, output } = await failToStartApi({ ...(await settingsOn(tmpdir())), DATABASE_URL })
  expect(code).toBe(1)
  expect(output).not.toContain('secret')
  expect(linesOf(output)).toHaveLength(1)
})
