/** The brand as it was when the storefront was built; its colours are in the stylesheet. */
export const brand = __BRAND__
