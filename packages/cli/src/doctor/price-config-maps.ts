/** ConfigMaps in which providers store prices, in the namespace of their controller. */
export const priceConfigMaps: readonly string[] = ['karpenter-aws-prices', 'karpenter-azure-prices']

/** What is unknown if these ConfigMaps may be read only in `kube-system`. */
export const PRICES_ELSEWHERE = 'ConfigMap of prices'
