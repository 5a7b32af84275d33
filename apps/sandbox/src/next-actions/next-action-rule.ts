import type { Code } from '#payments/codes.ts'
import type { Shown } from '#payments/next-action.ts'
import type { OperationStatus, Payment } from '#payments/payment.ts'

/** Whose next action it is, and where the sandbox's pages are. The id is the secret of this one wait. */
export type Situation = { payment: Payment; id: string; publicUrl: string; projectId: number }

export type NextActionRule = {
  status: OperationStatus
  /** What the sale ends with without an answer in time. */
  lateCode: Code
  show(situation: Situation): Shown
}
