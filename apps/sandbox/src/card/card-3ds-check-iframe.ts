import * as z from 'zod/mini'
import { completeAction, getWaiting } from '#gateway/sale.ts'
import { flag, required } from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'

/** The hidden frame has answered, or has not within its ten seconds: the sale goes on either way. */
export const card3dsCheckIframe: GateCall = {
  path: '/payment/card/3ds_check_iframe',
  fields: z.object({ threeds_completion_indicator: required(flag) }),
  handle: ({ general }: { general: { payment_id: string } }, gateway) => {
    completeAction(gateway, getWaiting(gateway, general.payment_id, 'method'))
    return undefined
  },
}
