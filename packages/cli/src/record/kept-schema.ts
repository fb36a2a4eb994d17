import { ownValue, type StructuralSchema } from '@kerf/apis'
import { DURATION, NILLABLE_DURATION } from '@kerf/apis/schema'
import { duration, fields, flag, type Kept, keepOneOf, list, number, quantity } from './kept-values.ts'

const durations: readonly (string | undefined)[] = [DURATION, NILLABLE_DURATION]

/**
 * Returns what a recording keeps of a value with this schema: every number, boolean, quantity, duration and enumerated word. `texts` has
 * the format of each other field that is kept, keyed by the field's path. A text without a format is not kept, because people may
 * have written anything into it.
 */
export const keptBySchema = (schema: StructuralSchema, texts: Readonly<Record<string, Kept>>, path = ''): Kept => {
  const text = ownValue(texts, path)
  if (text !== undefined) return text
  const { type, properties, items } = schema
  if (schema['x-kubernetes-int-or-string']) return quantity
  if (type === 'integer' || type === 'number') return number
  if (type === 'boolean') return flag
  if (type === 'array' && items !== undefined) return list(keptBySchema(items, texts, path))
  if (properties !== undefined) {
    return fields(
      Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          keptBySchema(field, texts, path === '' ? name : `${path}.${name}`),
        ]),
      ),
    )
  }
  const words = schema.enum?.filter((word) => typeof word === 'string')
  if (words !== undefined) return keepOneOf(...words)
  return durations.includes(schema.pattern) ? duration : () => undefined
}
