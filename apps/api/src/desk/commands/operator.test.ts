import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { opsSettings, runOps } from '#testing/ops.ts'
import { shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()
const operator = (...args: string[]) => runOps(opsSettings(shop), 'operator', ...args)

test('the only owner gets a new link by the tool, by name, and cannot be ended', async () => {
  const name = `Quill ${randomUUID().slice(0, 8)}`
  const invited = await operator('invite', '--name', name, '--role', 'owner')
  expect([invited.err, invited.out]).toEqual(['', expect.stringMatching(/Link +\S+\/invitation#/)])
  expect((await operator('link', name, '--yes', '--json')).json.link).toMatch(/invitation#/)
  expect((await operator('end', name, '--yes')).code).toBe(1)
  expect((await operator('role', name, '--role', 'viewer')).code).toBe(1)
  expect((await operator('list')).out).toMatch(new RegExp(`${name} +owner`))
  expect((await operator('link', 'Nobody', '--yes')).err).toMatch(/^There is no operator Nobody\./)
})
