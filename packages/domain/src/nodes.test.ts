import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ENDED_KEPT_DAYS } from './nodes.ts'

test.each([
  ['CHANGELOG.md', `Ended connections are deleted after ${ENDED_KEPT_DAYS} days.`],
  ['README.md', `reaches the page that says so, 0 to ${ENDED_KEPT_DAYS}`],
  ['docs/operating.md', `keeps its own for ${ENDED_KEPT_DAYS} days, in which it can be extended`],
  ['docs/operating.md', `it can be extended for ${ENDED_KEPT_DAYS} days`],
  ['docs/privacy.md', `${ENDED_KEPT_DAYS} days after the end, or until the account is deleted`],
])('%s says how long an ended connection is kept', async (page, words) => {
  const text = await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8')
  expect(text.replaceAll(/\s+/g, ' ')).toContain(words)
})
