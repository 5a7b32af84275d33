/** Where the header and the footer lead (spec §2, Shell). */
export const PARTNERSHIP_LINKS = [
  { to: '/partnership/referral', label: 'Referral programme' },
  { to: '/partnership/promocode', label: 'Promocodes' },
  { to: '/partnership/resell', label: 'White label' },
] as const

export const HOME = { to: '/', label: 'Home' } as const
export const PRODUCTS = { to: '/products', label: 'Products' } as const
export const MANUAL = { to: '/clients', label: 'Manual' } as const
export const QUESTIONS = { to: '/faq', label: 'Questions' } as const
/** It is reached from every page, as the law of the EU wants it (Directive 2011/83/EU, article 11a). */
export const CANCEL = { to: '/cancel', label: 'Cancel or withdraw from a contract' } as const
export const STATUS = { to: '/status', label: 'Status' } as const
export const CHECK = { to: '/check', label: 'Am I protected?' } as const
/** Support for visitors, who have no account to log in to. */
export const CONTACT = { to: '/contact', label: 'Contact' } as const
export const SUPPORT = { to: '/support', label: 'Support' } as const
