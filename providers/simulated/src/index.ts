export { offeringsOf } from './cloud-offerings.ts'
export { claimUidOf } from './instance-view.ts'
export { SimulatedProvider, type SimulatedProviderOptions } from './simulated-provider.ts'
