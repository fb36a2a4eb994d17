/** What a provider's package needs to define its node class. The builders are the same as those of the kinds in `resources/`. */
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
