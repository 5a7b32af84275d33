import { type HostileRequest, judge } from './judge.ts'
import type { MeasuredProgram } from './measured-program.ts'

/** Sends all of them, one after the other; returns what was wrong. Ends with the first that ended the program. */
export const judgeAll = async (
  program: MeasuredProgram,
  base: string,
  requests: readonly HostileRequest[],
): Promise<string[]> => {
  const findings: string[] = []
  for (const request of requests) {
    if (program.end()) break
    const finding = await judge(program, base, request)
    if (finding) findings.push(finding)
  }
  return findings
}
