import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { expect, test } from 'vitest'
import { anOperator, consoleOfFile } from '#testing/console.ts'
import { LIMITED } from '#testing/limits.ts'

const { shop, ask } = await consoleOfFile(LIMITED)

test('an operator looks for people so often an hour, and for what has an id or a number as often as they like', async () => {
  const [support, other] = [await anOperator(shop.db, 'support'), await anOperator(shop.db, 'support')]
  const search = (words: string, by = support) => ask(by, 'GET', `/api/v1/search?words=${words}`)
  for (let turn = 0; turn < 119; turn++) expect((await search(`zz${turn}`)).status).toBe(200)
  expect((await ask(support, 'GET', '/api/v1/customer-search?words=zzz')).status).toBe(200)
  expectProblem(await search('zzz'), 429)
  expectProblem(await ask(support, 'GET', '/api/v1/customer-search?words=zzz'), 429)
  for (const words of [randomUUID(), '12.50', '2026-000001', '10.8.0.3'])
    expect((await search(words)).status).toBe(200)
  expect((await search('zzz', other)).status).toBe(200)
})
