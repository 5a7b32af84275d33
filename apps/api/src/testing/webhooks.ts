import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@hedgerow/testing/until'
import { onTestFinished } from 'vitest'
import { hurry } from '#testing/jobs.ts'
import type { TestShop } from '#testing/test-shop.ts'

export type Message = { headers: Record<string, string>; body: string }
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hangs'

/** A program that is told of what happens, on this machine. `answers` says what it answers from now on. */
export const aReceiver = async (first: Answer = { status: 204 }) => {
  let answer = first
  const messages: Message[] = []
  const server = createServer(async (request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    messages.push({
      headers: request.headers as IncomingHttpHeaders as Record<string, string>,
      body: Buffer.concat(pieces).toString(),
    })
    if (answer === 'hangs') return
    reply.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    answers: (next: Answer) => {
      answer = next
    },
  }
}

/** What is due is sent now, until something holds. */
export const sentUntil = (shop: TestShop, holds: () => boolean | Promise<boolean>): Promise<boolean> =>
  until(async () => {
    await hurry(shop, 'send-webhooks')
    if (!(await holds())) throw new Error('Not yet')
    return true
  })
