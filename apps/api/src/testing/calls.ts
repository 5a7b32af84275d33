import { LocalCalls } from '#desk/console/local-calls.ts'
import { allPermissions } from '#people/operators/guard-operators.ts'

/** The operators' calls, answered within the test by one who may do all. */
export const callsBy = (answer: (calls: LocalCalls) => void): LocalCalls => {
  const calls = new LocalCalls({ by: 'shell', name: 'tester', permissions: allPermissions } as never)
  answer(calls)
  return calls
}
