import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const OPS = fileURLToPath(new URL('../apps/api/src/ops.ts', import.meta.url))
const run = promisify(execFile)

/** The operator's tool, beside the running shop and on its embedded database. Answers what it prints. */
export const ops = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: process.env.SHOP_DATA_DIR ?? '' }
  return (await run(process.execPath, [OPS, ...args], { env })).stdout
}
