/** 32 bytes in Base64. */
export const WIREGUARD_KEY = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/

/** WireGuard's word for none: a peer without a preshared key has this one. */
export const NO_PRESHARED_KEY = Buffer.alloc(32).toString('base64')
