/** Set by vite.config.ts at build time. */
declare const __BRAND__: Omit<import('@hedgerow/brand/brand').Brand, 'colours'>
/** The year in which the pages were prerendered. */
declare const __BUILD_YEAR__: number
/** Whether the pages say that nobody has reviewed the legal texts. */
declare const __SAMPLE_LEGAL_TEXTS__: boolean

declare module 'virtual:brand.css'
