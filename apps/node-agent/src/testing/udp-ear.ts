import { createSocket } from 'node:dgram'

/** A UDP socket for a test: says what it hears, and sends what it is told. Bound to ADDRESS and PORT (0: any). */
const [address = '0.0.0.0', port = '0', isEchoing] = process.argv.slice(2)

const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
socket.on('message', (data, from) => {
  // The test may have ended.
  process.send?.({ text: String(data), from: from.address, port: from.port }, () => undefined)
  if (isEchoing) socket.send(`${data}!`, from.port, from.address)
})
// Who is refused hears nothing, which is what tests look at.
socket.on('error', () => undefined)
process.on('message', ([text, to, toPort]: [string, string, number]) =>
  socket.send(text, toPort, to, () => undefined),
)
process.on('disconnect', () => process.exit())
socket.bind(Number(port), address, () => process.send?.('ready'))
