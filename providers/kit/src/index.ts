export * from './batching/batcher.ts'
export * from './collection/garbage-collection.ts'
export { garbageCollectionPermissions } from './collection/permissions.ts'
