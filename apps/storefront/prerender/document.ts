import { type Brand, wordsOf } from '@hedgerow/brand/brand'
import { escapeHtml } from '@hedgerow/io/escape-html'
import { assetOf, type Manifest } from '#prerender/chunks.ts'
import { PICTURE_SIZE, pictureOf } from '#prerender/pictures.ts'

const FIRST_VIEW_FONTS = ['fraunces-latin-600-normal.woff2', 'instrument-sans-latin-wght-normal.woff2']

type Everywhere = { template: string; brand: Brand; manifest: Manifest; publicUrl: string }
type Page = {
  title: string
  markup: string
  chunks: string[]
  /** Style sheets of this page's own. */
  styles: string[]
  /** Where it is, by which its picture is found. */
  path?: string
  /** The path by which the page is to be known. */
  canonical?: string
  /** A page without one is not to be found by search engines. */
  description?: string | undefined
}

const addressTags = (canonical: string | undefined, publicUrl: string) => {
  if (!canonical) return []
  const { href } = new URL(canonical, publicUrl)
  return [`<link rel="canonical" href="${href}">`, `<meta property="og:url" content="${href}">`]
}

/** An empty address is that of the document itself. */
const RELOAD = '<a href="" class="link">Reload the page</a>'

/** By their class: the first is never shown to who has scripts, the second once they should have run, which removes it. */
const withoutScripts = (what: string) => `
    <noscript><div class="without-scripts"><p>${what} needs JavaScript, which is off in this browser. Switch it on, then reload.</p>${RELOAD}</div></noscript>
    <div id="scripts-missing" class="without-scripts" role="alert"><p>${what} needs its scripts, which did not load.</p>${RELOAD}</div>`

/** A prerendered page can be read without; what belongs to an account cannot. */
const SOME_OF_IT = withoutScripts('Part of this page')
const ALL_OF_IT = withoutScripts('This page')

const pictureTags = (path: string, publicUrl: string) => {
  const { file, alt } = pictureOf(path)
  return [
    `<meta property="og:image" content="${new URL(file, publicUrl).href}">`,
    `<meta property="og:image:width" content="${PICTURE_SIZE.width}">`,
    `<meta property="og:image:height" content="${PICTURE_SIZE.height}">`,
    `<meta property="og:image:alt" content="${escapeHtml(alt)}">`,
  ]
}

/** Puts a page's markup into the built template, and into its head what belongs there. */
export const composeDocument = ({ template, brand, manifest, publicUrl }: Everywhere) => {
  const fonts = FIRST_VIEW_FONTS.map((name) => assetOf(manifest, name)).map(
    (file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`,
  )
  const { light, dark } = brand.colours
  const everywhere = [
    ...fonts,
    `<meta name="brand" content="${escapeHtml(JSON.stringify(wordsOf(brand)))}">`,
    `<meta property="og:site_name" content="${escapeHtml(brand.name)}">`,
    '<meta property="og:type" content="website">',
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta name="color-scheme" content="light dark">',
    `<meta name="theme-color" content="${light.paper}" media="(prefers-color-scheme: light)">`,
    `<meta name="theme-color" content="${dark.paper}" media="(prefers-color-scheme: dark)">`,
  ]
  return ({ title, markup, chunks, styles, path = '/', canonical, description }: Page): string => {
    if (/<script|<style|\sstyle="/.test(markup)) {
      throw new Error(`The content security policy refuses an inline script or style in ${title}`)
    }
    const head = [
      `<title>${escapeHtml(title)}</title>`,
      `<meta property="og:title" content="${escapeHtml(title)}">`,
      ...everywhere,
      `<meta name="description" content="${escapeHtml(description ?? brand.description)}">`,
      `<meta property="og:description" content="${escapeHtml(description ?? brand.description)}">`,
      ...(description ? [] : ['<meta name="robots" content="noindex">']),
      ...addressTags(canonical, publicUrl),
      ...styles
        .filter((file) => !template.includes(file))
        .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
      ...pictureTags(path, publicUrl),
      // What the template names is on its way already.
      ...chunks
        .filter((file) => !template.includes(file))
        .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`),
    ]
    // By functions: a dollar sign in a replacement text has a meaning of its own.
    return template
      .replaceAll('<script type="module"', () => '<script type="module" fetchpriority="low"')
      .replace('</head>', () => `${head.join('\n    ')}\n  </head>`)
      .replace(
        '<div id="root"></div>',
        () => `<div id="root">${markup}</div>${markup ? SOME_OF_IT : ALL_OF_IT}`,
      )
  }
}
