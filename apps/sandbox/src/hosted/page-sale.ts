import type { Gateway } from '#gateway/gateway.ts'
import type { PageQuery } from '#hosted/page-query.ts'

/** The sale that the page makes, as the shop would have sent it. */
export const saleFrom = ({ settings }: Gateway, query: PageQuery, ip: string) => ({
  general: {
    project_id: settings.projectId,
    payment_id: query.payment_id,
    merchant_callback_url: query.merchant_callback_url,
  },
  customer: { id: query.customer_id, ip_address: ip },
  payment: {
    amount: Number(query.payment_amount),
    currency: query.payment_currency,
    ...(query.payment_description ? { description: query.payment_description } : {}),
  },
  return_url: {
    success: query.merchant_success_url,
    decline: query.merchant_fail_url,
    ...(query.merchant_return_url ? { return: query.merchant_return_url } : {}),
  },
})
