import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { aSigner } from '@hedgerow/agent-release/testing/make-archive'
import { offerUnderName } from '@hedgerow/api/testing/node-upgrades'
import { opsSettings, runOps } from '@hedgerow/api/testing/ops'
import { shopOfFile } from '@hedgerow/api/testing/test-shop'
import { requireTunnels } from '@hedgerow/testing/namespaces'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { releasesOfFile } from '#testing/releases.ts'
import { INTERNET, pathOfFile } from '#testing/whole-path.ts'

requireTunnels()

const SLOW_MS = 240_000
const shop = shopOfFile()
const releases = releasesOfFile()
const path = pathOfFile(
  shop,
  {
    AGENT_RELEASE_KEY: releases.releaseKey,
    AGENT_LOG_LEVEL: 'info',
    TEST_TIMINGS: JSON.stringify({ longestPauseMs: 1000, watchMs: 500, trialMs: 100_000, trialLookMs: 50 }),
  },
  releases.command,
)

const upgrade = (...args: string[]) => runOps(opsSettings(shop), 'node', 'upgrade', path.name, ...args)

const latest = () =>
  shop.db
    .selectFrom('node_upgrades')
    .select(['state', 'reason', 'version', 'from_version'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()

/** How the latest upgrade came out. */
const outcome = async () => {
  await until(
    async () => !['waiting', 'offered', 'downloading', 'installing'].includes((await latest()).state),
    SLOW_MS,
  )
  return latest()
}

const INSTALLED = '1.0.0'
let minor = 0
const nextVersion = () => `1.${++minor}.0`

/** What it runs once it is heard of. */
const running = async (): Promise<string> =>
  (await until(async () => (await path.row()).agent_version, SLOW_MS)) as string

const runs = (version: string) => until(async () => (await path.row()).agent_version === version, SLOW_MS)

const offer = async (
  version: string,
  ...rest: Parameters<typeof releases.write> extends [string, ...infer R] ? R : never
) => {
  const { err } = await upgrade('--archive', await releases.write(version, ...rest))
  expect(err).toBe('')
  return outcome()
}

/** As a crash does it; what starts it again lives on, and may be about to. */
const killAgent = () =>
  until(async () => {
    let isKilled = false
    for (const pid of await path.node.pids()) {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      if (!command.includes(path.stateDir) || !command.includes('agent.mjs')) continue
      process.kill(pid, 'SIGKILL')
      isKilled = true
    }
    return isKilled
  }, SLOW_MS)

describe('a node that is offered a version', { timeout: SLOW_MS }, () => {
  test('installs it and goes back to the one before, and customers notice nothing', async () => {
    const { device } = await path.buy()
    await until(() => device.pings(INTERNET.ipv4))
    let isOver = false
    const pinging = (async () => {
      let [sent, lost] = [0, 0]
      for (; !isOver; sent += 20) {
        const { out } = await device.run('ping', '-i', '0.1', '-c', '20', '-W', '10', INTERNET.ipv4)
        const answered = [...out.matchAll(/icmp_seq=(\d+)/g)].map(([, number]) => Number(number))
        // It does not wait long for its last ones, which a busy machine may answer later.
        lost += answered.length === 0 ? 20 : Math.max(...answered) - new Set(answered).size
      }
      return { sent, lost }
    })()
    const [before, next] = [await running(), nextVersion()]
    /** How often an agent met a resolver of the one before it. */
    const left = () => path.output().split('The resolver of the agent before this one was ended').length
    const leftBefore = left()
    expect(await offer(next)).toMatchObject({
      reason: null,
      state: 'done',
      version: next,
      from_version: before,
    })
    await runs(next)
    await until(() => left() > leftBefore, SLOW_MS)
    const leftNow = left()
    expect(await upgrade('--back')).toMatchObject({ code: 0 })
    expect(await outcome()).toMatchObject({ reason: null, state: 'done', version: null, from_version: next })
    await runs(before)
    expect(left(), 'the earlier version finds port 53 free').toBe(leftNow)
    isOver = true
    const { sent, lost } = await pinging
    console.info(`of ${sent} pings through two changes of version ${lost} were lost`)
    expect(lost).toBe(0)
  })

  test.each([
    ['cannot be read', () => 'this is no program', /ended 3 times: SyntaxError/],
    ['crashes', () => 'throw new Error("a broken build")', /ended 3 times: Error: a broken build/],
    [
      'cannot reach the shop',
      (own: string) =>
        `process.env.TEST_TIMINGS = '{"trialMs":2000}';\n${own.replaceAll('/api/v1/agent/changes', '/nowhere')}`,
      /^after 2 s: What the shop wants has not been applied/,
    ],
  ])('returns to the one before where the new one %s, and says why', async (_, agent, reason) => {
    const before = await running()
    const { state, reason: said } = await offer(nextVersion(), { agent })
    expect(said).toMatch(reason)
    expect(state).toBe('failed')
    await runs(before)
    // Nor is it offered again.
    expect(await latest()).toMatchObject({ state: 'failed' })
  })

  test('refuses what someone else has signed, what is older, and what was changed on its way', async () => {
    const before = await running()
    const theirs = nextVersion()
    expect(await offer(theirs, { by: aSigner() })).toMatchObject({
      state: 'refused',
      reason: expect.stringMatching(/signature does not belong to the release key of this node/),
    })
    // A shop that was broken into offers what it likes, under whatever name.
    await upgrade('--archive', await releases.write('0.8.0'))
    const offered = async (...rest: [version: string, change?: { isChanged: boolean }]) => {
      await offerUnderName(shop, path.name, ...rest)
      return outcome()
    }
    const refused = (reason: RegExp) => ({ state: 'refused', reason: expect.stringMatching(reason) })
    expect(await offered('0.8.0')).toMatchObject(refused(/^0\.8\.0 is not newer than .*, which runs$/))
    expect(await offered('2.0.0')).toMatchObject(refused(/holds version 0\.8\.0, not 2\.0\.0/))
    expect(await offered('2.0.1', { isChanged: true })).toMatchObject(refused(/signature does not belong/))
    await runs(before)
  })

  test('runs nothing that was changed on its disk', async () => {
    await running()
    const next = nextVersion()
    expect(await offer(next)).toMatchObject({ state: 'done' })
    const versions = join(path.stateDir, 'versions')
    const program = join(versions, next, 'agent.mjs')
    const right = await readFile(program, 'utf8')
    await writeFile(program, 'throw new Error("planted")')
    await killAgent()
    await until(async () => (await readFile(program, 'utf8')) === right, SLOW_MS)
    await appendFile(join(versions, `${next}.tar.gz`), 'x')
    await killAgent()
    await runs(INSTALLED)
    expect(path.output()).toContain(`${next} cannot be started, the installed version is`)
    // From there it is brought further, and has what it needs to go back.
    expect(await offer(nextVersion())).toMatchObject({ state: 'done', from_version: INSTALLED })
  })
})
