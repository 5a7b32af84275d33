import { createHash } from 'node:crypto'
import { escapeHtml } from '@hedgerow/io/escape-html'
import { PAGE_STYLE } from '#network/page-style.ts'

export type Shop = { name: string; renewUrl: string }

export const PAGE_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

type Page = { name: string; title: string; stamp: { text: string; look: string }; body: string }

/** All of it is HTML already. */
export const pageAround = ({ name, title, stamp, body }: Page): string => `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – ${name}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<header><p>${name}</p><span class="${stamp.look}" aria-hidden="true">${stamp.text}</span></header>
<section>
<h1>${title}</h1>
${body}
</section>
</main>
</body>
</html>
`

/** What an expired customer sees in place of every site. */
export const pageText = (shop: Shop): string => {
  const url = escapeHtml(shop.renewUrl)
  return pageAround({
    name: escapeHtml(shop.name),
    title: 'This connection has expired',
    stamp: { text: 'EXPIRED', look: 'stamp' },
    body: `<p>While its tunnel is on, this device can reach nothing but this page.</p>
<ol>
<li>Turn the tunnel off, in WireGuard or in your device’s VPN settings.</li>
<li>Open the renewal page, log in, and choose this connection and the days to add.</li>
<li>Turn the tunnel on again. Your keys, name and filters stay as they were.</li>
</ol>
<a href="${url}" rel="noreferrer">Renew this connection</a>
<p class="quiet">The link works once the tunnel is off: ${url}</p>`,
  })
}
