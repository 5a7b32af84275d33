import { coarseNetworkOf } from '@hedgerow/domain/networks'
import Bowser from 'bowser'
import { workContext } from '#platform/instrumentation/work-context.ts'

/** From where a call comes, as coarsely as it is kept: 'Firefox on Android', 203.0.113.0/24. */
export type Visitor = { browser: string | null; network: string | null }

const NOBODY: Visitor = { browser: null, network: null }

/** No browser says more, and a pattern has to come to its end soon. */
const MOST_CHARACTERS = 400

/** Of what it does not know, the parser says the caller's own word, which is no name to show to the owner of an account. */
const NAMES = new Set([...Object.values(Bowser.BROWSER_MAP), ...Object.values(Bowser.OS_MAP)])

/** Null for what is no browser that is known. */
const browserNameOf = (userAgent: string | undefined): string | null => {
  const text = userAgent?.slice(0, MOST_CHARACTERS)
  if (!text) return null
  const parser = Bowser.getParser(text)
  const names = [parser.getBrowserName(), parser.getOSName()].filter((name) => NAMES.has(name))
  return names.length > 0 ? names.join(' on ') : null
}

/** As the owner of an account sees it. From where the shop's own people work is none of theirs to know. */
export const visitorToTell = (): Visitor => (workContext()?.isOperator ? NOBODY : visitor())

/** Who makes the call that is being answered; undefined outside of calls. */
export const visitor = (): Visitor => {
  const caller = workContext()?.caller
  return caller
    ? { browser: browserNameOf(caller.userAgent), network: coarseNetworkOf(caller.address) }
    : NOBODY
}
