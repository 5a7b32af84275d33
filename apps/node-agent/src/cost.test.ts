import { judge } from '@hedgerow/testing/cost/judge'
import { startMeasured } from '@hedgerow/testing/cost/measured-program'
import { expect, onTestFinished, test } from 'vitest'
import { hostileToAgent } from '#testing/hostile-calls.ts'

test('no request to an agent costs more than 50 ms or 20 MB, or is met with a fault', {
  timeout: 120_000,
}, async () => {
  const agent = await startMeasured(new URL('./testing/servers-program.ts', import.meta.url), {})
  onTestFinished(agent.stop)
  const findings: string[] = []
  for (const { base, kinds } of hostileToAgent(agent)) {
    for (const request of kinds.flat()) {
      const finding = await judge(agent, base, request)
      if (finding) findings.push(finding)
    }
  }
  expect(findings).toEqual([])
})
