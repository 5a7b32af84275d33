import type { Words } from '@hedgerow/brand/brand'

const said = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content

/**
 * Whose shop this is: its pages say it in their head, so that the same scripts are every shop's. While they are prerendered it
 * is told beforehand; colours are in the stylesheet.
 */
export const brand: Words = said ? (JSON.parse(said) as Words) : globalThis.shopWords
