import { PriceMemory } from '@kerf/provider-kit'
import type { KubeClient } from '@kerf/runtime'

/** The ConfigMap in which Kerf saves the last prices from AWS for its next start. */
export const PRICE_CONFIG_MAP = 'karpenter-aws-prices'

/** Returns the saved prices of the region, in the namespace of the controller. */
export const awsPriceMemory = (
  client: KubeClient,
  { namespace, region }: { readonly namespace: string; readonly region: string },
): PriceMemory => new PriceMemory(client, { namespace, name: PRICE_CONFIG_MAP, key: `${region}.json` })
