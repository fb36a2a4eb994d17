/**
 * Exports for the definition of a provider's node class in the provider's package. The builders are those of the
 * kinds in `resources/`.
 */
export { atomicConditions, conditions } from './resources/condition-fields.ts'
export { ageColumn, type CustomResource, readyColumn } from './schema/custom-resource.ts'
export {
  anyText,
  DURATION,
  enumField,
  listField,
  mapField,
  object,
  openObject,
  optional,
  quantity,
  type Rule,
  type Shape,
  text,
  whole,
  yesNo,
} from './schema/field.ts'
