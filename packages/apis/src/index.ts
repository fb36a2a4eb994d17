export {
  type Admission,
  changesGeneration,
  compileAdmission,
  type ResourceAdmission,
  type ResourceRules,
  resourceAdmission,
} from './admission.ts'
export * from './annotations.ts'
export { CLUSTER_POLICY } from './cluster-policy-name.ts'
export * from './conditions.ts'
export {
  CONDITION_EVENT_PREFIX,
  type ConditionEventReason,
  type CoreEventReason,
  conditionEventReason,
  coreEvents,
  type EventDefinition,
} from './core-events.ts'
export {
  type CrdFile,
  type CrdManifest,
  type CrdOptions,
  crdManifests,
  customResourceSchema,
  type SchemaRules,
} from './crd-manifest.ts'
export * from './duration.ts'
export * from './field-selector.ts'
export { hashDuration, hashField, hashGiven } from './hash-field.ts'
export { InvariantError } from './invariant-error.ts'
export * from './kubernetes/index.ts'
export * from './label-selector.ts'
export * from './label-vocabulary.ts'
export * from './labels.ts'
export { commonGroupLabels, meansGroup, type NodeGroupLabel } from './node-group-label.ts'
export { HASH_VERSION, nodePoolHash } from './node-pool-hash.ts'
export { ownField, ownValue, setOwnValue } from './own-value.ts'
export { plainText } from './plain-text.ts'
export { targetsPool } from './policy-targets.ts'
export { LARGEST_INTEGER, parseInteger } from './predicates/integer.ts'
export { controllerOwner, isOwnedBy } from './predicates/owners.ts'
export { isActive, isScheduled, isTerminal, isTerminating } from './predicates/pod-phase.ts'
export { podRequests } from './predicates/pod-requests.ts'
export { formatMicroTime, formatTime, parsePastTime, parseRfc3339, parseTime } from './predicates/timestamp.ts'
export {
  toleratesTaint,
  toleratesTaints,
  tolerationMatches,
  untoleratedTaint,
} from './predicates/tolerations.ts'
export { ProblemError } from './problem-error.ts'
export * from './qualified-name.ts'
export * from './quantity.ts'
export { referencePages } from './reference/index.ts'
export type { DescribedKind } from './reference/kind-page.ts'
export * from './resource-list.ts'
export * from './resources/index.ts'
export * from './runtime-validation.ts'
export { validateScale } from './scale.ts'
export { RuleError } from './schema/cel-rule.ts'
export { type CompiledSchema, compileCrdSchema, rulesNotChecked } from './schema/compiled-schema.ts'
export type { CustomResource, PrinterColumn } from './schema/custom-resource.ts'
export {
  compileDeviceExpression,
  type DeviceExpression,
  type DeviceValue,
  type DeviceVerdict,
  deviceValue,
} from './schema/device-expression.ts'
export { describeFieldError, type FieldError, type FieldErrorReason, formatFieldError } from './schema/field-error.ts'
export { fieldsBeside, pathsOfField } from './schema/field-names.ts'
export { GoPatternError, goPattern } from './schema/go-pattern.ts'
export { validateObjectMeta } from './schema/object-meta.ts'
export { isEqualJson, type StructuralSchema } from './schema/structural-schema.ts'
export {
  type FieldHash,
  hashBoolean,
  hashEntries,
  hashFloat32,
  hashInt32,
  hashInteger,
  hashMap,
  hashSet,
  hashStruct,
  hashText,
  hashUint16,
} from './structural-hash.ts'
export * from './taints.ts'
export type { Milliseconds, Seconds, UsdPerHour } from './units.ts'
