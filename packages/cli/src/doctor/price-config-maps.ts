import type { ProviderDescriptor } from '@kerf/provider-contract'
import { providers } from '../providers.ts'

/** ConfigMaps in which providers store prices, in the namespace of their controller. */
export const priceConfigMaps: readonly string[] = (providers as readonly ProviderDescriptor[]).flatMap(
  ({ priceConfigMap = [] }) => priceConfigMap,
)

/**
 * The name that messages use for the ConfigMaps with prices outside `kube-system`, if the account may read ConfigMaps only in
 * `kube-system`.
 */
export const PRICES_ELSEWHERE = 'ConfigMap of prices'
