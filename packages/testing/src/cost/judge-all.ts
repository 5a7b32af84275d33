import { type HostileRequest, judge } from './judge.ts'
import type { MeasuredProgram } from './measured-program.ts'

/** More of the same kind tell nothing new, and each may take long. */
const MOST_FINDINGS = 5

/**
 * Sends all of them, one after the other; returns what was wrong. Ends with the first that ended the program, or with
 * enough that were wrong.
 */
export const judgeAll = async (
  program: MeasuredProgram,
  base: string,
  requests: readonly HostileRequest[],
): Promise<string[]> => {
  const findings: string[] = []
  for (const request of requests) {
    if (program.end() || findings.length >= MOST_FINDINGS) break
    const finding = await judge(program, base, request)
    if (finding) findings.push(finding)
  }
  return findings
}
