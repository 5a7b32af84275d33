import { resolve } from 'node:path'
import { toolRun } from '#desk/tool/run.ts'

/** Where a file is that somebody has named: npm runs programs in its own folder, and says where it was called. */
export const placeOf = (file: string): string => resolve(toolRun().env.INIT_CWD ?? '.', file)
