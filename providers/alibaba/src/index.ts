export { type AlibabaOptions, AlibabaProvider } from './alibaba-provider.ts'
export { nodeClassHashAnnotations, providerId, TAG } from './names.ts'
export { DEFAULT_CNY_PER_USD } from './pricing/currency.ts'
