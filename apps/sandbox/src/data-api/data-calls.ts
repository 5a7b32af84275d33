import { BALANCE } from '#data-api/balance.ts'
import { chargebackGet, chargebackList } from '#data-api/chargeback-calls.ts'
import type { DataCall } from '#data-api/data-call.ts'
import { FINANCIAL_OPERATIONS, OPERATIONS } from '#data-api/operations.ts'

/** All that the Data API can be asked. A call is a file with one line here. */
export const DATA_CALLS: readonly DataCall[] = [
  FINANCIAL_OPERATIONS,
  OPERATIONS,
  BALANCE,
  chargebackList,
  chargebackGet,
]
