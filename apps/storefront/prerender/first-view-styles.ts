import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PurgeCSS } from 'purgecss'
import { writeInto } from '#prerender/write-into.ts'

/** What stands in class attributes, whatever signs Tailwind's names have. */
const words = (html: string): string[] => html.match(/[^\s"'<>=]+/g) ?? []

const SHEET = /<link rel="stylesheet" crossorigin href="(\/assets\/shell-[^"]+\.css)">/

/** The rules of a sheet that a document's markup uses. */
export const usedStyles = async (html: string, sheet: string): Promise<string> => {
  const [purged] = await new PurgeCSS().purge({
    content: [{ raw: html, extension: 'html' }],
    css: [{ raw: sheet }],
    defaultExtractor: words,
    // What a browser sets by itself, without a script.
    dynamicAttributes: ['open', 'disabled', 'aria-current'],
    safelist: { standard: ['noscript'] },
  })
  return purged?.css ?? ''
}

/**
 * Lets a document begin with those rules alone that its markup uses, and name the whole sheet for later: the first view is
 * then there after one round trip. `main.tsx` puts the whole sheet into force before it takes the page over. Both are in the
 * same cascade layers, so that a rule in both counts as if it stood in the whole sheet only.
 */
export const withFirstViewStyles = async (dist: URL, html: string): Promise<string> => {
  const [link, path = ''] = SHEET.exec(html) ?? []
  if (!link) throw new Error('The document links no sheet of the shell')
  const css = await usedStyles(html, await readFile(new URL(`.${path}`, dist), 'utf8'))
  const file = `assets/first-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  await writeInto(dist, file, css)
  return html.replace(
    link,
    () =>
      `<link rel="stylesheet" crossorigin href="/${file}">\n    <link id="all-styles" rel="preload" as="style" fetchpriority="low" crossorigin href="${path}">`,
  )
}
