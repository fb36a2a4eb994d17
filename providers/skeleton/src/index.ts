export type { SkeletonCalls } from './skeleton-calls.ts'
export { type SkeletonNodeClass, skeletonNodeClass } from './skeleton-node-class.ts'
export { SkeletonProvider } from './skeleton-provider.ts'
