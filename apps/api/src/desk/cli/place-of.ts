import { resolve } from 'node:path'

/** Where a file is that somebody has named: npm runs programs in its own folder, and says where it was called. */
export const placeOf = (file: string): string => resolve(process.env.INIT_CWD ?? '.', file)
