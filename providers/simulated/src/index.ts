export { cloudOfferings } from './cloud-offerings.ts'
export { instanceClaimUid } from './instance-view.ts'
export { SimulatedProvider, type SimulatedProviderOptions } from './simulated-provider.ts'
