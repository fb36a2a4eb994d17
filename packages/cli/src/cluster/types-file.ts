import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { type InstanceType, type InstanceTypeJson, instanceTypeFromJson } from '@kerf/engine'
import { InstanceTypeFileError, parseInstanceTypeFile } from '@kerf/provider-kwok'
import { decodeText, textOfThrown } from '@kerf/runtime'
import { knownProviderNamed, offlineProviders } from '../providers.ts'
import type { OpenedTypes } from './opened-types.ts'

type FileTypes = Omit<OpenedTypes, 'source'>

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Merges lists of instance types. If several instance types have the same name, the first one is used. */
const merged = (lists: readonly (readonly InstanceType[])[]): readonly InstanceType[] => [
  ...new Map(
    lists
      .flat()
      .map((type) => [type.name, type] as const)
      .reverse(),
  ).values(),
]

/**
 * Returns the instance types in a running controller's response (`/kerf/v1/instance-types`), or undefined for any other document. `file` is
 * the name of the file, for errors.
 */
export const controllerTypes = (document: unknown, file: string): FileTypes | undefined => {
  if (!isObject(document) || !Array.isArray(document['lists']) || !isObject(document['pools'])) return undefined
  const wrong = (problem: string): InstanceTypeFileError => new InstanceTypeFileError(file, '', problem)
  let lists: readonly (readonly InstanceType[])[]
  try {
    lists = document['lists'].map((list: readonly InstanceTypeJson[]) => list.map(instanceTypeFromJson))
  } catch (error) {
    throw wrong(`is not a response of /kerf/v1/instance-types: ${textOfThrown(error)}`)
  }
  const byPool = new Map<string, readonly InstanceType[]>()
  for (const [pool, place] of Object.entries(document['pools'])) {
    const types = typeof place === 'number' ? lists[place] : undefined
    if (types === undefined) throw wrong(`is not a response of /kerf/v1/instance-types: pools.${pool} has no list`)
    byPool.set(pool, types)
  }
  const types = merged(lists)
  if (types.length === 0) throw wrong('has no instance types: its controller serves no NodePool')
  return { types, byPool, priceNote: 'prices: from the running Kerf' }
}

/** Returns the instance types in the output of a command that a provider adds to `kerf`. */
const providerTypes = async (document: unknown, file: string): Promise<FileTypes | undefined> => {
  for (const provider of offlineProviders) {
    try {
      const region = await knownProviderNamed(provider).instanceTypes?.regions?.read(document)
      if (region !== undefined)
        return { types: region.types(), offer: { provider, region }, priceNote: region.priceNote }
    } catch (error) {
      throw new InstanceTypeFileError(file, '', textOfThrown(error), { cause: error })
    }
  }
  return undefined
}

const parsed = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InstanceTypeFileError(file, '', `is not JSON: ${textOfThrown(error)}`, { cause: error })
  }
}

const unzipped = (bytes: Buffer, file: string): Buffer => {
  try {
    return gunzipSync(bytes)
  } catch (error) {
    throw new InstanceTypeFileError(file, '', `is not a gzip file (${textOfThrown(error)})`, { cause: error })
  }
}

/**
 * Reads a file with instance types. If its name ends with `.gz`, it is decompressed. The content is the output of a command
 * that a provider adds, the response of a running controller, or the format of Karpenter's KWOK provider.
 * @throws InstanceTypeFileError for a file that cannot be read or used
 */
export const readTypesFile = async (file: string): Promise<FileTypes> => {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new InstanceTypeFileError(file, '', `cannot be read: ${textOfThrown(error)}`, { cause: error })
  })
  const text = decodeText(file.endsWith('.gz') ? unzipped(bytes, file) : bytes)
  const document = parsed(text, file)
  return (
    (await providerTypes(document, file)) ??
    controllerTypes(document, file) ?? { types: parseInstanceTypeFile(text, file) }
  )
}
