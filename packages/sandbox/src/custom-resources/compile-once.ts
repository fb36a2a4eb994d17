import { type CompiledSchema, compileCrdSchema } from '@kerf/apis'
import type { JsonObject } from '../store/json.ts'

/**
 * The maximum number of cached schemas. The clusters in one process mostly have the same kinds: those of Karpenter, with two or three
 * versions of their rules.
 */
const MOST_KEPT = 100

/** Compiled schemas by their JSON, the oldest first. */
const compiled = new Map<string, CompiledSchema>()

/**
 * Returns the compiled `openAPIV3Schema`. Compiles each distinct schema only once per process. Compiling the rules of Karpenter's kinds
 * takes longer than the rest of a cluster's start.
 *
 * @throws RuleError if a CEL rule does not compile
 */
export const compileOnce = (openApi: JsonObject): CompiledSchema => {
  const key = JSON.stringify(openApi)
  const known = compiled.get(key)
  if (known !== undefined) return known
  // Compiles a copy, because the caller may later modify the object that contains this schema.
  const schema = compileCrdSchema(JSON.parse(key) as JsonObject)
  compiled.set(key, schema)
  for (const oldest of [...compiled.keys()].slice(0, compiled.size - MOST_KEPT)) compiled.delete(oldest)
  return schema
}
