import { type JsonObject, objectAt } from '../store/json.ts'
import { type FieldError, fieldErrors } from '../store/status-errors.ts'

const LONGEST = 253
const patternText =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"

/**
 * Returns why a key is not a safe file name, or `undefined`. Keys become file names in mounted volumes and must not lead outside
 * their directory.
 */
const pathProblem = (key: string): string | undefined => {
  if (key === '.' || key === '..') return `must not be '${key}'`
  return key.startsWith('..') ? "must not start with '..'" : undefined
}

const keyProblems = (key: string): readonly string[] =>
  [
    key.length > LONGEST ? `must be no more than ${LONGEST} characters` : undefined,
    /^[-._a-zA-Z0-9]+$/.test(key) ? undefined : patternText,
    pathProblem(key),
  ].filter((problem) => problem !== undefined)

/** Returns the API server's errors for invalid keys of a ConfigMap or Secret (Kubernetes, "ConfigMap object"). */
export const dataKeyErrors = (draft: JsonObject): FieldError[] =>
  ['data', 'binaryData'].flatMap((part) =>
    Object.keys(objectAt(draft, part) ?? {}).flatMap((key) =>
      keyProblems(key).map((problem) => fieldErrors.invalid(`${part}[${key}]`, key, problem)),
    ),
  )
