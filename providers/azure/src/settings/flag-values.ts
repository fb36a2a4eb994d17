import { UsageError } from '@kerf/provider-kit/command-line'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const GROUP = /^[\p{L}\p{N}_\-().]{0,89}[\p{L}\p{N}_\-()]$/u
export const SUBNET =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Network\/virtualNetworks\/[^/]+\/subnets\/[^/]+$/i
export const ENCRYPTION_SET =
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/diskEncryptionSets\/[^/]+$/i

/**
 * Returns a required value.
 * @throws UsageError if it is missing or has an invalid format
 */
export const given = (
  value: string | undefined,
  what: string,
  flag: string,
  variable: string,
  form: RegExp,
): string => {
  if (value === undefined || value === '') throw new UsageError(`the ${what} is unknown: set ${flag} or ${variable}`)
  if (!form.test(value)) throw new UsageError(`${flag} ${JSON.stringify(value)} is not a valid Azure ${what}`)
  return value
}

/**
 * Returns a value that may be empty.
 * @throws UsageError if it has an invalid format
 */
export const matching = (value: string, flag: string, what: string, form: RegExp): string => {
  if (value !== '' && !form.test(value)) throw new UsageError(`${flag} ${JSON.stringify(value)} is not a valid ${what}`)
  return value
}
