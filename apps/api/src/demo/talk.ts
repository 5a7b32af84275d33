import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@hedgerow/domain/dates'
import { type Chance, chanceOf } from '#demo/chance.ts'
import { timeOfDay } from '#demo/rhythm.ts'
import { type Colleague, underRecord } from '#demo/staff.ts'
import { APPLICATIONS } from '#demo/words/applications.ts'
import {
  CANNED,
  LOCAL_TALKS,
  type LocalTalk,
  NOTES,
  QUESTIONS,
  TALKS,
  type Talk,
  WAITING,
} from '#demo/words/support.ts'
import type { Customer, World } from '#demo/world.ts'
import { addNote } from '#desk/customers/customer-notes.ts'
import { addCanned, assignConversation } from '#desk/inbox/inbox.ts'
import { addMessage, startConversation } from '#people/conversations/conversations.service.ts'
import {
  closeConversation,
  decideApplication,
  replyToConversation,
} from '#people/conversations/operator-replies.ts'
import { askQuestion } from '#people/conversations/questions.service.ts'

const MINUTE_MS = 60_000

type Thread = {
  id: string
  customer: Customer
  who: Colleague
  chance: Chance
  left: Talk
  andThen: (world: World) => Promise<void>
}

const fill = (text: string, { first }: Pick<Customer, 'first'>, who: Colleague) =>
  text.replaceAll('{first}', first).replaceAll('{who}', who.name.split(' ')[0] ?? who.name)

const answer = async (
  { deps }: World,
  conversationId: string,
  who: Colleague,
  text: string,
): Promise<void> => {
  const said = { who, command: 'support reply', subject: conversationId, arguments: { closes: false } }
  const reply = { conversationId, text, isAgain: true, closes: false }
  await underRecord(deps, said, () => replyToConversation(deps, reply))
}

const HOUR_MS = 60 * MINUTE_MS

/** Support is at work from eight to ten in the evening, UTC. */
const atWork = (time: number): number => {
  const midnight = Math.floor(time / DAY_MS) * DAY_MS
  const hour = (time - midnight) / HOUR_MS
  if (hour < 8) return midnight + 8 * HOUR_MS + (time % HOUR_MS)
  return hour < 22 ? time : midnight + 32 * HOUR_MS + (time % HOUR_MS)
}

/** By turns, until all is said: support answers within hours of daylight, customers sooner or later. */
const goOn = (world: World, thread: Thread, isOurTurn: boolean): void => {
  const { id, customer, who, chance, left } = thread
  const [line, ...rest] = left
  const pause = isOurTurn ? chance.between(7, 190) : chance.between(4, 420)
  const when = Date.now() + pause * MINUTE_MS
  world.at(isOurTurn ? atWork(when) : when, async (now) => {
    if (line === undefined) return thread.andThen(now)
    const text = fill(line, customer, who)
    if (isOurTurn) await answer(now, id, who, text)
    else await addMessage(now.deps, { customerId: customer.id, conversationId: id, id: randomUUID(), text })
    goOn(now, { ...thread, left: rest }, !isOurTurn)
  })
}

const assign = async ({ deps }: World, id: string, who: Colleague): Promise<void> => {
  const said = { who, command: 'support assign', subject: id }
  await underRecord(deps, said, () => assignConversation(deps, id, { to: who.id, from: null }))
}

const NOTED = 0.45

/** When all is said it is closed, and now and then something is noted of the customer. */
const closes =
  ({ id, question }: { id: string; question: string }, customer: Customer, who: Colleague) =>
  async ({ deps, seed }: World): Promise<void> => {
    await underRecord(deps, { who, command: 'support close', subject: id }, () => closeConversation(deps, id))
    const chance = chanceOf(seed, `notes ${question}`)
    if (!chance.is(NOTED)) return
    const said = { who, command: 'customer note', subject: customer.id }
    await underRecord(deps, said, () => addNote(deps, customer.id, who.id, chance.pick(NOTES)))
  }

/** Who begins it, and with what; the question is what chance is asked. */
type Begun = { question: string; talk: Talk; customer: Customer }

export const begin = async (world: World, { question, talk, customer }: Begun): Promise<void> => {
  const { deps, staff } = world
  const chance = chanceOf(world.seed, question)
  const [who, id, [first = '', ...left]] = [chance.pick(staff.support), randomUUID(), talk]
  const name = `${customer.first} ${customer.last}`
  await startConversation(deps, {
    id,
    kind: 'support',
    customer_id: customer.id,
    name,
    text: fill(first, customer, who),
  })
  if (left.length === 0) return
  world.at(atWork(Date.now() + 4 * MINUTE_MS), (now) => assign(now, id, who))
  goOn(world, { id, customer, who, chance, left, andThen: closes({ id, question }, customer, who) }, true)
}

const apply = async (world: World, [state, ...talk]: (typeof APPLICATIONS)[number], customer: Customer) => {
  const { deps, staff } = world
  const [id, who, [first = '', ...left]] = [randomUUID(), staff.manager, talk]
  const name = `${customer.first} ${customer.last}`
  await startConversation(deps, { id, kind: 'application', customer_id: customer.id, name, text: first })
  const andThen = async (now: World) => {
    if (state !== 'accepted' && state !== 'refused') return
    const said = { who, command: 'application set', subject: id, arguments: { state } }
    await underRecord(now.deps, said, () =>
      decideApplication(now.deps, { conversationId: id, state, note: undefined }),
    )
  }
  const chance = chanceOf(world.seed, `applies ${first}`)
  if (left.length === 0) return
  world.at(Date.now() + 9 * MINUTE_MS, (now) => assign(now, id, who))
  goOn(world, { id, customer, who, chance, left, andThen }, true)
}

const ask = async (
  world: World,
  [name, question = '', ...left]: (typeof QUESTIONS)[number],
): Promise<void> => {
  const { deps, staff, seed } = world
  const chance = chanceOf(seed, `asks ${name}`)
  const [id, who] = [randomUUID(), chance.pick(staff.support)]
  const email = `${name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '.')}@mail.example`
  await askQuestion(deps, { id, name, email, question })
  const [reply] = left
  if (reply === undefined) return
  const text = fill(reply, { first: name }, who)
  world.at(atWork(Date.now() + chance.between(20, 300) * MINUTE_MS), async (now) => {
    await assign(now, id, who)
    await answer(now, id, who, text)
  })
}

const ANYWHERE = ''

/** Nobody writes twice, as far as there are others. */
const TRIES = 20

/** Someone who has bought something not long before. */
const somebody = ({ buyers: all, talkers }: World, chance: Chance, country: string): Customer | undefined => {
  const buyers = all.filter((one) => country === ANYWHERE || one.country.code === country)
  const drawn = Array.from({ length: TRIES }, () => buyers[Math.floor(buyers.length * chance.draw() ** 0.12)])
  const one = drawn.find((customer) => customer && !talkers.has(customer)) ?? drawn[0]
  if (one) talkers.add(one)
  return one
}

/** Whoever was the last to extend connections. */
const lastToRenew = async ({ deps, buyers }: World): Promise<Customer | undefined> => {
  const row = await deps.db
    .selectFrom('payments')
    .innerJoin('renewals', 'renewals.payment_id', 'payments.id')
    .select('customer_id')
    .orderBy('payments.ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return buyers.find(({ id }) => id === row?.customer_id)
}

/** Spreads what is said over the days; more of it later, as there are more to say it. */
const spread = (world: World, index: number, count: number, question: string): number => {
  const chance = chanceOf(world.seed, question)
  const share = ((index + 0.3 + 0.5 * chance.draw()) / count) ** 0.55
  const start = world.end - world.days * DAY_MS
  const day = Math.floor((start + share * (world.days - 2) * DAY_MS) / DAY_MS) * DAY_MS
  return timeOfDay(chance, day)
}

const shuffled = <T>(items: readonly T[], chance: Chance): T[] =>
  items
    .map((item) => [chance.draw(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item)

const fromAnywhere = (talk: Talk): LocalTalk => [ANYWHERE, ...talk]

/** Has people write: a talk each, one in so many customers of a large shop. */
export const planTalks = (world: World): void => {
  const talks = shuffled([...TALKS.map(fromAnywhere), ...LOCAL_TALKS], chanceOf(world.seed, 'talks'))
  const withSomebody = (
    time: number,
    question: string,
    talk: (now: World, customer: Customer) => Promise<void>,
    country = ANYWHERE,
  ) =>
    world.at(time, async (now) => {
      const customer = somebody(now, chanceOf(world.seed, `who ${question}`), country)
      if (customer) await talk(now, customer)
    })
  for (const [index, [country, ...talk]] of talks.entries()) {
    const question = `talk ${index}`
    const told = (now: World, customer: Customer) => begin(now, { question, talk, customer })
    withSomebody(spread(world, index, talks.length, question), question, told, country)
  }
  for (const [index, talk] of WAITING.entries()) {
    const question = `waits ${index}`
    withSomebody(world.end - (50 + 130 * index) * MINUTE_MS, question, async (now, drawn) => {
      const customer = (index === 0 && (await lastToRenew(now))) || drawn
      await begin(now, { question, talk, customer })
    })
  }
  for (const [index, one] of APPLICATIONS.entries()) {
    const question = `application ${index}`
    withSomebody(spread(world, index + 1, APPLICATIONS.length + 1, question), question, (now, customer) =>
      apply(now, one, customer),
    )
  }
  for (const [index, one] of QUESTIONS.entries())
    world.at(spread(world, index, QUESTIONS.length, `question ${index}`), (now) => ask(now, one))
}

export const addCannedReplies = async ({ deps, staff }: World): Promise<void> => {
  for (const [title, text] of CANNED)
    await underRecord(deps, { who: staff.manager, command: 'canned-reply add' }, () =>
      addCanned(deps, { title, text }),
    )
}
