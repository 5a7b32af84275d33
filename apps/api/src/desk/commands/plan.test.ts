import { SHIPPED_LAYERS, SHIPPED_PLANS } from '@hedgerow/domain/plans'
import { expect, test } from 'vitest'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const ops = (...args: string[]) => runOps(opsSettings(shop), ...args)

const [layer] = SHIPPED_LAYERS
const TERMS = ['--name', 'Robin', '--period', '31 days', '--connections', '4', '--price', '25.50']

test('ops plan lists what is sold, and below it what is to come', async () => {
  const { json } = await ops('plan', 'add', '--layer', layer?.id ?? '', ...TERMS, '--place', '1', '--json')
  expect(json).toEqual({ isNew: true, id: expect.any(String), isDone: true })
  const before = await ops('plan', 'list')
  expect([before.err, before.out]).toEqual([
    '',
    expect.stringMatching(/^PLAN +LAYER .*\n.* Robin +31 days +4 +£25\.50\n/),
  ])
  expect(before.out).not.toContain('To come')
  const dueAt = new Date(Date.now() + 86_400_000).toISOString()
  const changed = await ops('plan', 'retire', json.id, '--due-at', dueAt, '--yes', '--json')
  expect(changed.json).toMatchObject({ isNew: true, isDone: false })
  expect((await ops('plan', 'list')).out).toMatch(
    new RegExp(`\nTo come:\n.*\n${changed.json.id} +retire +${json.id} `),
  )
  expect((await ops('plan', 'unschedule', changed.json.id)).out).toBe('Taken back.\n')
  await ops('plan', 'retire', json.id, '--yes')
  expect((await ops('plan', 'list', '--json')).json.plans).toHaveLength(SHIPPED_PLANS.length)
  expect((await ops('plan', 'list', '--retired', '--json')).json.plans).toHaveLength(SHIPPED_PLANS.length + 1)
})

test('ops layer adds and lists', async () => {
  const { json } = await ops('layer', 'add', '--name', 'For a village', '--place', '1', '--json')
  expect((await ops('layer', 'list')).out).toMatch(
    new RegExp(`\nLayers:\n.*\n${json.id} +For a village +1\n`),
  )
})
