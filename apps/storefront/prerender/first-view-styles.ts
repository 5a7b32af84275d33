import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { writeInto } from '#prerender/write-into.ts'

/** What stands in class attributes, whatever signs Tailwind's names have. */
const words = (html: string): string[] => html.match(/[^\s"'<>=]+/g) ?? []

const SHEET = /<link rel="stylesheet" crossorigin href="(\/assets\/shell-[^"]+\.css)">/

/** The rules of a sheet that a document's markup uses. */
export const usedStyles = async (html: string, sheet: string): Promise<string> => {
  // Only a build has it.
  const { PurgeCSS } = await import('purgecss')
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

const writeFirstViewStyles = async (dist: URL, html: string, path: string): Promise<string> => {
  const css = await usedStyles(html, await readFile(new URL(`.${path}`, dist), 'utf8'))
  const file = `assets/first-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`
  await writeInto(dist, file, css)
  return file
}

/**
 * Lets a document begin with those rules alone that its markup uses, and name the whole sheet for later: the first view is
 * then there after one round trip. `main.tsx` puts the whole sheet into force before it takes the page over. Both are in the
 * same cascade layers, so that a rule in both counts as if it stood in the whole sheet only. `made`: the file with them, where
 * the build has made it.
 */
export const withFirstViewStyles = async (
  dist: URL,
  html: string,
  made: string | undefined,
): Promise<{ html: string; file: string }> => {
  const [link, path = ''] = SHEET.exec(html) ?? []
  if (!link) throw new Error('The document links no sheet of the shell')
  const file = made ?? (await writeFirstViewStyles(dist, html, path))
  const links = `<link rel="stylesheet" crossorigin href="/${file}">\n    <link id="all-styles" rel="preload" as="style" fetchpriority="low" crossorigin href="${path}">`
  return { html: html.replace(link, () => links), file }
}
