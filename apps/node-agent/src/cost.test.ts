import { judgeAll } from '@hedgerow/testing/cost/judge-all'
import { startMeasured } from '@hedgerow/testing/cost/measured-program'
import { fuzzParsers } from '@hedgerow/testing/cost/parsers'
import { pick } from '@hedgerow/testing/cost/pick'
import { fewOrAll, TEST_SEED } from '@hedgerow/testing/strength'
import { expect, onTestFinished, test } from 'vitest'
import { hostileToAgent } from '#testing/hostile-calls.ts'
import { AGENT_PARSERS } from '#testing/parsers.ts'

const OF_EACH_KIND = fewOrAll(1, 1_000)
const TEXTS = fewOrAll(10, 60)

test('no request to an agent costs more than 50 ms or 20 MB, or is met with a fault', {
  timeout: 120_000,
}, async () => {
  const agent = await startMeasured('apps/node-agent/src/testing/servers-program.ts', {})
  onTestFinished(agent.stop)
  const findings: string[] = []
  for (const { base, kinds } of hostileToAgent(agent)) {
    const requests = kinds.flatMap((kind) => pick(kind, OF_EACH_KIND, TEST_SEED))
    findings.push(...(await judgeAll(agent, base, requests)))
  }
  expect(findings).toEqual([])
})

test('nothing that an agent reads takes more than 50 ms, whatever is in it', { timeout: 120_000 }, () => {
  expect(fuzzParsers(AGENT_PARSERS, TEXTS, TEST_SEED)).toEqual([])
})
