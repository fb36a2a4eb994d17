import type { IncludeObject } from '../table/table.ts'

/** The form in which a client requests objects. */
export type Form = 'object' | 'table' | 'partial'

/** Returns the form of objects that the `Accept` header requests, or `undefined` if it does not accept JSON. */
export const negotiate = (accept: string | undefined): Form | undefined => {
  if (accept === undefined || accept.trim() === '') return 'object'
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue
    const as = parameters.find((parameter) => parameter.startsWith('as='))?.slice(3)
    if (as === undefined) return 'object'
    const version = parameters.find((parameter) => parameter.startsWith('v='))?.slice(2)
    if (version !== undefined && version !== 'v1') continue
    if (as === 'Table') return 'table'
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'partial'
  }
  return undefined
}

/** Returns whether the `Accept` header requests aggregated discovery. */
export const wantsAggregated = (accept: string | undefined): boolean =>
  accept
    ?.split(',')
    .some(
      (range) =>
        range.includes('as=APIGroupDiscoveryList') &&
        range.includes('v=v2') &&
        !range.includes('v=v2beta1') &&
        range.trim().startsWith('application/json'),
    ) === true

export const includeObject = (value: string | null): IncludeObject =>
  value === 'None' || value === 'Object' ? value : 'Metadata'
