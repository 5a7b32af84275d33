import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestSandbox } from '#testing/merchant.ts'

/** A tool that notes what it is asked for, and refuses to turn bitcoin on. */
const TOOL = `import { appendFileSync } from 'node:fs'
const asked = process.argv.slice(2).join(' ')
appendFileSync(process.argv[1] + '.log', asked + '\\n')
if (asked.includes('btcpay')) { console.error('BTCPAY_KEY <is> not set'); process.exit(1) }`

const withTool = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const shopTool = join(folder, 'tool.mjs')
  await writeFile(shopTool, TOOL)
  // Nobody listens there: the page says so, and shows the buttons all the same.
  const sandbox = await startTestSandbox({ shopTool, shopUrl: 'http://127.0.0.1:9' })
  const choose = (setting: string, value: string, headers: Record<string, string> = {}) =>
    fetch(`${sandbox.url}/carriers`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ setting, value }),
      redirect: 'manual',
    })
  return { sandbox, choose, asked: () => readFile(`${shopTool}.log`, 'utf8').catch(() => '') }
}

test('a press has the shop’s tool say who carries new payments', async () => {
  const { sandbox, choose, asked } = await withTool()
  expect(await (await fetch(sandbox.url)).text()).toMatch(/The shop does not answer yet.*Cards to Stripe/s)
  expect((await choose('card-gateway', 'stripe')).headers.get('location')).toBe('/#carriers')
  expect(await asked()).toBe('setting set card-gateway --value stripe --yes\n')
})

test('what the tool refuses is shown as it says it', async () => {
  const { choose } = await withTool()
  const reply = await choose('crypto-gateway', 'btcpay')
  expect([reply.status, await reply.text()]).toEqual([
    502,
    expect.stringContaining('BTCPAY_KEY &lt;is&gt; not set'),
  ])
})

test.each([
  ['another setting', 'second-person', '0', {}, 400],
  ['another value', 'card-gateway', 'toString', {}, 400],
  ['a page of another site', 'card-gateway', 'stripe', { 'sec-fetch-site': 'cross-site' }, 403],
])('%s has nothing set', async (_what, setting, value, headers, status) => {
  const { choose, asked } = await withTool()
  expect((await choose(setting, value, headers as Record<string, string>)).status).toBe(status)
  expect(await asked()).toBe('')
})

test('a sandbox without a shop shows no switch', async () => {
  const { url } = await startTestSandbox()
  expect(await (await fetch(url)).text()).not.toContain('/carriers')
})
