import type { ComputeApi, InstanceRequest } from './gcp-api.ts'
import { asked } from './sdk-error.ts'
import { clientOptions, type SdkOptions } from './sdk-options.ts'
import { readDiskImage, readImage, readInstance, readOperation, readTemplate, readZonalType } from './sdk-readers.ts'

/** The page token in a list response. */
interface Page {
  readonly nextPageToken?: string | null
}

/** The page token in a list request. Absent for the first page. */
type PageParameters = { readonly pageToken?: string }

/** Reads all pages of a list. A failed page fails the whole list. */
const allPages = async <P extends Page, T>(
  read: (parameters: PageParameters) => Promise<{ readonly data: P }>,
  itemsIn: (page: P) => readonly T[],
): Promise<readonly T[]> => {
  const items: T[] = []
  let token: string | undefined
  do {
    const { data } = await read(token === undefined ? {} : { pageToken: token })
    items.push(...itemsIn(data))
    token = data.nextPageToken ?? undefined
  } while (token !== undefined && token !== '')
  return items
}

/** Returns the values of an aggregated list, which has one entry per zone. Empty if the list is absent. */
const scopesIn = <T>(items: Readonly<Record<string, T>> | null | undefined): readonly T[] => Object.values(items ?? {})

/** Returns a client for Compute Engine that uses the SDK. The first call loads the SDK. */
export const sdkCompute = (options: SdkOptions): ComputeApi => {
  const { project } = options
  const loaded = async () => {
    const { compute_v1 } = await import('./clients/compute.ts')
    return new compute_v1.Compute(clientOptions(options))
  }
  let loading: ReturnType<typeof loaded> | undefined
  const client = () => {
    loading ??= loaded()
    return loading
  }

  return {
    defaultServiceAccount: (signal) =>
      asked(async () => {
        const { data } = await (await client()).projects.get({ project }, { signal })
        return data.defaultServiceAccount ?? undefined
      }, signal),

    zones: (region, signal) =>
      asked(async () => {
        const { data } = await (await client()).regions.get({ project, region }, { signal })
        return (data.zones ?? []).map((url) => url.split('/').at(-1) ?? '').toSorted()
      }, signal),

    zonalTypes: (region, signal) =>
      asked(async () => {
        const { machineTypes } = await client()
        const types = await allPages(
          (page) => machineTypes.aggregatedList({ project, filter: `zone eq ${region}-.*`, ...page }, { signal }),
          ({ items }) => scopesIn(items).flatMap(({ machineTypes: types }) => types ?? []),
        )
        return types.flatMap((type) => readZonalType(type) ?? [])
      }, signal),

    insertInstance: (zone, request: InstanceRequest, requestId, signal) =>
      asked(async () => {
        const { instances } = await client()
        const { data } = await instances.insert({ project, zone, requestId, requestBody: request }, { signal })
        return readOperation(data)
      }, signal),

    operation: (zone, operation, signal) =>
      asked(async () => {
        const { data } = await (await client()).zoneOperations.get({ project, zone, operation }, { signal })
        return readOperation(data)
      }, signal),

    instance: (zone, instance, signal) =>
      asked(async () => {
        const { data } = await (await client()).instances.get({ project, zone, instance }, { signal })
        return readInstance(data)
      }, signal),

    instances: (zone, filter, signal) =>
      asked(async () => {
        const { instances } = await client()
        const found = await allPages(
          (page) => instances.list({ project, zone, filter, ...page }, { signal }),
          ({ items }) => items ?? [],
        )
        return found.map(readInstance)
      }, signal),

    instancesNamed: (name, signal) =>
      asked(async () => {
        const { instances } = await client()
        const found = await allPages(
          (page) => instances.aggregatedList({ project, filter: `name = "${name}"`, ...page }, { signal }),
          ({ items }) => scopesIn(items).flatMap(({ instances: own }) => own ?? []),
        )
        return found.map(readInstance)
      }, signal),

    deleteInstance: (zone, instance, signal) =>
      asked(async () => {
        const { data } = await (await client()).instances.delete({ project, zone, instance }, { signal })
        return readOperation(data)
      }, signal),

    image: (owner, image, signal) =>
      asked(async () => {
        const { data } = await (await client()).images.get({ project: owner, image }, { signal })
        return readImage(data)
      }, signal),

    images: (owner, filter, signal) =>
      asked(async () => {
        const { images } = await client()
        const found = await allPages(
          (page) => images.list({ project: owner, filter, ...page }, { signal }),
          ({ items }) => items ?? [],
        )
        return found.map(readImage)
      }, signal),

    instanceTemplates: (region, signal) =>
      asked(async () => {
        const { regionInstanceTemplates } = await client()
        const found = await allPages(
          (page) => regionInstanceTemplates.list({ project, region, ...page }, { signal }),
          ({ items }) => items ?? [],
        )
        return found.map(readTemplate)
      }, signal),

    diskImage: (zone, disk, signal) =>
      asked(async () => {
        const { data } = await (await client()).disks.get({ project, zone, disk }, { signal })
        return readDiskImage(data)
      }, signal),
  }
}
