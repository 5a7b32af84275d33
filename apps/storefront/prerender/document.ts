import type { Brand } from '@hedgerow/brand/brand'
import { assetOf, type Manifest } from './chunks.ts'

const FIRST_VIEW_FONTS = ['fraunces-latin-600-normal.woff2', 'instrument-sans-latin-wght-normal.woff2']

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Everywhere = { template: string; brand: Brand; manifest: Manifest; publicUrl: string | undefined }
type Page = { markup: string; chunks: string[]; canonical?: string }

/** Puts a page's markup into the built template, and into its head what belongs there. */
export const composeDocument = ({ template, brand, manifest, publicUrl }: Everywhere) => {
  const fonts = FIRST_VIEW_FONTS.map((name) => assetOf(manifest, name)).map(
    (file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`,
  )
  const { light, dark } = brand.colours
  const everywhere = [
    ...fonts,
    `<meta name="description" content="${escapeHtml(brand.description)}">`,
    `<meta property="og:site_name" content="${escapeHtml(brand.name)}">`,
    `<meta property="og:description" content="${escapeHtml(brand.description)}">`,
    '<meta name="color-scheme" content="light dark">',
    `<meta name="theme-color" content="${light.paper}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${dark.paper}" media="(prefers-color-scheme: dark)">`,
  ]
  return ({ markup, chunks, canonical }: Page): string => {
    // React writes a title where it was rendered; documents have theirs in the head.
    const title = markup.match(/<title>.*?<\/title>/)?.[0] ?? `<title>${escapeHtml(brand.name)}</title>`
    const body = markup.replace(title, '')
    if (/<script|<style|\sstyle="/.test(body)) {
      throw new Error(`The content security policy refuses an inline script or style in ${title}`)
    }
    const head = [
      title,
      title.replace(/<title>(.*)<\/title>/, '<meta property="og:title" content="$1">'),
      ...everywhere,
      ...(publicUrl && canonical
        ? [`<link rel="canonical" href="${new URL(canonical, publicUrl).href}">`]
        : []),
      ...chunks.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ]
    // By functions: a dollar sign in a replacement text has a meaning of its own.
    return template
      .replace('</head>', () => `${head.join('\n    ')}\n  </head>`)
      .replace('<div id="root"></div>', () => `<div id="root">${body}</div>`)
  }
}
