/** Whose console this is: its document says so, and name-shop.ts has it say so. */
export const brandName: string =
  document.querySelector<HTMLMetaElement>('meta[name="brand"]')?.content ?? globalThis.shopName
