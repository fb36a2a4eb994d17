import { type CompiledSchema, compileCrdSchema } from '@kerf/apis'
import type { JsonObject } from '../store/json.ts'

/** Clusters of one process mostly have the same kinds: Karpenter's, of two or three versions of their rules. */
const MOST_KEPT = 100

/** By the JSON of the schema; the oldest first. */
const compiled = new Map<string, CompiledSchema>()

/**
 * Returns the compiled `openAPIV3Schema`. Equal schemas are compiled once in a process, because the rules of Karpenter's
 * kinds take longer to compile than everything else that a new cluster does.
 *
 * @throws RuleError when a CEL rule does not compile
 */
export const compileOnce = (openApi: JsonObject): CompiledSchema => {
  const key = JSON.stringify(openApi)
  const known = compiled.get(key)
  if (known !== undefined) return known
  // A copy: the caller's schema may be part of a draft, which others change.
  const schema = compileCrdSchema(JSON.parse(key) as JsonObject)
  compiled.set(key, schema)
  for (const oldest of [...compiled.keys()].slice(0, compiled.size - MOST_KEPT)) compiled.delete(oldest)
  return schema
}
