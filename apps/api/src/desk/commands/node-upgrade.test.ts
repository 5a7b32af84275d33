import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSigner, makeArchive } from '@hedgerow/agent-release/testing/make-archive'
import { runningVersion } from '@hedgerow/settings/running-version'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { maintainNodes } from '#network/nodes/maintain-nodes.ts'
import { aNode, type TestAgent } from '#testing/nodes.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { startTestShop } from '#testing/test-shop.ts'

const SLOW_MS = 60_000
const signer = aSigner()

const aShop = async () => {
  const shop = await startTestShop()
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-upgrades-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const settings = { ...opsSettings(shop), AGENT_RELEASE_KEY: signer.releaseKey }
  const asks = ({ secret }: TestAgent, version: string, known?: string) =>
    shop
      .call(
        'GET',
        `/api/v1/agent/changes?since=0&wait=0&version=${version}&arch=x64&upgrades=on${known ? `&upgrade=${known}` : ''}`,
        { token: secret },
      )
      .then(({ body }) => body.upgrade)
  const reports = ({ secret }: TestAgent, upgrade: string, state: string, reason: string | null = null) =>
    shop.call('POST', '/api/v1/agent/upgrade-reports', { token: secret, body: { upgrade, state, reason } })
  return {
    shop,
    node: (...args: string[]) => runOps(settings, 'node', ...args),
    write: async (archive: Buffer, signature = signer.sign(archive)) => {
      const file = join(folder, `${Math.random()}.tar.gz`)
      await writeFile(file, archive)
      await writeFile(`${file}.sig`, `${signature}\n`)
      return file
    },
    asks,
    reports,
    /** Agents of version 1.0.0 that take upgrades. */
    agents: async (count: number) => {
      const all: TestAgent[] = []
      for (let n = 0; n < count; n++) {
        const agent = await aNode(shop, { name: `node ${n}`, ipv4: `10.${90 + n}.0.0/24` })
        await asks(agent, '1.0.0')
        all.push(agent)
      }
      return all as [TestAgent, TestAgent, TestAgent]
    },
  }
}

test('nodes get their turn one after the other, each from the shop alone what is its own', {
  timeout: SLOW_MS,
}, async () => {
  const { shop, node, write, asks, reports, agents } = await aShop()
  const [first, second] = await agents(2)
  const archive = await makeArchive({ version: '1.1.0', arch: 'x64' })
  const { out, code } = await node('upgrade', '--all', '--archive', await write(archive))
  expect(out).toContain('1.1.0 for x64 is stored.')
  expect(code).toBe(0)
  const offer = await asks(first, '1.0.0')
  expect(offer).toMatchObject({ kind: 'archive', version: '1.1.0', arch: 'x64', bytes: archive.length })
  expect(await asks(first, '1.0.0', offer.id)).toBeUndefined()
  expect(await asks(second, '1.0.0')).toBeUndefined()
  const part = ({ secret }: TestAgent) =>
    fetch(`${shop.url}/api/v1/agent/archive?upgrade=${offer.id}&part=0`, {
      headers: { authorization: `Bearer ${secret}` },
    })
  expect(Buffer.from(await (await part(first)).arrayBuffer()).equals(archive)).toBe(true)
  expect((await part(second)).status).toBe(404)
  expectProblem(await reports(second, offer.id, 'installing'), 404)
  // The one that is done is told twice; whoever looks meanwhile changes nothing.
  await reports(first, offer.id, 'installing')
  await maintainNodes(shop)
  expect(await asks(second, '1.0.0')).toBeUndefined()
  for (let n = 0; n < 2; n++) expect((await reports(first, offer.id, 'done')).status).toBe(200)
  const next = await asks(second, '1.0.0')
  expect(next).toMatchObject({ version: '1.1.0' })
  await reports(second, next.id, 'failed', 'it\u001b[2J ended')
  const { json } = await node('upgrades', '--json')
  expect(
    json.upgrades.map(({ state, reason }: { state: string; reason: string }) => [state, reason]),
  ).toEqual([
    ['done', null],
    ['failed', 'it [2J ended'],
  ])
})

test('the first that does not come about, or is silent too long, is the last', {
  timeout: SLOW_MS,
}, async () => {
  const { shop, node, write, asks, reports, agents } = await aShop()
  const [first, second, third] = await agents(3)
  await node(
    'upgrade',
    '--all',
    '--archive',
    await write(await makeArchive({ version: '1.1.0', arch: 'x64' })),
  )
  await reports(first, (await asks(first, '1.0.0')).id, 'refused', 'no room')
  for (const one of [second, third]) expect(await asks(one, '1.0.0')).toBeUndefined()
  // Two at once, of which the database takes each node once.
  const both = await Promise.all([node('upgrade', second.node.name), node('upgrade', second.node.name)])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  const offer = await asks(second, '1.0.0')
  await sql`update node_upgrades set heard_at = now() - interval '16 minutes' where id = ${offer.id}`.execute(
    shop.db,
  )
  await maintainNodes(shop)
  expect(await asks(second, '1.0.0')).toBeUndefined()
  const { json } = await node('show', second.node.name, '--json')
  expect(json.upgrade).toMatchObject({ state: 'failed', reason: 'nothing was heard of it for 15 minutes' })
  const isApart = runningVersion().version !== '1.0.0'
  expect(json.agent).toMatchObject({ version: '1.0.0', isApart, takesUpgrades: true })
  await node('upgrade', third.node.name)
  expect((await node('upgrade', '--all', '--stop', '--json')).json).toEqual({ stopped: 1 })
  expect(await asks(third, '1.0.0')).toBeUndefined()
})

test('refuses what no node would take, and says why', { timeout: SLOW_MS }, async () => {
  const { shop, node, write, agents } = await aShop()
  const [{ node: own }] = await agents(1)
  const good = await makeArchive({ version: '1.1.0', arch: 'x64' })
  const errorOf = async (...args: string[]) => {
    const { err, code } = await node('upgrade', own.name, ...args)
    expect(code).toBe(1)
    return err
  }
  const archive = async (...args: Parameters<typeof write>) => errorOf('--archive', await write(...args))
  expect(await archive(good, aSigner().sign(good))).toContain(
    'its signature does not belong to AGENT_RELEASE_KEY',
  )
  expect(await archive(good.subarray(0, 100), signer.sign(good))).toContain('its signature does not belong')
  expect(await archive(good.subarray(0, 100))).toContain('cannot be used: it is not')
  expect(await archive(good, 'none')).toContain('its signature is not one line of Base64')
  expect(await archive(Buffer.alloc(64 * 1024 * 1024 + 1))).toContain('it is larger than 64 MB')
  expect(await archive(await makeArchive({ version: '0.9.0', arch: 'x64' }))).toContain(
    'runs 1.0.0, which is not older',
  )
  expect(await archive(await makeArchive({ version: '1.2.0', arch: 'arm64' }))).toContain(
    'has no archive stored of 1.2.0 for x64',
  )
  await sql`update nodes set takes_upgrades = false where name = ${own.name}`.execute(shop.db)
  expect(await archive(good)).toContain('refuses upgrades: it has no release key')
})
