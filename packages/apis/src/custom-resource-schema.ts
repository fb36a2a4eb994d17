/** Exports the functions that a provider's package needs to define its node class. The kinds in `resources/` use the same functions. */
export { atomicConditions, conditions } from './resources/condition-fields.ts'
export { ageColumn, type CustomResource, readyColumn } from './schema/custom-resource.ts'
export {
  anyText,
  DURATION,
  decimal,
  enumField,
  listField,
  mapField,
  NILLABLE_DURATION,
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
