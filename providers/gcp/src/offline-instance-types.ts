import type { OfflineInstanceTypes } from '@kerf/provider-contract'
import { recognisedNodes } from './recognised-nodes.ts'
import { offlineRegions, regionOfObjects, USUAL_REGION } from './regions.ts'

const open = async (region: string) => (await import('./instance-type/region-offer.ts')).regionOffer(region)

/** Kerf's built-in instance types, for plans and simulations. The tables are loaded on first use. */
export const offlineInstanceTypes: OfflineInstanceTypes = {
  description: "Google Cloud's machine types in 43 regions with published prices on demand and of spot instances",
  load: async () => (await open(USUAL_REGION)).types(),
  regions: { names: offlineRegions, usual: USUAL_REGION, of: regionOfObjects, open, read: async () => undefined },
  nodes: recognisedNodes,
}
