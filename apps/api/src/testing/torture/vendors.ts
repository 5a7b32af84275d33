import { DEFAULT_SETTINGS } from '@hedgerow/sandbox/settings'
import type { Json } from '@hedgerow/testing/call'

const { stripeKey, btcpayKey, btcpayStore } = DEFAULT_SETTINGS
const PAGE = 100

const get = async (url: string, authorization: string): Promise<Json> => {
  const response = await fetch(url, { headers: { authorization } })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

/** All of a list of Stripe's, page by page. */
export const listStripe = async (sandboxUrl: string, path: string, query = ''): Promise<Json[]> => {
  const all: Json[] = []
  for (;;) {
    const last = all.at(-1)
    const after = last ? `&starting_after=${last.id}` : ''
    const page = await get(`${sandboxUrl}/v1/${path}?limit=${PAGE}${query}${after}`, `Bearer ${stripeKey}`)
    all.push(...page.data)
    if (!page.has_more) return all
  }
}

export const listSessions = (sandboxUrl: string): Promise<Json[]> =>
  listStripe(sandboxUrl, 'checkout/sessions', '&expand[0]=data.payment_intent')

/** All invoices of the BTCPay Server. */
export const listInvoices = async (sandboxUrl: string): Promise<Json[]> => {
  const all: Json[] = []
  for (;;) {
    const query = `includeArchived=true&take=${PAGE}&skip=${all.length}`
    const page = await get(
      `${sandboxUrl}/api/v1/stores/${btcpayStore}/invoices?${query}`,
      `token ${btcpayKey}`,
    )
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

const send = (url: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(body), headers, redirect: 'manual' })

/** A button of an invoice's page: what a wallet, or the network, does. */
export const actOnInvoice = (page: string, act: string) => send(page, { act })

/**
 * Time goes by: what customers have left open expires, what is on its way is confirmed, and the operator marks what was confirmed
 * too late.
 */
export const endAll = async (sandboxUrl: string): Promise<void> => {
  for (const { id, status } of await listSessions(sandboxUrl))
    if (status === 'open') await send(`${sandboxUrl}/stripe/sessions/${id}/expire`, {})
  for (const { id, status, checkoutLink, paidAmount } of await listInvoices(sandboxUrl)) {
    if (status === 'New') await actOnInvoice(checkoutLink, 'expire')
    else if (status !== 'Settled' && Number(paidAmount) > 0) await actOnInvoice(checkoutLink, 'confirm')
    if (status === 'Invalid' && Number(paidAmount) > 0)
      await fetch(`${sandboxUrl}/api/v1/stores/${btcpayStore}/invoices/${id}/status`, {
        method: 'POST',
        headers: { authorization: `token ${btcpayKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ status: 'Settled' }),
      })
  }
}
