/** Of one incident, and of incidents that are not over: what anyone may read is bounded. */
export const MOST_UPDATES = 50
export const MOST_OPEN = 20

/** Why an incident is not opened or changed. */
export type IncidentRefusal = 'over' | 'too-many-open' | 'too-many-updates' | 'not-planned' | 'ends-before'

const WORDS: Readonly<Record<IncidentRefusal, string>> = {
  over: 'It is over. Open a new one.',
  'too-many-open': `${MOST_OPEN} incidents are open. Close one first.`,
  'too-many-updates': `It has ${MOST_UPDATES} updates, which is the most. Close it and open a new one.`,
  'not-planned': 'Only maintenance has a planned end. An incident is closed.',
  'ends-before': 'The end has to be later than the beginning, and in the future.',
}

/** A sentence for operators. */
export const incidentRefusalText = (refusal: IncidentRefusal): string => WORDS[refusal]
