/** Set by vitest.config.ts, where there is no document. */
declare var shopName: string

declare module 'virtual:brand.css'
