import { ownValue } from '../own-value.ts'
import type { StructuralSchema } from './structural-schema.ts'

const withoutIndexes = (path: string): readonly string[] => path.split('.').map((step) => step.replace(/\[\d+\]/g, ''))

const inner = (schema: StructuralSchema | undefined): StructuralSchema | undefined => {
  let found = schema
  for (;;) {
    const next =
      found?.items ?? (typeof found?.additionalProperties === 'object' ? found.additionalProperties : undefined)
    if (next === undefined || found?.properties !== undefined) return found
    found = next
  }
}

/** Returns the names of all fields at the level of a path's last field, for example of the path `spec.disruption.budgets[0].node`. */
export const fieldsBeside = (schema: StructuralSchema, path: string): readonly string[] => {
  let at = inner(schema)
  for (const step of withoutIndexes(path).slice(0, -1)) at = inner(ownValue(at?.properties, step))
  return Object.keys(at?.properties ?? {})
}

/** Returns the paths of all fields with this name, without indexes, and without fields of the status. */
export const pathsOfField = (schema: StructuralSchema, name: string): readonly string[] => {
  const found: string[] = []
  const walk = (at: StructuralSchema | undefined, path: string): void => {
    for (const [key, field] of Object.entries(inner(at)?.properties ?? {})) {
      const next = path === '' ? key : `${path}.${key}`
      if (next === 'status') continue
      if (key === name) found.push(next)
      walk(field, next)
    }
  }
  walk(schema, '')
  return found
}
