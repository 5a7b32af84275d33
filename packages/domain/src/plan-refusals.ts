/** Why something cannot be done to a plan, or to a group of plans. */
export type PlanRefusal = 'off-sale' | 'nothing-to-change' | 'has-plans' | 'is-planned' | 'has-nodes'

const WORDS: Readonly<Record<PlanRefusal, string>> = {
  'off-sale': 'This plan is no longer on sale.',
  'nothing-to-change': 'Nothing was to be changed.',
  'has-plans':
    'There are orders of its plans. Retire those on sale instead: the shop does not show an empty group.',
  'is-planned': 'A plan is to come in it: take that back first.',
  'has-nodes': 'A node is or was reserved for it.',
}

/** A sentence for operators. */
export const planRefusalText = (why: PlanRefusal): string => WORDS[why]
