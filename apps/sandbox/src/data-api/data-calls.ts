import { chargebackGet, chargebackList } from '#data-api/chargeback-calls.ts'
import type { DataCall } from '#data-api/data-call.ts'

/** All that the Data API can be asked. A call is a file with one line here. */
export const DATA_CALLS: readonly DataCall[] = [chargebackList, chargebackGet]
