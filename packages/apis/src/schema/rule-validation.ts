import { type CelRule, compileRule, RuleError } from './cel-rule.ts'
import { celValue } from './cel-value.ts'
import { isUnchanged, type Old, oldField, oldItem } from './correlation.ts'
import type { FieldError } from './field-error.ts'
import { isJsonList, isJsonObject, type StructuralSchema, type ValidationRule } from './structural-schema.ts'

/**
 * The compiled rules of a schema and of its nested schemas. Nested schemas without rules are left out. `allOf` and similar keywords must
 * not contain rules.
 */
export interface RuleTree {
  readonly schema: StructuralSchema
  readonly rules: readonly CelRule[]
  readonly properties: ReadonlyMap<string, RuleTree>
  readonly additional: RuleTree | undefined
  readonly items: RuleTree | undefined
  /** Frozen values that satisfied all rules both as the old and as the new value. They need not be evaluated again. */
  readonly kept: WeakSet<object>
}

/**
 * Compiles all rules of a schema. Returns `undefined` if it has none.
 * @throws RuleError for the first rule that does not compile.
 */
export const compileRules = (schema: StructuralSchema): RuleTree | undefined => compileTree(schema, '', true, true)

const compileTree = (
  schema: StructuralSchema,
  path: string,
  isCorrelatable: boolean,
  isRoot: boolean,
): RuleTree | undefined => {
  const at = (part: string): string => (path === '' ? part : `${path}.${part}`)
  const rules = (schema['x-kubernetes-validations'] ?? []).map((source, index) => {
    const place = at(`x-kubernetes-validations[${index}].rule`)
    const rule = compileAt(source, schema, isRoot, place)
    if (rule.usesOldSelf && !isCorrelatable) {
      throw new RuleError(source.rule, 'oldSelf may not be used inside items of a list that is not of type map', place)
    }
    return rule
  })
  const inside = (inner: StructuralSchema, part: string): RuleTree | undefined =>
    compileTree(inner, at(part), isCorrelatable, false)
  const properties = new Map(
    Object.entries(schema.properties ?? {}).flatMap(([key, inner]): [string, RuleTree][] => {
      const tree = inside(inner, `properties[${key}]`)
      return tree === undefined ? [] : [[key, tree]]
    }),
  )
  const { additionalProperties, items: item } = schema
  const additional =
    typeof additionalProperties === 'object' ? inside(additionalProperties, 'additionalProperties') : undefined
  const areItemsCorrelatable = isCorrelatable && schema['x-kubernetes-list-type'] === 'map'
  const items = item === undefined ? undefined : compileTree(item, at('items'), areItemsCorrelatable, false)
  const isEmpty = rules.length === 0 && properties.size === 0 && additional === undefined && items === undefined
  return isEmpty ? undefined : { schema, rules, properties, additional, items, kept: new WeakSet() }
}

const compileAt = (source: ValidationRule, schema: StructuralSchema, isRoot: boolean, path: string): CelRule => {
  try {
    return compileRule(source, schema, isRoot)
  } catch (error) {
    if (error instanceof RuleError) throw new RuleError(error.rule, error.problem, path)
    throw error
  }
}

/**
 * Evaluates the rules from the outermost value inwards. A transition rule is skipped if there is no old value. The violation of any
 * other rule in an unchanged value is ignored. Frozen values are assumed to be deeply frozen.
 */
export const validateRules = (
  value: unknown,
  tree: RuleTree,
  path: string,
  old?: Old,
  isRoot = false,
): FieldError[] => {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object' || old?.value !== value || !Object.isFrozen(value)) {
    return evaluateAll(value, tree, path, old, isRoot)
  }
  if (tree.kept.has(value)) return []
  const errors = evaluateAll(value, tree, path, old, isRoot)
  if (errors.length === 0) tree.kept.add(value)
  return errors
}

const evaluateAll = (
  value: unknown,
  tree: RuleTree,
  path: string,
  old: Old | undefined,
  isRoot: boolean,
): FieldError[] => {
  const errors = evaluateHere(value, tree, path, old, isRoot)
  if (isJsonList(value)) {
    const { items } = tree
    if (items === undefined) return errors
    return [
      ...errors,
      ...value.flatMap((item, index) =>
        validateRules(item, items, `${path}[${index}]`, oldItem(old, item, tree.schema)),
      ),
    ]
  }
  if (!isJsonObject(value)) return errors
  for (const [key, field] of Object.entries(value)) {
    const known = tree.properties.get(key)
    if (known !== undefined) {
      errors.push(...validateRules(field, known, path === '' ? key : `${path}.${key}`, oldField(old, key)))
    } else if (tree.additional !== undefined && !Object.hasOwn(tree.schema.properties ?? {}, key)) {
      errors.push(...validateRules(field, tree.additional, `${path}[${key}]`, oldField(old, key)))
    }
  }
  return errors
}

const evaluateHere = (
  value: unknown,
  tree: RuleTree,
  path: string,
  old: Old | undefined,
  isRoot: boolean,
): FieldError[] => {
  const { schema, rules } = tree
  if (rules.length === 0) return []
  const self = celValue(value, schema, isRoot)
  const oldSelf = old === undefined || old.value === null ? undefined : { value: celValue(old.value, schema, isRoot) }
  const errors: FieldError[] = []
  for (const rule of rules) {
    if (rule.usesOldSelf && oldSelf === undefined && rule.source.optionalOldSelf !== true) continue
    const outcome = rule.evaluate(self, oldSelf)
    if (outcome.kind === 'failed') {
      errors.push({ field: path, reason: 'FieldValueInvalid', message: outcome.problem })
    } else if (outcome.kind === 'violated' && (rule.usesOldSelf || !isUnchanged(value, old, schema))) {
      const isCompound = schema.type === 'object' || schema.type === 'array'
      errors.push({
        field: `${path}${ruleFieldPath(rule, path)}`,
        reason: rule.source.reason ?? 'FieldValueInvalid',
        message: outcome.message,
        ...(isCompound ? {} : { badValue: value }),
      })
    }
  }
  return errors
}

/** Returns the field of an error. The `fieldPath` of a rule can refer to a field inside its value (`.spec.x`). */
const ruleFieldPath = (rule: CelRule, path: string): string => {
  const { fieldPath } = rule.source
  if (fieldPath === undefined) return ''
  return path === '' ? fieldPath.replace(/^\./, '') : fieldPath
}
