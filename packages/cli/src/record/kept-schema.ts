import { ownValue, type StructuralSchema } from '@kerf/apis'
import { DURATION, NILLABLE_DURATION } from '@kerf/apis/schema'
import { duration, fields, flag, type Kept, keepOneOf, list, number, quantity } from './kept-values.ts'

const durations: readonly (string | undefined)[] = [DURATION, NILLABLE_DURATION]

/**
 * Returns a function that reduces a value with this schema to the parts that a recording keeps: every number, boolean, quantity, duration
 * and enumerated word. `texts` maps the path of each other field to keep to its format. Texts without a format are dropped, because people
 * may have written anything into them.
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
