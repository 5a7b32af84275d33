import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerTo } from '#bank/answer-file.ts'
import { html } from '#pages/html.ts'
import { sendPage } from '#pages/page-reply.ts'
import { workbenchPage } from '#pages/workbench-page.ts'

/** More than the largest file of payments. */
const FILE_BYTES = 8 * 1_024 * 1_024

const page = (isUnreadable = false) =>
  workbenchPage(
    'The company’s bank',
    '/bank',
    html`${isUnreadable && html`<p class="bad" role="alert">No payments were found in this file. Choose one that the console made under Withdrawals.</p>`}
<p>Give it the file that the console made under Withdrawals. Its answer is saved as a download: import that under Withdrawals,
too. SEPA files are answered with a pain.002, lists of payments in pounds with a list.</p>
<form method="post" action="/bank/answer" enctype="multipart/form-data" class="stack">
<label>File of payments <input type="file" name="file" accept=".xml,.csv" required></label>
<label>What the bank does <select name="decision"><option value="paid">Pays all of them</option><option value="first-refused">Refuses the first: its account is closed</option></select></label>
<button>Get the answer</button>
</form>`,
    html`<style>.stack { display: grid; gap: 1rem; justify-items: start } .stack select, input[type=file] { display: block } input[type=file] { font: inherit; max-width: 100%; min-height: 44px; padding: .5rem 0 }</style>`,
  )

/** The bank that the company pays its partners from, as far as files of payments go. */
export const bankRoutes = async (app: FastifyInstance) => {
  const parse = (request: FastifyRequest, body: Buffer) =>
    new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, parse)

  app.get('/bank', (_request, reply) => sendPage(reply, page()))

  app.post('/bank/answer', { bodyLimit: FILE_BYTES }, async (request, reply) => {
    const form = request.body instanceof FormData ? request.body : undefined
    const file = form?.get('file')
    const decision = form?.get('decision') === 'first-refused' ? 'first-refused' : 'paid'
    const answer = file instanceof File ? answerTo(await file.text(), decision) : undefined
    if (!answer) return sendPage(reply, page(true), 400)
    return reply
      .header('content-type', `${answer.type}; charset=utf-8`)
      .header('content-disposition', `attachment; filename="${answer.name}"`)
      .send(answer.text)
  })
}
