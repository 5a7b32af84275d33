import { randomInt } from 'node:crypto'

/** `npm run test:long`: what tests generate is drawn anew, and there is much of it. */
export const IS_LONG = process.env.TEST_LONG === '1'

const FIXED_SEED = 20_261_122

/** Of all that tests draw. The same in every run but a long one, so that nothing fails by chance; every worker has it. */
export const TEST_SEED = Number(process.env.TEST_SEED) || (IS_LONG ? randomInt(2 ** 31) : FIXED_SEED)
process.env.TEST_SEED = String(TEST_SEED)

/** How much of it there is: few in every run, and all in a long one. */
export const fewOrAll = (few: number, all: number): number => (IS_LONG ? all : few)
