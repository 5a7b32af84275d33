import { judge } from '@hedgerow/testing/cost/judge'
import { startMeasured } from '@hedgerow/testing/cost/measured-program'
import { pick } from '@hedgerow/testing/cost/pick'
import { expect, onTestFinished, test } from 'vitest'
import { hostileToSandbox } from '#testing/hostile-calls.ts'

/** The whole of it is `npm run fuzz`. */
const OF_EACH_KIND = Number(process.env.OF_EACH ?? 3)
const SEED = 20_261_122

test('no request to the sandbox costs more than 50 ms or 20 MB, or is met with a fault', {
  timeout: 120_000,
}, async () => {
  const env = { SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0' }
  const sandbox = await startMeasured(new URL('./main.ts', import.meta.url), env)
  onTestFinished(sandbox.stop)
  const findings: string[] = []
  for (const request of hostileToSandbox().flat().flatMap((kind) => pick(kind, OF_EACH_KIND, SEED))) {
    const finding = await judge(sandbox, String(sandbox.ready.url), request)
    if (finding) findings.push(finding)
  }
  expect(findings).toEqual([])
})
