import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, isPassword } from '#people/passwords/passwords.ts'

const WIDE = 'Ｔａｌｌｈｅｄｇｅ９４２'
const PLAIN = 'Tallhedge942'

test.each([
  [WIDE, PLAIN],
  [PLAIN, WIDE],
  ['Zoe\u0308-hedge-942', 'Zoë-hedge-942'],
])('%s is the password %s', async (chosen, typed) => {
  expect(await isPassword(typed, await hashPassword(chosen))).toBe(true)
})

test('a password that was hashed as it was typed, in full width, still opens its account', async () => {
  const kept = await hash(WIDE)
  expect(await isPassword(WIDE, kept)).toBe(true)
  expect(await isPassword('Ｔａｌｌｈｅｄｇｅ９４３', kept)).toBe(false)
})
