/** Set by prerender.ts, where no page says it. */
declare var shopWords: import('@hedgerow/brand/brand').Words
/** The year in which the pages were prerendered. */
declare const __BUILD_YEAR__: number
/** Whether the pages say that the legal texts were not reviewed. */
declare const __SAMPLE_LEGAL_TEXTS__: boolean

declare module 'virtual:brand.css'
