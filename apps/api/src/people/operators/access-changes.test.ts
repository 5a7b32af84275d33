import * as endpoints from '@hedgerow/contract/console/endpoints'
import type { OperatorEndpoint } from '@hedgerow/contract/console/operator-endpoint'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expect, test } from 'vitest'
import { ACCESS_CHANGES } from '#people/operators/access-changes.ts'
import { anOperator, consoleOfFile } from '#testing/console.ts'

const { shop, ask } = await consoleOfFile()

const TO = 'operator@hedgerow.example'

test('what changes who gets into the console is mailed to the shop’s operator, by whom and about whom', async () => {
  const owner = await anOperator(shop.db)
  const name = `Grace ${owner.id.slice(0, 8)}`
  const { body } = await ask(owner, 'POST', '/api/v1/operators', { body: { name, role: 'finance' } })
  const invited = await mailbox(shop).latest(TO, 'An operator was invited')
  expect(invited.text).toContain(`${owner.name}@console`)
  expect(invited.text).toContain(`${name}, whose role is finance`)
  expect(invited.text).not.toContain(body.link.split('#').at(-1))
  const made = await ask(owner, 'POST', '/api/v1/account/tokens', {
    body: { name: 'reports', permissions: ['shop.see'], days: 1 },
  })
  const token = await mailbox(shop).latest(TO, 'An operator made a token for a program')
  expect(token.text).toContain(`${owner.name}@console`)
  expect(token.text).not.toContain(made.body.token)
})

/** By the tool alone. */
const BY_TOOL = ['audit accept']
/** They end what was there, by its own operator, who sees it; or are a word on an act that is mailed itself. */
const NOT_MAILED = ['operator session end', 'operator token end', 'operator confirm', 'operator withdraw']

test('every act on who gets into the console is mailed, or says why not', () => {
  const acts = (Object.values(endpoints) as Partial<OperatorEndpoint>[]).flatMap(({ record }) =>
    typeof record === 'object' && 'changes' in record && record.changes.startsWith('operator ')
      ? [record.changes]
      : [],
  )
  expect(new Set([...acts, ...BY_TOOL])).toEqual(new Set([...ACCESS_CHANGES.keys(), ...NOT_MAILED]))
})
