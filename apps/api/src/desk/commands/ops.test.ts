import { findRunning } from '@hedgerow/embedded-postgres/start'
import { versionLine } from '@hedgerow/settings/running-version'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildProgram } from '#ops.ts'
import { aDataFolder, aUsedDataFolder, startEmbeddedShop } from '#testing/embedded-shop.ts'
import { runOps, runOpsProgram } from '#testing/ops.ts'
import { emptyDatabase } from '#testing/test-database.ts'

const NOWHERE = { DATABASE_URL: 'postgres://nobody:x9Kd72mQp@127.0.0.1:9/nothing' }

describe('ops', () => {
  test('lists its commands', async () => {
    const { code, out } = await runOps(NOWHERE, '--help')
    const { commands } = await buildProgram()
    for (const { name, summary } of commands.map((one) => ({ name: one.name(), summary: one.summary() })))
      expect(out).toMatch(new RegExp(`\\n {2}${name} .*${RegExp.escape(summary.slice(0, 12))}`))
    expect(code).toBe(0)
  })

  test('reads a command alone by the word that calls it', async () => {
    const words = (await buildProgram()).commands.map((one) => one.name())
    for (const word of words.filter((each) => each !== 'completion')) {
      const { commands } = await buildProgram(word)
      expect(commands.map((one) => one.name())).toEqual([word])
    }
  })

  test('tells its version without a database', async () => {
    expect(await runOps(NOWHERE, '--version')).toMatchObject({ code: 0, out: `${versionLine()}\n` })
  })

  // Of every command: help.test.ts.
  test.each(['refund', 'withdrawal paid'])('%s has help that needs no database', async (command) => {
    const { code, out, err } = await runOps(NOWHERE, ...command.split(' '), '--help')
    expect(out).toMatch(new RegExp(`^Usage: ops ${command}`))
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  test.each([
    [''],
    ['repay'],
    ['payment'],
    ['payment list --status Paid'],
    ['payment list --since yesterday'],
    ['refund 1 10.50'],
    ['refund 1 --amount 10,50'],
    ['refund 1 --amount 0'],
    ['refund 1 --fast'],
    ['refund resolve 1 --as sent'],
    ['refund resolve 1 2'],
    ['refund resolve 1 2 --as gone'],
    ['reconcile --since yesterday'],
    ['reconcile --since 2026-02-30'],
    ['rate set USD 4'],
    ['rate set EUR 4,25'],
    ['node'],
    ['node add'],
    ['node add London'],
    ['node show'],
    ['node grow London'],
    ['connection'],
    ['connection list --status fast'],
    ['connection move 1'],
    ['support'],
    ['support reply 12345678'],
    ['support list --state whatever'],
    ['application set 12345678 --state new'],
    ['restore'],
    ['restore x --fast'],
  ])('"%s" is wrong usage: it says why, and exits with 2', async (line) => {
    const { code, out, err } = await runOps(NOWHERE, ...line.split(' ').filter(Boolean))
    expect(err).toMatch(/^error: |^Usage: /)
    expect(err).not.toMatch(/\n {4}at /)
    expect(out).toBe('')
    expect(code).toBe(2)
  })

  test('a database that cannot be reached is told in one line, without its password', async () => {
    const { code, err } = await runOps(NOWHERE, 'rate', 'list')
    expect(err).toMatch(/^The database nothing at 127\.0\.0\.1:9 cannot be used: .*DATABASE_URL\.\n$/)
    expect(err).not.toContain('x9Kd72mQp')
    expect(code).toBe(3)
  })

  test('a database without the tables of this version is told so', async () => {
    const { url, drop } = await emptyDatabase()
    onTestFinished(drop)
    const { code, err } = await runOps({ DATABASE_URL: url }, 'rate', 'list')
    expect(err).toMatch(/^The database belongs to another version of the shop\..*\n$/)
    expect(code).toBe(3)
  })

  test('in production it asks for what it uses, and for nothing else', async () => {
    const { code, err } = await runOps({ NODE_ENV: 'production' }, 'rate', 'list')
    expect(err).toBe('DATABASE_URL is required in production; .env.example shows one\n')
    expect(code).toBe(2)
    // A gateway's keys are asked for once a payment needs them.
    const gate = await runOps({ NODE_ENV: 'production', ...NOWHERE }, 'reconcile')
    expect(gate.err).toMatch(/^The database nothing /)
    expect(gate.code).toBe(3)
  })
})

describe('on the embedded database', () => {
  test('it works beside the shop, and when the shop is closed it opens the database and closes it again', async () => {
    const folder = await aUsedDataFolder()
    const rate = (...args: string[]) => runOpsProgram({ DATA_DIR: folder }, 'rate', ...args)
    const shop = await startEmbeddedShop(folder)
    expect((await rate('set', '--currency', 'EUR', '--rate', '4.30')).code).toBe(0)
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    expect(await shop.stop()).toBe(0)

    const outcomes = await Promise.all([
      rate('list', '--json'),
      rate('set', '--currency', 'GBP', '--rate', '5.10'),
      rate('list', '--json'),
    ])
    expect(outcomes.map(({ code, err }) => ({ code, err }))).toEqual(Array(3).fill({ code: 0, err: '' }))
    expect(outcomes[0]?.json).toContainEqual(expect.objectContaining({ currency: 'EUR', rate: '4.30' }))
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('nodes are managed with the key that is kept there, beside the shop and without it', async () => {
    const folder = await aUsedDataFolder()
    const node = (...args: string[]) => runOpsProgram({ DATA_DIR: folder }, 'node', ...args)
    const shop = await startEmbeddedShop(folder)
    const places = ['--endpoint', 'vpn:51820', '--ipv4', '10.90.0.0/24', '--ipv6', 'fd90::/64']
    expect((await node('add', '--name', 'London', ...places)).code).toBe(0)
    expect(await shop.stop()).toBe(0)
    expect((await node('remove', 'London', '--move', '--yes')).out).toBe('London is removed.\n')
    const { json } = await node('list', '--json')
    expect(json).toMatchObject([{ name: 'demonstration', state: 'demonstration' }])
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('a shop that is opened while it closes the database keeps it open', async () => {
    const folder = await aUsedDataFolder()
    const [outcome, shop] = await Promise.all([
      runOpsProgram({ DATA_DIR: folder }, 'rate', 'list'),
      startEmbeddedShop(folder),
    ])
    expect(outcome.err).toBe('')
    expect(outcome.code).toBe(0)
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    expect(await shop.stop()).toBe(0)
    expect(await findRunning(folder)).toBeUndefined()
  })

  test('a folder without a shop is left as it is', async () => {
    const folder = await aDataFolder()
    const { code, err } = await runOpsProgram({ DATA_DIR: folder }, 'rate', 'list')
    expect(err).toMatch(/^There is no shop's database in .*hedgerow-tests-\w+\. .*DATABASE_URL.*\n$/)
    expect(code).toBe(3)
    expect(await findRunning(folder)).toBeUndefined()
  })
})
