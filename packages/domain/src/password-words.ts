/**
 * What a guesser of this shop's passwords tries first, besides its name, its company, its host and what the account says of
 * its owner: what it sells, what its pages are called, who works there. docs/security/authentication.md lists them.
 */
export const PASSWORD_WORDS: readonly string[] = [
  'admin',
  'calculator',
  'checkout',
  'connection',
  'connections',
  'customer',
  'hedge',
  'hedgerow',
  'internet',
  'invoice',
  'operator',
  'partner',
  'partnership',
  'privacy',
  'private',
  'promocode',
  'referral',
  'sandbox',
  'share link',
  'support',
  'tunnel',
  'voucher',
  'vpn',
  'white label',
  'wireguard',
]
