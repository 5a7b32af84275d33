import { FILTER_CHOICES, FILTERS } from '@hedgerow/domain/filters'
import type { PeerPolicy } from '#network/network.ts'

/**
 * What the rules know of a packet's customer: a bit for each filter, whether it has priority, whether it is active.
 * Nobody's mark stands for expired or unknown, which is the same to a node; 0 for what the rules have not looked at.
 */
export const NOBODY = 1
export const PRIORITY_BIT = FILTER_CHOICES
export const ACTIVE_BIT = 2 * FILTER_CHOICES
export const FAMILY_BIT = FILTERS.find(({ filter }) => filter.list === 'family')?.filter.bit ?? 0

export const markOf = ({ filters, hasPriority }: Pick<PeerPolicy, 'filters' | 'hasPriority'>): number =>
  ACTIVE_BIT + (hasPriority ? PRIORITY_BIT : 0) + (filters & (FILTER_CHOICES - 1))

export const MARKS: readonly number[] = [
  NOBODY,
  ...Array.from({ length: ACTIVE_BIT }, (_, index) => ACTIVE_BIT + index),
]

/** Resolvers are numbered from 1: one for each choice of filters, and the last one for the expired. */
export const RESOLVER_OF_EXPIRED = FILTER_CHOICES + 1
export const resolverOf = (mark: number): number =>
  mark === NOBODY ? RESOLVER_OF_EXPIRED : (mark & (FILTER_CHOICES - 1)) + 1
