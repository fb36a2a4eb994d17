export { type BizflyOptions, BizflyProvider } from './bizfly-provider.ts'
export { METADATA, nodeClassHashAnnotations, providerId } from './names.ts'
