import { createRequire } from 'node:module'

/** By `require`: what an `import` brings imports `node:http`, which costs what @hedgerow/io/node-http says. */
export const { createTransport } = createRequire(import.meta.url)('nodemailer') as typeof import('nodemailer')
