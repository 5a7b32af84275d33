const online = () =>
  new Promise<void>((resolve) => addEventListener('online', () => resolve(), { once: true }))

/** Fetches a part of a page; without a network it waits for one, and fetches again. */
export const whenOnline = async <T>(load: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (navigator.onLine) throw error
      await online()
    }
  }
}
