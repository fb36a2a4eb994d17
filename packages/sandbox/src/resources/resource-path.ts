import { statusErrors } from '../store/status-errors.ts'

/** The components of a path that addresses a resource. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
}

/** Parses a path such as `/api/v1/namespaces/a/pods/b/status`. Returns `undefined` if the path does not address a resource. Throws 400. */
export const parseResourcePath = (path: string): ResourcePath | undefined => {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded)
  const isCore = parts[0] === 'api'
  if (!isCore && parts[0] !== 'apis') return undefined
  const [group, version, ...rest] = isCore ? ['', parts[1], ...parts.slice(2)] : [parts[1], parts[2], ...parts.slice(3)]
  if (group === undefined || version === undefined || rest.length === 0) return undefined
  // `namespaces/x`, `namespaces/x/status` and `namespaces/x/finalize` refer to the namespace itself.
  const isInside =
    rest[0] === 'namespaces' &&
    rest.length > 2 &&
    !(isCore && rest.length === 3 && ['status', 'finalize'].includes(rest[2] ?? ''))
  const [plural, name, subresource] = isInside ? rest.slice(2) : rest
  if (plural === undefined) return undefined
  const namespace = isInside ? rest[1] : undefined
  return {
    group,
    version,
    plural,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  }
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw statusErrors.badRequest(`the path is not UTF-8: ${part}`)
  }
}
