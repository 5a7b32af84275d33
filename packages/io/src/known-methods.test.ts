import { expect, test } from 'vitest'
import { createKnownMethods } from './known-methods.ts'

const known = createKnownMethods()
known.add('/orders', ['POST'])
known.add('/orders', ['GET'])
known.add('/orders/:id', ['GET'])
known.add('/orders/new', ['PUT'])
known.add('/', ['GET'])

test.each([
  ['/orders', ['GET', 'POST']],
  ['/orders/', ['GET', 'POST']],
  ['/orders?id=1/2', ['GET', 'POST']],
  ['/orders/7', ['GET']],
  ['/orders/new', ['GET', 'PUT']],
  ['/', ['GET']],
  ['/?a', ['GET']],
])('%s takes %j', (url, methods) => expect(known.at(url)).toEqual(methods))

test.each(['/order', '/orders/7/8', '/orders//', '/Orders', '/constructor'])('nothing is at "%s"', (url) =>
  expect(known.at(url)).toEqual([]),
)
