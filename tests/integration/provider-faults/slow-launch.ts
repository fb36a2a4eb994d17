import { LaunchPendingError } from '@kerf/provider-contract'
import { inProvider, type Plant } from './planting.ts'

const BOOTS = 90_000
const ASK_AGAIN = 20_000

/**
 * Returns the example provider on a cloud that queues launches and assigns the instance ID only after a minute and a half. Until then
 * `create` throws LaunchPendingError. If the provider declares `launchTimeout`, this is not a fault.
 */
export const slowLaunch = (options: { readonly launchTimeout?: number }): Plant =>
  inProvider((provider, _, { clock }) => {
    const begun = new Map<string, number>()
    return {
      ...options,
      create: async (claim, signal) => {
        // If a launch is impossible, it fails immediately instead of being queued.
        const view = await provider.create(claim, signal)
        const uid = claim.metadata.uid ?? ''
        const since = begun.get(uid) ?? clock.now()
        begun.set(uid, since)
        if (clock.now() - since < BOOTS) throw new LaunchPendingError(`${claim.metadata.name} is queued`, ASK_AGAIN)
        return view
      },
    }
  })
