/** `npm run check`: the checks that start nothing of ours, all at the same time. */
import { runStaticChecks } from './static-checks.ts'

const outcomes = await runStaticChecks(({ what, output, hasPassed }) =>
  console.log(hasPassed ? `Passed: ${what}` : `${output}\nFailed: ${what}`),
)
process.exit(outcomes.every(({ hasPassed }) => hasPassed) ? 0 : 1)
