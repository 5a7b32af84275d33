import { mailbox } from '@hedgerow/testing/mailbox'
import { expect, test } from 'vitest'
import { runChecks } from '#doctor/run-checks.ts'
import { placeholdersIn } from '#doctor/setting-checks.ts'
import { readSettings } from '#settings.ts'
import { aNode } from '#testing/nodes.ts'
import { runOps } from '#testing/ops.ts'
import { aPurchase } from '#testing/payments.ts'
import { environmentOf, newKey, shopOfFile, startTestShop, type TestShop } from '#testing/test-shop.ts'

const shop = shopOfFile()

const doctor = async (of: TestShop, env: Record<string, string>, ...args: string[]) => {
  const base = environmentOf(of, Number(new URL(of.url).port))
  const { code, json, out } = await runOps({ ...base, ...env }, 'doctor', '--json', ...args)
  const found = json.found as { check: string; state: string; says: string; act?: string }[]
  return { code, out, of: (check: string) => found.filter((one) => one.check === check) }
}

test('a shop that works is told to be well in what it can be, and a mail is sent where one is asked for', {
  timeout: 120_000,
}, async () => {
  await aNode(shop)
  await aPurchase(shop)
  const { of } = await doctor(shop, {}, '--mail-to', 'ops@example.org')
  for (const check of ['key', 'migrations', 'proxy', 'certificate', 'gateway', 'mail', 'nodes'])
    expect(of(check), check).toContainEqual(expect.objectContaining({ state: 'ok' }))
  expect(of('gateway')).toEqual([
    expect.objectContaining({ says: expect.stringContaining('takes the signature') }),
  ])
  expect(of('backup')).toEqual([
    expect.objectContaining({ state: 'warning', act: expect.stringContaining('ops backup') }),
  ])
  expect(of('placeholders')).toEqual([
    expect.objectContaining({ says: expect.stringContaining('BRAND_PHONE') }),
  ])
  await mailbox(shop).latest('ops@example.org', 'a mail to try the mail server')
})

test('each thing that is wrong is said beside the others, and no secret', { timeout: 120_000 }, async () => {
  const wrongKey = newKey()
  await aPurchase(shop)
  const { code, out, of } = await doctor(shop, {
    KEY_ENCRYPTION_KEY: wrongKey,
    GATE_SECRET: 'another-secret-altogether',
    SMTP_URL: 'smtp://me:hidden-word@127.0.0.1:9',
    PUBLIC_URL: 'http://127.0.0.1:9',
  })
  expect(code).toBe(1)
  expect(of('key')).toEqual([expect.objectContaining({ state: 'problem' })])
  expect(of('gateway')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('refuses a signed call') }),
  ])
  expect(of('mail')).toEqual([expect.objectContaining({ state: 'problem' })])
  expect(of('proxy')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('does not answer') }),
  ])
  expect(of('migrations')).toEqual([expect.objectContaining({ state: 'ok' })])
  for (const secret of [wrongKey, 'another-secret', 'hidden-word']) expect(out).not.toContain(secret)
})

test('a proxy that lets callers say who they are is found', { timeout: 120_000 }, async () => {
  expect((await doctor(shop, {})).of('proxy')[0]).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('by their own address'),
  })
  const trusting = await startTestShop({ env: { TRUSTED_PROXIES: '127.0.0.1' } })
  expect((await doctor(trusting, {})).of('proxy')[0]).toMatchObject({
    state: 'problem',
    act: expect.stringContaining('X-Forwarded-For'),
  })
})

test('a check that hangs or fails stops no other', async () => {
  const settings = readSettings(environmentOf(shop, 1), false)
  const hangs = { name: 'hangs', look: () => new Promise<never>(() => undefined) }
  const fails = {
    name: 'fails',
    look: async () => {
      throw Object.assign(new Error('password in here'), { code: 'ECONNREFUSED' })
    },
  }
  const works = { name: 'works', look: async () => ({ state: 'ok' as const, says: 'well' }) }
  const found = await runChecks(
    { settings, db: shop.db, storefrontDir: '' },
    { checks: [hangs, fails, works], withinMs: 50 },
  )
  expect(found.map(({ check, state }) => [check, state])).toEqual([
    ['hangs', 'problem'],
    ['fails', 'problem'],
    ['works', 'ok'],
  ])
  expect(JSON.stringify(found)).not.toContain('password')
})

test('examples of a company are found in what customers read', () => {
  const own = {
    BRAND_COMPANY: 'Quickset Limited',
    BRAND_COMPANY_NUMBER: '09214117',
    BRAND_REGISTERED_OFFICE: '7 Lane End, York, England',
    BRAND_VAT_NUMBER: 'GB294118235',
    BRAND_EMAIL: 'hello@quickset.co.uk',
    MAIL_FROM: 'Quickset <hello@quickset.co.uk>',
    OPERATOR_EMAIL: 'ops@quickset.co.uk',
    PUBLIC_URL: 'https://quickset.co.uk',
  }
  const of = (env: Record<string, string>) =>
    placeholdersIn(readSettings({ ...environmentOf(shop, 1), ...own, ...env })).filter(
      (one) => !one.startsWith('the link'),
    )
  expect(of({ BRAND_PHONE: '+44 1904 551 208' })).toEqual([])
  // No telephone is shown where none is set.
  expect(of({})).toEqual([])
  expect(of({ BRAND_PHONE: '020 7946 0123' })).toEqual([expect.stringContaining('BRAND_PHONE')])
})
