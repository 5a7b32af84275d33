/** Loaded with the first passkey: the library reads certificates too, and takes 13 MiB. */
export const webauthn = () => import('@simplewebauthn/server')
export const webauthnHelpers = () => import('@simplewebauthn/server/helpers')
