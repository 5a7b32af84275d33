import { judgeAll } from '@hedgerow/testing/cost/judge-all'
import { startMeasured } from '@hedgerow/testing/cost/measured-program'
import { pick } from '@hedgerow/testing/cost/pick'
import { fewOrAll, TEST_SEED } from '@hedgerow/testing/strength'
import { expect, onTestFinished, test } from 'vitest'
import { hostileToSandbox } from '#testing/hostile-calls.ts'

/** The whole of it is `npm run fuzz`. */
const OF_EACH_KIND = fewOrAll(1, 2)

test('no request to the sandbox costs more than 50 ms or 20 MB, or is met with a fault', {
  timeout: 120_000,
}, async () => {
  const env = { SANDBOX_PORT: '0', SANDBOX_SMTP_PORT: '0' }
  const sandbox = await startMeasured('apps/sandbox/src/main.ts', env)
  onTestFinished(sandbox.stop)
  const requests = hostileToSandbox().flatMap((kind) => pick(kind, OF_EACH_KIND, TEST_SEED))
  expect(await judgeAll(sandbox, String(sandbox.ready.url), requests)).toEqual([])
})
