import { type CloudProvider, overlaidProvider } from '@kerf/provider-contract'

/** Wraps a provider so that its results do not reach a dead process: after the process has ended, its promises stay pending. */
export const mortalProvider = (provider: CloudProvider, isDead: () => boolean): CloudProvider => {
  const alive = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isDead()) return await new Promise<T>(() => {})
    try {
      const answer = await call()
      return isDead() ? await new Promise<T>(() => {}) : answer
    } catch (error) {
      if (isDead()) return await new Promise<T>(() => {})
      throw error
    }
  }
  return {
    ...overlaidProvider(provider, { apply: (_, types) => types }),
    create: (claim, signal) => alive(() => provider.create(claim, signal)),
    delete: (claim, signal) => alive(() => provider.delete(claim, signal)),
    get: (providerID, signal) => alive(() => provider.get(providerID, signal)),
    list: (signal) => alive(() => provider.list(signal)),
  }
}
