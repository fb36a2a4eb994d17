export * from './batching/batcher.ts'
export { type IdBatchOptions, idBatches } from './batching/id-batches.ts'
export { claimEnding } from './claims/claim-ending.ts'
export * from './claims/claim-index.ts'
export { CLOCK_SKEW } from './claims/clock-skew.ts'
export * from './collection/garbage-collection.ts'
export { garbageCollectionPermissions } from './collection/permissions.ts'
export * from './failures/failure.ts'
export * from './failures/launch-failure.ts'
export * from './launches/launch-ledger.ts'
export { annotate } from './node-class/annotate.ts'
export { finalizeNodeClass, type NodeClassFinalizer, nodeClassEvents } from './node-class/node-class-finalizer.ts'
export { type NodeClassHashing, nodeClassHashing } from './node-class/node-class-hash.ts'
export * from './node-class/node-class-ref.ts'
export * from './node-class/node-class-status.ts'
export * from './node-class/node-classes.ts'
export * from './node-class/static-drift.ts'
export {
  isKnownGood,
  type NodeClassObject,
  type Step,
  type StepCause,
  type StepResult,
} from './node-class/status-step.ts'
export * from './offerings/min-values.ts'
export * from './offerings/unavailable-offerings.ts'
export * from './user-data/mime.ts'
export { UserDataError } from './user-data/user-data-error.ts'
export * from './offerings/insufficient-capacity.ts'
