import { ProblemError } from '@kerf/apis'
import { formatPriceTable, parsePriceTable } from '@kerf/provider-kit'
import type { AccountTypes, OfferedType } from './offline-market.ts'

/** The `kind` field of the file. */
const KIND = 'EC2InstanceTypes'
const VERSION = 1

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the content of the file that `kerf aws instance-types` writes: instance types in EC2's format, their zones, and prices. */
export const accountFile = ({ region, types, prices }: AccountTypes): string => {
  const { onDemand = {}, spot = {}, readAt } = JSON.parse(formatPriceTable(prices)) as Readonly<Record<string, unknown>>
  const head = { kind: KIND, version: VERSION, region, ...(readAt === undefined ? {} : { readAt }) }
  // Writes each instance type on its own line, so that a line-based diff of two files is readable.
  const lines = types.map((each) => `    ${JSON.stringify(each)}`)
  const whole = JSON.stringify({ ...head, onDemand, spot }, null, 2)
  return `${whole.slice(0, -2)},\n  "types": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/** Returns true if the document is a file that `kerf aws instance-types` wrote. */
export const isAccountFile = (document: unknown): boolean => isObject(document) && document['kind'] === KIND

const offeredType = (value: unknown, index: number): OfferedType => {
  const zones = isObject(value) ? value['zones'] : undefined
  const type = isObject(value) ? value['type'] : undefined
  if (!isObject(type) || typeof type['InstanceType'] !== 'string' || type['InstanceType'] === '')
    throw new ProblemError(`types[${index}].type.InstanceType is missing`)
  if (!Array.isArray(zones) || zones.some((zone) => typeof zone !== 'string'))
    throw new ProblemError(`types[${index}].zones is not a list of zones`)
  // The instance type is stored as EC2 described it. Missing fields are undefined.
  return { type, zones }
}

/**
 * Reads a file that `kerf aws instance-types` wrote.
 *
 * @throws ProblemError that describes what is wrong with the document
 */
export const readAccountFile = (document: unknown): AccountTypes => {
  if (!isObject(document) || document['kind'] !== KIND) throw new ProblemError(`it is not a ${KIND}`)
  const { version, region, types, onDemand, spot, readAt } = document
  if (version !== VERSION)
    throw new ProblemError(`version ${JSON.stringify(version)} is not supported; this Kerf reads version ${VERSION}`)
  if (typeof region !== 'string' || region === '') throw new ProblemError('region is missing')
  if (!Array.isArray(types) || types.length === 0) throw new ProblemError('types is not a list of instance types')
  return {
    region,
    types: types.map(offeredType),
    prices: parsePriceTable(JSON.stringify({ onDemand, spot, readAt })),
  }
}
