import { createInterface } from 'node:readline/promises'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'

/** Asks before something that cannot be undone. Throws a Refusal unless the answer is yes, or --yes was given. */
export const ask = async (question: string, isYes: boolean | undefined): Promise<void> => {
  if (isYes) return
  const { stdin } = toolRun()
  if (!stdin.isTTY)
    throw new Refusal(`${question} There is no terminal to answer in. To go ahead, add --yes.`)
  const lines = createInterface({ input: stdin, output: process.stderr })
  // Ctrl-C is a no.
  const answer = await lines.question(`${question} [y/N] `).catch(() => '')
  lines.close()
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new Refusal('Nothing was done.')
}
