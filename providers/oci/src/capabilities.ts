import type { ProviderCapabilities } from '@kerf/provider-contract'

/** What the provider supports. Oracle Cloud announces the end of a preemptible instance only within the instance. */
export const ociCapabilities: ProviderCapabilities = {
  capacityTypes: ['reserved', 'spot', 'on-demand'],
  interruptionNotices: false,
  prices: 'current',
  devices: false,
  tagsAtLaunch: true,
}
