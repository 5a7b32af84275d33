import type { ReplyOf } from '#lib/api.ts'

type Step = ReplyOf<'getSetUp'>['steps'][number]

export const SET_UP_TITLES: Readonly<Record<Step['name'], string>> = {
  address: 'Domain and certificate',
  company: 'Company and brand',
  mail: 'Mail',
  gateway: 'Payment gateway',
  node: 'First node',
  prices: 'Prices',
  purchase: 'Test purchase',
  backup: 'Backup',
}

/** A warning keeps nobody from selling. */
export const isLeft = ({ state }: Step): boolean => state === 'open' || state === 'problem'
