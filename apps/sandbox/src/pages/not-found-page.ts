import { type Html, html } from '#pages/html.ts'
import { workbenchPage } from '#pages/workbench-page.ts'

export const notFoundPage = (reason: string): Html =>
  workbenchPage('Nothing here', undefined, html`<p>${reason}</p><p><a href="/">Back to the overview</a></p>`)
