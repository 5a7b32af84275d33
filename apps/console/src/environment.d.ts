/** Set by vite.config.ts at build time. */
declare const __BRAND_NAME__: string

declare module 'virtual:brand.css'
