import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json } from '@hedgerow/testing/call'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expect, onTestFinished, test } from 'vitest'
import { aCustomer } from '#testing/customers.ts'
import { aGuard } from '#testing/guards.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { ageFactors } from '#testing/second-step.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const settings = () => ({ ...opsSettings(shop), ...shop.env, PUBLIC_URL: shop.url })
const customer = (...args: string[]) => runOps(settings(), 'customer', ...args)

test('the tool takes out what the customer’s own download gives', async () => {
  const { customer: holder, order } = await aPurchase(shop)
  await shop.call('GET', `/api/v1/orders/${order.orderId}/invoice`, { token: holder.token })
  await queueIsEmpty(shop)
  const { body } = await shop.call('GET', '/api/v1/user/data', { token: holder.token })
  const { json, code } = await customer('export', holder.email)
  const { exportedAt, operatorActions, ...data } = json
  const { exportedAt: _, operatorActions: __, ...own } = body
  // The mail that tells of the download may have left between the two.
  const withoutItsMail = ({ jobs, securityEvents, ...rest }: Json) => ({
    ...rest,
    jobs: jobs.filter(({ task }: Json) => task !== 'mail-security-change'),
    securityEvents: securityEvents.map(({ mailTo, ...event }: Json) => event),
  })
  expect(withoutItsMail(data)).toEqual(withoutItsMail(own))
  expect(Date.parse(exportedAt)).toBeGreaterThan(0)
  expect(operatorActions).toMatchObject([{ command: 'customer export', outcome: 'under way' }])
  expect(code).toBe(0)
})

test('the tool writes a file where nobody else can read it, and over nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-customer-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const holder = await aCustomer(shop)
  const file = join(folder, 'data.json')
  expect((await customer('export', holder.id, '--out', file)).err).toBe('')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(await readFile(file, 'utf8')).account.email).toBe(holder.email)
  await writeFile(file, 'mine')
  const again = await customer('export', holder.id, '--out', file)
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('already exists')])
  expect(await readFile(file, 'utf8')).toBe('mine')
  const nowhere = await customer('export', holder.id, '--out', join(file, 'x'))
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('(ENOTDIR)')])
})

test('the tool ends a second step at once, where it is asked to', async () => {
  const { id, email } = await aCustomer(shop)
  await aGuard(shop, id)
  // What is new would go with the new password.
  await ageFactors(shop, id)
  const activity = async () => (await customer('activity', email, '--json')).json
  expect((await customer('log-out', email, '--yes', '--new-password')).code).toBe(0)
  expect(await activity()).toMatchObject({ secondStepAt: expect.any(String), passkeys: [{}] })
  const { json } = await customer('log-out', email, '--yes', '--without-second-step', '--json')
  expect(json).toEqual({ sessions: 0 })
  expect(await activity()).toMatchObject({
    secondStepAt: null,
    authenticatorAppAt: null,
    recoveryCodes: 0,
    passkeys: [],
  })
  await mailbox(shop).latest(email, 'second step of your account is off')
})
