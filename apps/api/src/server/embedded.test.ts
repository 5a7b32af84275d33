import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { findRunning } from '@hedgerow/embedded-postgres/start'
import { until } from '@hedgerow/testing/until'
import { expect, onTestFinished, test } from 'vitest'
import { failToStartApi, startApiProcess, stopStartingApi } from '#testing/api-process.ts'
import { aDataFolder } from '#testing/embedded-shop.ts'

/** The settings of a shop that brings its own database, and nothing that it leaves behind. */
const anEmbeddedShop = async () => {
  const folder = await aDataFolder()
  return async () => {
    const port = String(await freePort())
    return { DATA_DIR: folder, PORT: port, METRICS_PORT: '0', CONSOLE_PORT: 'off', RATE_LIMIT_SCALE: '0' }
  }
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
  const env = await anEmbeddedShop()
  const first = await startApiProcess(await env())
  const { code, output } = await failToStartApi(await env())
  expect(code).toBe(1)
  expect(linesOf(output)).toEqual([expect.stringMatching(/is in use by another running shop.*DATA_DIR/)])
  expect((await first.call('GET', '/readyz')).status).toBe(200)
  expect(await first.stop()).toBe(0)
})

test.each(['PORT', 'METRICS_PORT', 'CONSOLE_PORT'])(
  'a busy %s is named in one line, and nothing is left running',
  async (name) => {
    const env = await anEmbeddedShop()
    const taken = createServer()
    await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', ready))
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const settings = { ...(await env()), [name]: String(port) }
    const { code, output } = await failToStartApi(settings)
    expect(code).toBe(1)
    expect(linesOf(output)).toEqual([expect.stringMatching(new RegExp(`Port ${port} is in use.*${name}`))])
    expect(await findRunning(settings.DATA_DIR)).toBeUndefined()
  },
)

test('an address that is not this machine’s is reported in one line', async () => {
  const env = await anEmbeddedShop()
  const { code, output } = await failToStartApi({ ...(await env()), METRICS_HOST: '192.0.2.1' })
  expect(code).toBe(1)
  expect(linesOf(output)).toEqual([expect.stringMatching(/192\.0\.2\.1 is no address.*METRICS_HOST/)])
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
  const env = await anEmbeddedShop()
  const DATABASE_URL = 'postgres://nobody:secret@127.0.0.1:9/nothing'
  const { code, output } = await failToStartApi({ ...(await env()), DATABASE_URL })
  expect(code).toBe(1)
  expect(output).not.toContain('secret')
  expect(linesOf(output)).toHaveLength(1)
})
