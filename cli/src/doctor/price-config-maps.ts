/** The ConfigMaps in which providers keep prices, in the namespace of their controller. */
export const priceConfigMaps: readonly string[] = ['karpenter-aws-prices', 'karpenter-azure-prices']

/** What is not known when those may be read in `kube-system` only. */
export const PRICES_ELSEWHERE = 'ConfigMap of prices'
