import type { IncomingMessage } from 'node:http'
import { administrator, type DeleteRequest, type WriteRequest } from '../resources/request.ts'
import { type JsonObject, objectAt } from '../store/json.ts'
import { fieldErrors, statusErrors } from '../store/status-errors.ts'

/** Parses a whole number. Throws 400 if the text is not one. */
export const wholeNumber = (text: string): number => {
  if (!/^-?\d+$/.test(text))
    throw statusErrors.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`)
  return Number(text)
}

/** Throws 422 for any dry run value except `All`, which is the only one that Kubernetes defines. */
const checkDryRun = (values: readonly string[]): void => {
  const strange = values.find((value) => value !== 'All' && value !== '')
  if (strange === undefined) return
  throw statusErrors.invalid({ group: 'meta.k8s.io', plural: 'options', kind: 'CreateOptions' }, '', [
    fieldErrors.notSupported('dryRun', strange, ['All']),
  ])
}

export const isTrue = (value: string | null): boolean => value === 'true' || value === '1'

/** Returns an object with the query parameter under its key, or an empty object if the parameter is absent or empty. */
export const given = <K extends string>(query: URLSearchParams, key: K): { readonly [P in K]?: string } => {
  const value = query.get(key)
  return (value === null || value === '' ? {} : { [key]: value }) as { readonly [P in K]?: string }
}

/**
 * Returns the field manager of the request. Default: the first word of the user agent. Server-side apply has no default and requires an
 * explicit field manager.
 */
const requestManager = (request: IncomingMessage): string => {
  if ((request.headers['content-type'] ?? '').startsWith('application/apply-patch')) return ''
  return (request.headers['user-agent'] ?? 'unknown').split('/')[0]?.split(' ')[0] ?? 'unknown'
}

/** Returns the write options in a query. Adds warnings to `warnings`. Throws 422 if the dry run value is not `All`. */
export const readWriteRequest = (
  request: IncomingMessage,
  query: URLSearchParams,
  warnings: string[],
): WriteRequest => {
  const validation = query.get('fieldValidation')
  checkDryRun(query.getAll('dryRun'))
  return {
    identity: administrator,
    fieldManager: query.get('fieldManager') ?? requestManager(request),
    dryRun: query.getAll('dryRun').includes('All'),
    fieldValidation: validation === 'Strict' || validation === 'Ignore' ? validation : 'Warn',
    warn: (message) => warnings.push(message),
  }
}

/** Returns an object with the propagation policy, or an empty object if the value is not a valid policy. */
export const readPropagation = (value: unknown): Pick<DeleteRequest, 'propagationPolicy'> =>
  value === 'Orphan' || value === 'Background' || value === 'Foreground' ? { propagationPolicy: value } : {}

/** Converts a `DeleteOptions` body to a request. */
export const readDeleteOptions = (body: JsonObject): Partial<DeleteRequest> => {
  const preconditions = objectAt(body, 'preconditions')
  const orphan = body['orphanDependents']
  return {
    ...(typeof body['gracePeriodSeconds'] === 'number' ? { gracePeriodSeconds: body['gracePeriodSeconds'] } : {}),
    ...(orphan === true ? { propagationPolicy: 'Orphan' as const } : {}),
    ...readPropagation(body['propagationPolicy']),
    ...(preconditions === undefined
      ? {}
      : { preconditions: preconditions as NonNullable<DeleteRequest['preconditions']> }),
    ...(Array.isArray(body['dryRun']) && body['dryRun'].includes('All') ? { dryRun: true } : {}),
  }
}
