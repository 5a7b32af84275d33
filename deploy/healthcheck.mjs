// For engines of containers: whether the process beside it lives. An image without a shell or curl has nothing else to ask with.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`)
process.exit(answer.ok ? 0 : 1)
