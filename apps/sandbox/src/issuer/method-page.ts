import { type Html, html, rawHtml } from '#pages/html.ts'
import { SEND_FORM } from '#pages/page-reply.ts'

/** What the hidden frame loads: it tells the shop at once that the bank has looked at the browser. */
export const methodPage = (notificationUrl: string, data: string): Html => html`<html lang="en-GB">
<head><meta charset="utf-8"><title>3-D Secure</title></head>
<body>
<form method="post" action="${notificationUrl}">
<input type="hidden" name="threeDSMethodData" value="${data}">
<noscript><button>Continue</button></noscript>
</form>
<script>${rawHtml(SEND_FORM)}</script>
</body>
</html>`
