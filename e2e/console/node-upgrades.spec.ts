import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSigner, makeArchive } from '@hedgerow/agent-release/testing/make-archive'
import { ops, opsWith } from '../operator.ts'
import { ANY_WIDTH, ask, expect, expectAccessible, expectNoSidewaysScroll, go, test } from './fixtures.ts'
import { newName } from './operators.ts'

const VERSION = '7.1.0'

/** A node whose agent is this test: it takes upgrades, and gets no customers of other tests. */
const anAgent = async (name: string) => {
  const place = ['--endpoint', 'vpn.example.org:51820', '--ipv4', '10.210.0.0/24', '--ipv6', 'fd00:210::/64']
  const { token } = JSON.parse(await ops('node', 'add', name, ...place, '--json'))
  await ops('node', 'drain', name)
  const secret = randomBytes(32).toString('base64url')
  const call = async (path: string, body?: object): Promise<{ upgrade?: { id: string } }> => {
    const reply = await fetch(`${process.env.SHOP_URL}/api/v1/agent/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
    return (await reply.json()) as { upgrade?: { id: string } }
  }
  await call('enrolments', { token, secret, publicKey: randomBytes(32).toString('base64') })
  return {
    asks: async (version: string) =>
      (await call(`changes?since=0&wait=0&version=${version}&arch=x64&upgrades=on`)).upgrade,
    reports: (upgrade: string, state: string) => call('upgrade-reports', { upgrade, state, reason: null }),
  }
}

/** The operator has stored it by the tool, and nobody installs it yet. */
const storeArchive = async (name: string): Promise<void> => {
  const signer = aSigner()
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-archive-'))
  const file = join(folder, 'agent.tar.gz')
  const archive = await makeArchive({ version: VERSION, arch: 'x64' })
  await writeFile(file, archive)
  await writeFile(`${file}.sig`, signer.sign(archive))
  await opsWith({ AGENT_RELEASE_KEY: signer.releaseKey }, 'node', 'upgrade', name, '--archive', file)
  await ops('node', 'upgrade', name, '--stop')
  await rm(folder, { recursive: true })
}

test(
  'a node is brought to the newest stored version, and stopped again before it begins',
  ANY_WIDTH,
  async ({ page }) => {
    const name = newName('York')
    const agent = await anAgent(name)
    try {
      await agent.asks('7.0.0')
      await storeArchive(name)
      await page.goto('/nodes')
      await page.getByRole('link', { name }).click()
      await expect(page.getByText('7.0.0').first()).toBeVisible()

      await go(await ask(page, 'Upgrade'), 'Upgrade', 'It gets its turn')
      await expect(page.getByRole('button', { name: 'Stop the upgrade' })).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await go(await ask(page, 'Stop the upgrade'), 'Stop it', 'Stopped')
      await expect(page.getByText('stopped by an operator')).toBeVisible()
      expect(await agent.asks('7.0.0')).toBeUndefined()

      await go(await ask(page, 'Upgrade'), 'Upgrade', 'It gets its turn')
      const offer = await agent.asks('7.0.0')
      expect(offer).toMatchObject({ kind: 'archive', version: VERSION })
      const id = offer?.id ?? ''
      await agent.reports(id, 'installing')
      await agent.reports(id, 'done')
      await agent.asks(VERSION)
      await page.reload()
      await expect(page.getByText(VERSION).first()).toBeVisible()
      await expect(page.getByRole('button', { name: 'Upgrade', exact: true })).toBeVisible()
      await expectAccessible(page)
    } finally {
      await ops('node', 'remove', name, '--yes')
    }
  },
)
