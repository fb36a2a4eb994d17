import type { ASTNode } from '@marcbachmann/cel-js'
import { ownValue } from '../own-value.ts'
import { escapeField } from './cel-value.ts'
import type { StructuralSchema } from './structural-schema.ts'

/**
 * Returns a field that a rule reads although the schema does not define it. The evaluator does not use the schema, so this function follows
 * expressions such as `self.a.b` through the schema. Expressions that it cannot follow (variables of macros, results of calls) are
 * accepted.
 */
export const undefinedField = (ast: ASTNode, schema: StructuralSchema, isRoot: boolean): string | undefined => {
  const root = isRoot ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema
  let missing: string | undefined

  const nodeSchema = (node: ASTNode): StructuralSchema | undefined => {
    if (node.op === 'id') return node.args === 'self' || node.args === 'oldSelf' ? root : undefined
    if (node.op !== '.') return undefined
    const [base, field] = node.args
    const known = nodeSchema(base)
    if (known === undefined || known.type !== 'object') return undefined
    const inner = schemaField(known, field)
    if (inner === undefined) missing ??= field
    return inner === ANYTHING ? undefined : inner
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    if (!isNode(value)) return
    nodeSchema(value)
    visit(value.args)
  }
  visit(ast)
  return missing
}

export const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value

const ANYTHING: StructuralSchema = {}
const TEXT: StructuralSchema = { type: 'string' }
const METADATA: StructuralSchema = { type: 'object', properties: { name: TEXT, generateName: TEXT } }

const schemaField = (schema: StructuralSchema, field: string): StructuralSchema | undefined => {
  if (schema['x-kubernetes-embedded-resource'] === true) {
    if (field === 'metadata') return METADATA
    if (field === 'apiVersion' || field === 'kind') return TEXT
  }
  const name = Object.keys(schema.properties ?? {}).find((key) => escapeField(key) === field)
  if (name !== undefined) return ownValue(schema.properties, name)
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') return additionalProperties
  return schema['x-kubernetes-preserve-unknown-fields'] === true ? ANYTHING : undefined
}
