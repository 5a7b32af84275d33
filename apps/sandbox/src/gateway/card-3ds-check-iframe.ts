import { flag, required } from '#gateway/field-rules.ts'
import type { GateCall } from '#gateway/gate-call.ts'
import { passStep } from '#gateway/sale.ts'

/** The hidden frame has answered, or has not within its ten seconds: the sale goes on either way. */
export const card3dsCheckIframe: GateCall = {
  path: '/payment/card/3ds_check_iframe',
  fields: [required('threeds_completion_indicator', flag)],
  handle: ({ general }: { general: { payment_id: string } }, gateway) => {
    passStep(gateway, gateway.getWaiting(general.payment_id, 'method'))
    return undefined
  },
}
