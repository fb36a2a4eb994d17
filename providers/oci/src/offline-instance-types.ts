import type { OfflineInstanceTypes } from '@kerf/provider-contract'
import { recognisedNodes } from './recognised-nodes.ts'
import { offlineRegions, regionOfObjects, USUAL_REGION } from './regions.ts'

const open = async (region: string) => (await import('./offers/region-offer.ts')).regionOffer(region)

/** Kerf's built-in instance types, for plans and simulations. The tables are loaded on first use. */
export const offlineInstanceTypes: OfflineInstanceTypes = {
  description:
    'shapes of Oracle Cloud in 15 regions with list prices, and sizes of flexible shapes from 1 to 128 OCPUs',
  load: async () => (await open(USUAL_REGION)).types(),
  regions: { names: offlineRegions, usual: USUAL_REGION, of: regionOfObjects, open, read: async () => undefined },
  nodes: recognisedNodes,
}
