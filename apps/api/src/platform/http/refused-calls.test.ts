import { callerOf } from '@hedgerow/testing/call'
import { freePort } from '@hedgerow/testing/free-port'
import { logLines } from '@hedgerow/testing/log-lines'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { expect, onTestFinished, test } from 'vitest'
import { startApiProcess } from '#testing/api-process.ts'
import { aCustomer, letProofAge } from '#testing/customers.ts'
import { environmentOf, openGround } from '#testing/test-shop.ts'

test('who may not do what they ask for is a line in the log, with the coarse network and no token', async () => {
  const ground = await openGround({ env: { LOG_LEVEL: 'info' } })
  onTestFinished(ground.close)
  const api = await startApiProcess(environmentOf(ground, await freePort()))
  onTestFinished(() => api.kill())
  const call = callerOf(api.url)
  const customer = await aCustomer(ground)
  const stolen = 'a-token-that-nobody-was-given'

  expectProblem(await call('GET', '/api/v1/user/profile'), 401)
  expectProblem(await call('GET', '/api/v1/user/profile', { token: stolen }), 401)
  await letProofAge(ground, customer)
  expectProblem(await call('GET', '/api/v1/user/data', { token: customer.token }), 403)
  const refusals = () => logLines(api.output()).filter(({ msg }) => msg === 'a call was refused')
  await until(() => refusals().length === 2)

  const network = '127.0.0.0/24'
  const [unknown, old] = refusals()
  expect(unknown).toMatchObject({
    refused: 'not-signed-in',
    method: 'GET',
    route: '/api/v1/user/profile',
    network,
  })
  expect(old).toMatchObject({
    refused: 'ask-again',
    route: '/api/v1/user/data',
    customerId: customer.id,
    network,
  })
  for (const secret of [stolen, customer.token, customer.email]) expect(api.output()).not.toContain(secret)
})
