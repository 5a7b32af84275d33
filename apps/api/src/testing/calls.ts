import { LocalCalls } from '#desk/console/local-calls.ts'
import { toolCaller } from '#people/operators/tool-caller.ts'

/** The operators' calls, answered within the test by one who may do all. */
export const callsBy = (answer: (calls: LocalCalls) => void): LocalCalls => {
  const calls = new LocalCalls(toolCaller('tester'))
  answer(calls)
  return calls
}
