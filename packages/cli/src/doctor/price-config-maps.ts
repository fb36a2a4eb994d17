import type { ProviderDescriptor } from '@kerf/provider-contract'
import { providers } from '../providers.ts'

/** ConfigMaps in which providers store prices, in the namespace of their controller. */
export const priceConfigMaps: readonly string[] = (providers as readonly ProviderDescriptor[]).flatMap(
  ({ priceConfigMap = [] }) => priceConfigMap,
)

/** The name that messages use for price ConfigMaps outside `kube-system`, if the account is allowed to read ConfigMaps only there. */
export const PRICES_ELSEWHERE = 'ConfigMap of prices'
