/** The cookie that a page of ours repeats in the header, which another site's page cannot do. */
export const CSRF_COOKIE = 'XSRF-TOKEN'
/** Its name over TLS: a browser takes it from this very host only, not from a neighbour below the same domain. */
export const SECURE_CSRF_COOKIE = `__Host-${CSRF_COOKIE}`
export const CSRF_HEADER = 'x-xsrf-token'
