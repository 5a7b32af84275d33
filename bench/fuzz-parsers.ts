/** The thread of `npm run fuzz` that gives hostile texts to parsers; says which comes next, so that it can be ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { SHOP_PARSERS } from '@hedgerow/api/testing/fuzz/parsers'
import { AGENT_PARSERS } from '@hedgerow/node-agent/testing/parsers'
import { fuzzParsers } from '@hedgerow/testing/cost/parsers'

const { seed, count } = workerData as { seed: number; count: number }
const findings = fuzzParsers([...SHOP_PARSERS, ...AGENT_PARSERS], count, seed, (next) =>
  parentPort?.postMessage({ next }),
)
parentPort?.postMessage({ findings })
