/** Set by vite.config.ts at build time. */
declare const __BRAND__: Omit<import('@hedgerow/brand/brand').Brand, 'colours'>

declare module 'virtual:brand.css'
