/**
 * What a job only looks at: left where it is as soon as the process stops. A resolver or a node that does not answer would hold
 * that up, and what holds it up too long is cut off without order.
 */
export const unlessStopped = async (work: Promise<unknown>, stopping: AbortSignal): Promise<void> => {
  const isOver = new AbortController()
  const stopped = new Promise<void>((end) => {
    if (stopping.aborted) end()
    stopping.addEventListener('abort', () => end(), { signal: isOver.signal })
  })
  await Promise.race([work, stopped]).finally(() => isOver.abort())
}
