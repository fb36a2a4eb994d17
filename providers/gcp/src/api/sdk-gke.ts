import type { GkeApi } from './gcp-api.ts'
import { asked } from './sdk-error.ts'
import { clientOptions, type SdkOptions } from './sdk-options.ts'
import { readChannel, readCluster, readNodePool } from './sdk-readers.ts'

/** Returns a client for GKE that uses the SDK. The first call loads the SDK. */
export const sdkGke = (options: SdkOptions): GkeApi => {
  const parent = `projects/${options.project}/locations/${options.location}`
  const name = `${parent}/clusters/${options.cluster}`
  const loaded = async () => {
    const { container_v1 } = await import('./clients/container.ts')
    return new container_v1.Container(clientOptions(options)).projects.locations
  }
  let loading: ReturnType<typeof loaded> | undefined
  const client = () => {
    loading ??= loaded()
    return loading
  }

  return {
    cluster: (signal) =>
      asked(async () => readCluster((await (await client()).clusters.get({ name }, { signal })).data), signal),

    nodePools: (signal) =>
      asked(async () => {
        const { data } = await (await client()).clusters.nodePools.list({ parent: name }, { signal })
        return (data.nodePools ?? []).map(readNodePool)
      }, signal),

    releaseChannels: (signal) =>
      asked(async () => {
        const { data } = await (await client()).getServerConfig({ name: parent }, { signal })
        return (data.channels ?? []).map(readChannel)
      }, signal),
  }
}
