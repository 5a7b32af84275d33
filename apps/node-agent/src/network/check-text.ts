import { CHECK_HOST } from '@hedgerow/domain/nodes'
import { escapeHtml } from '@hedgerow/io/escape-html'
import { pageAround, type Shop } from '#network/page-text.ts'

export type CheckedNode = { name: string; shop: Shop }

/** The shop's own page on which address sites see, beside the one for renewing. */
const addressPage = ({ renewUrl }: Shop): string | undefined => URL.parse('check', renewUrl)?.href

const throughDns = `<p>You opened it by a name that only our own DNS knows, so your DNS goes through our server too.</p>`
const notThroughDns = `<p>To see whether your DNS goes through our server too, open <strong><a class="plain" href="http://${CHECK_HOST}/">http://${CHECK_HOST}/</a></strong></p>`

/** What a customer reads whose connection is open. */
export const checkText = ({ name, shop }: CheckedNode, isByName: boolean): string => {
  const url = addressPage(shop)
  return pageAround({
    name: escapeHtml(shop.name),
    title: `You are connected, in ${escapeHtml(name)}`,
    stamp: { text: 'CONNECTED', look: 'stamp good' },
    body: `<p>This page can only be reached through the tunnel to our server in ${escapeHtml(name)}.</p>
${isByName ? throughDns : notThroughDns}
${url === undefined ? '' : `<a href="${escapeHtml(url)}" rel="noreferrer">See which address websites see</a>`}
<p class="quiet">We keep no record of this visit.</p>`,
  })
}
