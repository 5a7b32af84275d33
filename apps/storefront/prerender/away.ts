import { copyFile, readFile } from 'node:fs/promises'
import type { Brand } from '@hedgerow/brand/brand'
import { escapeHtml } from '@hedgerow/io/escape-html'
import type { AwayKind } from '#app/away.tsx'
import { usedStyles } from '#prerender/first-view-styles.ts'
import { writeInto } from '#prerender/write-into.ts'
import type { Rendered } from '#prerender.tsx'

/** What the proxy answers by itself, under its status. The shipped nginx sites know the folder and these names. */
const FOLDER = 'away/'
const PAGES: Readonly<Record<number, AwayKind>> = { 502: 'unanswered', 503: 'maintenance', 504: 'unanswered' }
/** As the API refuses (apps/api/src/platform/http/problems.ts): a program reads why, and whether to come back. */
const PROBLEMS = {
  502: { title: 'Bad Gateway', detail: 'We cannot answer right now. Please try again in a moment.' },
  503: { title: 'Service Unavailable', detail: 'We are working on the shop. It will be back shortly.' },
  504: { title: 'Gateway Timeout', detail: 'We cannot answer right now. Please try again in a moment.' },
} as const

type Away = {
  dist: URL
  brand: Brand
  template: string
  /** What is not in words is there from the build. */
  isBuilt: boolean
  render: (kind: AwayKind) => Promise<Rendered>
}

const documentOf = (
  { title, markup }: Rendered,
  { light, dark }: Brand['colours'],
): string => `<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="${light.paper}" media="(prefers-color-scheme: light)">
    <meta name="theme-color" content="${dark.paper}" media="(prefers-color-scheme: dark)">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/${FOLDER}favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/${FOLDER}away.css">
  </head>
  <body>${markup}</body>
</html>
`

/** Writes the pages for the time when the shop is away, with all that they need beside them: nothing else is there then. */
export const writeAway = async ({ dist, brand, template, isBuilt, render }: Away): Promise<void> => {
  const pages = await Promise.all(
    Object.entries(PAGES).map(async ([status, kind]) => ({
      status,
      html: documentOf(await render(kind), brand.colours),
    })),
  )
  for (const { status, html } of pages) await writeInto(dist, `${FOLDER}${status}.html`, html)
  if (isBuilt) return
  for (const [status, problem] of Object.entries(PROBLEMS))
    await writeInto(dist, `${FOLDER}${status}.json`, JSON.stringify({ ...problem, status: Number(status) }))

  const [, sheet = ''] =
    /<link rel="stylesheet"[^<>]* href="(\/assets\/shell-[^"]+\.css)">/.exec(template) ?? []
  const css = await usedStyles(
    pages.map(({ html }) => html).join('\n'),
    await readFile(new URL(`.${sheet}`, dist), 'utf8'),
  )
  await writeInto(dist, `${FOLDER}away.css`, css.replaceAll('url(/assets/', `url(/${FOLDER}`))
  await copyFile(new URL('favicon.svg', dist), new URL(`${FOLDER}favicon.svg`, dist))
  for (const [, name = ''] of css.matchAll(/url\(\/assets\/([\w.-]+)\)/g))
    await copyFile(new URL(`assets/${name}`, dist), new URL(FOLDER + name, dist))
}
