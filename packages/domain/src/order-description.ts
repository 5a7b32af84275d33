export type DescribedOrder = {
  /** The plan's name, if a plan was bought. */
  plan?: string | null
  /** Null where the plan has no end, or says its time by its name. */
  days: number | null
  connections: number
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** What an order is for, in a line: the plan's name, or '30 days, 3 connections'. */
export const describeOrder = ({ plan, days, connections }: DescribedOrder): string =>
  plan || [...(days === null ? [] : [counted(days, 'day')]), counted(connections, 'connection')].join(', ')
