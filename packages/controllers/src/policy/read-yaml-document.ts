import { ProblemError } from '@kerf/apis'
import { parse, YAMLParseError } from 'yaml'

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses a YAML document of a ConfigMap or a file, which must be an object. The error message for any other document uses `fields`.
 *
 * @throws ProblemError if the text is not YAML, or not an object
 */
export const readYamlDocument = (text: string, fields: string): Fields => {
  let document: unknown
  try {
    document = parse(text, { logLevel: 'error' })
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new ProblemError(`it is not YAML: ${error.message.split('\n')[0] ?? ''}`)
  }
  if (!isFields(document)) throw new ProblemError(`it must be an object with the ${fields}`)
  return document
}
