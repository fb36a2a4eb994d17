import { labelValueProblem, qualifiedNameProblem } from '@kerf/apis'
import { at, type Fields, fieldsAt, isFields, listAt } from './read.ts'

/** An error in a field, with the path of the field. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/**
 * The maximum total size of an object's annotations in bytes:
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/#syntax-and-character-set
 */
const LARGEST_ANNOTATIONS = 256 * 1024

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value)
const keyed = (map: string, key: string): string => `metadata.${map}["${key}"]`

/** Returns a problem for each invalid label or annotation, or one problem if the field is not a map. */
const mapProblems = (
  metadata: Fields,
  name: 'labels' | 'annotations',
  problemOf: (key: string, value: string) => string | undefined,
): readonly FieldProblem[] => {
  const map = metadata[name]
  if (map === undefined || map === null) return []
  if (!isFields(map))
    return [{ field: `metadata.${name}`, message: `Invalid value: ${shown(map)}: must be a map of texts` }]
  return Object.entries(map).flatMap(([key, value]): readonly FieldProblem[] => {
    const problem =
      typeof value === 'string'
        ? problemOf(key, value)
        : value === null
        ? undefined
        : 'must be a text: put it in quotes'
    return problem === undefined
      ? []
      : [{ field: keyed(name, key), message: `Invalid value: ${shown(value)}: ${problem}` }]
  })
}

/**
 * Returns the errors for which an API server would refuse the metadata of an object, each at its own entry. A CustomResourceDefinition does
 * not describe metadata, so its schema cannot check it (https://kubernetes.io/docs/concepts/overview/working-with-objects/names/).
 */
export const metadataProblems = (object: unknown): readonly FieldProblem[] => {
  const metadata = fieldsAt(object, 'metadata')
  const problems = [
    ...mapProblems(metadata, 'labels', (key, value) => qualifiedNameProblem(key) ?? labelValueProblem(value)),
    ...mapProblems(metadata, 'annotations', (key) => qualifiedNameProblem(key.toLowerCase())),
  ]
  const annotations = Object.entries(fieldsAt(metadata, 'annotations'))
  const bytes = annotations.reduce(
    (sum, [key, value]) => sum + new TextEncoder().encode(`${key}${String(value)}`).length,
    0,
  )
  if (bytes > LARGEST_ANNOTATIONS)
    problems.push({
      field: 'metadata.annotations',
      message: `Too long: may not be more than ${LARGEST_ANNOTATIONS} bytes`,
    })
  const finalizers = at(metadata, 'finalizers')
  if (finalizers !== undefined && finalizers !== null && !Array.isArray(finalizers))
    problems.push({
      field: 'metadata.finalizers',
      message: `Invalid value: ${shown(finalizers)}: must be a list of texts`,
    })
  listAt(metadata, 'finalizers').forEach((finalizer, index) => {
    const problem = typeof finalizer === 'string' ? qualifiedNameProblem(finalizer) : 'must be a text'
    if (problem !== undefined)
      problems.push({
        field: `metadata.finalizers[${index}]`,
        message: `Invalid value: ${shown(finalizer)}: ${problem}`,
      })
  })
  return problems
}
